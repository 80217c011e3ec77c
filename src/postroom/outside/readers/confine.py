"""Takes away from a reading process all it does not need: root, files, sockets, other processes, time and memory.

What a kernel lacks is left out and told of: `doctor` shows which of these hold. See landlock(7) and seccomp(2).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import struct
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

NOBODYS_UIDS = (61999, 65534)  # a number that no account has, so that no server runs under it; else `nobody`
FILES_OPEN = 64

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 4, 24, 22, 38
_CLONE_THREAD, _CLONE_NEWNET, _CLONE_NEWIPC = 0x00010000, 0x40000000, 0x08000000
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same number on every machine
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS_OF_ABI = {1: 13, 2: 14, 3: 15, 4: 15}  # how many kinds of access to files a version knows; later ones 16

# Numbers of system calls that reading a file never needs. x86-64, then the common table of arm64.
_DENIED: Mapping[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "bind": (49, 200),
    "listen": (50, 201),
    "socketpair": (53, 199),
    "accept4": (288, 242),
    "recvmmsg": (299, 243),
    "sendmmsg": (307, 269),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "kill": (62, 129),
    "tkill": (200, 130),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "personality": (135, 92),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "link": (86, None),
    "linkat": (265, 37),
}
_CLONE, _CLONE3, _CAPSET, _TGKILL = (56, 220), (435, 435), (126, 91), (234, 131)
_X32 = 0x40000000  # another door to the same calls
_ARCHES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class Confinement(msgspec.Struct, frozen=True):
    """What a reading process cannot do, by what the kernel said when it was told."""

    user: str = ""
    no_new_privs: bool = False
    landlock: int = 0  # the kernel's version of it
    seccomp: bool = False
    namespace: bool = False

    @property
    def is_tight(self) -> bool:
        """No files but the program's, no sockets, no other program."""
        return self.no_new_privs and self.landlock > 0 and self.seccomp

    def said(self) -> str:
        held = [
            self.user,
            *(["no new privileges"] if self.no_new_privs else []),
            *([f"files by Landlock {self.landlock}"] if self.landlock else ["files not confined (no Landlock)"]),
            *(["system calls by seccomp"] if self.seccomp else ["system calls not confined (no seccomp)"]),
            *(["a network of its own"] if self.namespace else []),
        ]
        return ", ".join(held)


def settle() -> Confinement:
    """For the process that all reading processes are made of, once it has loaded what they need."""
    if sys.platform != "linux":
        return Confinement(user=f"as user {os.getuid()}")
    libc = ctypes.CDLL(None, use_errno=True)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, FILES_OPEN)
    namespace = os.getuid() == 0 and libc.unshare(_CLONE_NEWNET | _CLONE_NEWIPC) == 0
    user = _drop_root(libc)
    bound = libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return Confinement(
        user=user,
        no_new_privs=bound,
        landlock=_landlock(libc, program_files()) if bound else 0,
        seccomp=bound and platform.machine() in _ARCHES,
        namespace=namespace,
    )


def narrow(megabytes: int, cpu_seconds: int, *, threads: bool) -> None:
    """For one reading process, before it sees a file: its own limits, and no call that leaves it."""
    _limit(resource.RLIMIT_AS, megabytes << 20)
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_FSIZE, 0)
    if sys.platform != "linux":
        return
    if not threads and os.getuid() != 0:
        _limit(resource.RLIMIT_NPROC, 0)
    _seccomp(ctypes.CDLL(None, use_errno=True))


def program_files() -> list[Path]:
    """Where Python, our package, its libraries and the system's lie: all that may be read."""
    places = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    ours = [str(Path(__file__).parents[2]), sys.prefix, sys.base_prefix if sys.base_prefix != "/" else ""]
    system = [*("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo")]
    devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/etc/ld.so.cache", "/etc/localtime"]
    cpu = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"]
    return [Path(each) for each in dict.fromkeys([*places, *ours, *system, *devices, *cpu]) if each]


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (least, least))


def _drop_root(libc: ctypes.CDLL) -> str:
    if os.getuid() != 0:
        return f"as user {os.getuid()}"
    for uid in NOBODYS_UIDS:
        if not _could_read_as(uid):
            continue
        with contextlib.suppress(OSError):
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            return f"as user {uid}"
    _drop_capabilities(libc)
    return "as root without its rights (its programs lie where no other user may read)"


def _could_read_as(uid: int) -> bool:
    """Whether our own files are open to that user: what is loaded later must be found."""
    try:
        os.seteuid(uid)
    except OSError:
        return False
    try:
        return all(os.access(each, os.R_OK, effective_ids=True) for each in (__file__, os.__file__, sys.executable))
    finally:
        os.seteuid(0)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    for number in range(64):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    if machine := _ARCHES.get(platform.machine()):
        header = struct.pack("=Ii", 0x20080522, 0)
        libc.syscall(_CAPSET[machine[0]], header, bytes(24))


def _landlock(libc: ctypes.CDLL, readable: Iterable[Path]) -> int:
    """Which version holds; 0 when the kernel has none."""
    abi = libc.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if abi < 1:
        return 0
    handled = (1 << _RIGHTS_OF_ABI.get(abi, 16)) - 1
    network, scoped = 0b11 if abi >= 4 else 0, 0b11 if abi >= 6 else 0
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    rules = struct.pack("=QQQ", handled, network, scoped)[:size]
    fd = libc.syscall(_LANDLOCK_CREATE, rules, size, 0)
    if fd < 0:
        return 0
    try:
        for path in readable:
            _allow_reading(libc, fd, path)
        return int(abi) if libc.syscall(_LANDLOCK_RESTRICT, fd, 0) == 0 else 0
    finally:
        os.close(fd)


def _allow_reading(libc: ctypes.CDLL, rules: int, path: Path) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = _READ_FILE | (_READ_DIR if path.is_dir() else 0)
        libc.syscall(_LANDLOCK_ADD, rules, 1, struct.pack("=Qi", rights, fd), 0)
    finally:
        os.close(fd)


def _seccomp(libc: ctypes.CDLL) -> None:
    machine = _ARCHES.get(platform.machine())
    if machine is None:
        return
    program = b"".join(_filter(*machine, own=os.getpid()))
    held = ctypes.create_string_buffer(program, len(program))
    told = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    if libc.prctl(_PR_SET_SECCOMP, 2, told, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp refused its filter")


def _filter(table: int, arch: int, own: int) -> Sequence[bytes]:
    """A program for the kernel: other architectures end the process, denied calls fail, the rest goes through."""
    number, machine, first_argument = 0, 4, 16  # where these stand in what the kernel shows
    refuse, absent, end, let = 0x00050001, 0x00050026, 0x80000000, 0x7FFF0000  # EPERM, ENOSYS, end the process, go on
    denied = sorted({call for each in _DENIED.values() if (call := each[table]) is not None})
    steps = [_load(machine), _if_equal(arch, 1, 0), _answer(end), _load(number)]
    steps += [_if_at_least(_X32, 0, 1), _answer(end)]
    for call in denied:
        steps += [_if_equal(call, 0, 1), _answer(refuse)]
    # Only threads may be made. Of clone3 the flags cannot be seen: it is said to be absent, and clone is tried next.
    steps += [_if_equal(_CLONE3[table], 0, 1), _answer(absent)]
    steps += [_if_equal(_CLONE[table], 0, 3), _load(first_argument), _if_any(_CLONE_THREAD, 1, 0), _answer(refuse)]
    # A process may end itself, and nobody else.
    steps += [_load(number), _if_equal(_TGKILL[table], 0, 3), _load(first_argument), _if_equal(own, 1, 0)]
    return [*steps, _answer(refuse), _answer(let)]


def _say(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


_load, _answer = partial(_say, 0x20), partial(_say, 0x06)
_if_equal, _if_at_least, _if_any = partial(_say, 0x15), partial(_say, 0x35), partial(_say, 0x45)
