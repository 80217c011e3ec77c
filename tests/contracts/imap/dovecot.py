"""A real dovecot, run from a folder of its own as an ordinary user, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import grp
import imaplib
import os
import pwd
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import trustme

from needs import need

PASSWORD = "sesame"  # of everybody but these:
ODD = {"quotes@office.test": 'a "quoted" pass\\word', "umlauts@office.test": "Grüße 🔑"}
PROGRAM = "/usr/sbin/dovecot"

CONFIG = """
base_dir = {home}/run
state_dir = {home}/run
log_path = {home}/log
protocols = imap
listen = 127.0.0.1
default_login_user = {login}
default_internal_user = {login}
default_internal_group = {group}
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
disable_plaintext_auth = no
first_valid_uid = 1
mail_uid = {uid}
mail_gid = {gid}
mail_home = {home}/mail/%u
mail_location = maildir:{home}/mail/%u/Maildir
mail_max_userip_connections = 50
ssl = yes
ssl_cert = <{home}/cert.pem
ssl_key = <{home}/key.pem
ssl_dh =
maildir_stat_dirs = yes
imap_idle_notify_interval = 2 mins
{more}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {home}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = scheme=PLAIN {home}/users
}}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/mail/%u
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  process_min_avail = 1
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
"""
OAUTH = """
tokeninfo_url = {url}
username_attribute = email
"""


@dataclass(frozen=True, slots=True)
class Dovecot:
    home: Path
    plain: int
    tls: int
    trust: ssl.SSLContext
    process: subprocess.Popen[bytes]

    def client(self, user: str) -> imaplib.IMAP4:
        """Python's own client: how another mail program changes the mailbox."""
        client = imaplib.IMAP4("127.0.0.1", self.plain)
        client.login(user, PASSWORD)
        return client

    def die(self) -> None:
        """With all its processes: they are a group of their own, and nothing is left behind."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def required() -> None:
    need(Path(PROGRAM).exists(), install="apt-get install --no-install-recommends dovecot-imapd")


@contextlib.contextmanager
def running(more: str = "", token_info: str = "http://127.0.0.1:9/") -> Iterator[Dovecot]:
    required()
    with tempfile.TemporaryDirectory(prefix="postroom-dovecot-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        account = pwd.getpwnam("dovecot") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        authority = _certificate(home)
        plain, tls = _free_ports(2)
        names = {"login": account.pw_name, "group": grp.getgrgid(account.pw_gid).gr_name, "uid": account.pw_uid}
        (home / "dovecot.conf").write_text(
            CONFIG.format(home=home, plain=plain, tls=tls, gid=account.pw_gid, more=more, password=PASSWORD, **names)
        )
        (home / "oauth2.conf").write_text(OAUTH.format(url=token_info))
        (home / "users").write_text("".join(f"{user}:{{PLAIN}}{password}\n" for user, password in ODD.items()))
        (home / "mail").mkdir()
        if os.geteuid() == 0:
            for path in (home, *home.rglob("*")):
                os.chown(path, account.pw_uid, account.pw_gid)
        server = Dovecot(home, plain, tls, authority, _started(home, account))
        try:
            _until_up(plain, server.process, home)
            yield server
        finally:
            server.die()


def _started(home: Path, account: pwd.struct_passwd) -> subprocess.Popen[bytes]:
    as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with (home / "out").open("wb") as out:
        command = [PROGRAM, "-F", "-c", home / "dovecot.conf"]
        return subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True, **as_user)


def _until_up(port: int, process: subprocess.Popen[bytes], home: Path) -> None:
    till = time.monotonic() + 20
    while time.monotonic() < till and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            if line.recv(4) == b"* OK":
                return
        time.sleep(0.05)
    logs = [path.read_text() for path in (home / "out", home / "log") if path.exists()]
    raise RuntimeError("dovecot did not start:\n" + "\n".join(logs))


def _certificate(home: Path) -> ssl.SSLContext:
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    issued.cert_chain_pems[0].write_to_path(home / "cert.pem")
    issued.private_key_pem.write_to_path(home / "key.pem")
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
