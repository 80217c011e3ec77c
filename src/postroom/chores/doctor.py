"""Compares what is expected with what is there, and says what to do about each difference."""

from __future__ import annotations

import base64
import hashlib
import json
import platform
import shutil
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from pydantic import SecretStr

from postroom import __version__
from postroom.app import House
from postroom.engine import lanes
from postroom.nouns.errors import NotFound, PostroomError
from postroom.nouns.ids import TenantId
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.tenants import store as tenants

Verdict = Literal["ok", "warning", "wrong"]
LEAST_SPACE = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One comparison."""

    what: str
    verdict: Verdict
    expected: str
    actual: str
    advice: str = ""


async def examine(house: House) -> list[Finding]:
    return [finding async for finding in _all(house)]


async def _all(house: House) -> AsyncIterator[Finding]:
    for part in (_database, _workers, _home, _archive, _address, _outlook, _gmail, _mailboxes):
        try:
            async for finding in part(house):
                yield finding
        except (PostroomError, OSError) as problem:
            yield Finding(part.__name__.strip("_"), "wrong", "an answer", type(problem).__name__, str(problem))


async def _database(house: House) -> AsyncIterator[Finding]:
    async with house.db.front_desk() as tx:
        [(version, there)] = await tx.letter_of("SELECT current_setting('server_version'), clock_timestamp()", [])
        [(bypass,)] = await tx.letter_of(
            "SELECT rolbypassrls OR rolsuper FROM pg_roles WHERE rolname = current_user", []
        )
    skew = abs((house.clock() - there).total_seconds())
    yield Finding("database version", "ok" if int(version.split(".")[0]) >= 15 else "wrong", "15 or newer", version)
    yield Finding("row-level security", "wrong" if bypass else "ok", "binding", "bypassed" if bypass else "binding")
    verdict: Verdict = "ok" if skew < 2 else "warning" if skew < 60 else "wrong"
    yield Finding("clock", verdict, "within 2 s of the database", f"{skew:.1f} s apart", "Set the clock by NTP.")


async def _workers(house: House) -> AsyncIterator[Finding]:
    found = await lanes.workers(house.db)
    verdict: Verdict = "ok" if found else "warning"
    yield Finding("workers", verdict, "at least one", str(len(found)), "Start `postroom up` or `postroom work`.")
    aside = [depth for depth in await lanes.depths(house.db) if depth.name == "quarantined"]
    count = aside[0].jobs if aside else 0
    yield Finding(
        "jobs put aside",
        "ok" if not count else "warning",
        "none",
        str(count),
        "See `postroom job list --state quarantined`.",
    )


async def _home(house: House) -> AsyncIterator[Finding]:
    home = house.settings.home
    free = shutil.disk_usage(home if home.exists() else Path("/")).free
    verdict: Verdict = "ok" if free > LEAST_SPACE else "warning"
    yield Finding("disk space", verdict, "1 GB or more", f"{free / (1 << 30):.1f} GB", f"Free some space below {home}.")
    key = "POSTROOM_SEALING_KEY" if house.settings.sealing_key else f"a file below {home}"
    yield Finding("sealing key", "ok", "kept safe and backed up", key, "Without it the stored tokens are lost.")


async def _archive(house: House) -> AsyncIterator[Finding]:
    shelf, key = house.outside.shelf, f"doctor/{uuid4()}"
    await shelf.put_if_absent(key, b"probe", {}, "text/plain")
    back = await shelf.get(key)
    await shelf.remove(key)
    place = house.settings.archive_url or "the folder archive below POSTROOM_HOME"
    yield Finding("archive", "ok" if back == b"probe" else "wrong", "what was put in comes out", place)


async def _address(house: House) -> AsyncIterator[Finding]:
    ours = house.settings.outside_url
    secure = ours.startswith("https://")
    simulated = house.settings.graph_base_url.startswith("http://")
    advice = "Set POSTROOM_PUBLIC_URL to the https address that Microsoft and Google reach; else mailboxes are polled."
    yield Finding("public address", "ok" if secure or simulated else "warning", "https://…", ours, advice)
    try:
        answer = await house.http.request("self", "GET", f"{ours}/healthz", timeout=5)
        reached, said = answer.status == 200, str(answer.status)
    except PostroomError as problem:
        reached, said = False, str(problem)
    advice = "Start `postroom serve`, and let the proxy in front of it pass this address on."
    yield Finding("we reach ourselves", "ok" if reached else "warning", f"200 at {ours}/healthz", said, advice)
    for provider in ("outlook", "gmail"):
        yield Finding(
            f"redirect URI for {provider}", "ok", f"{ours}/oauth/{provider}/callback", "register exactly this"
        )


async def _outlook(house: House) -> AsyncIterator[Finding]:
    settings = house.settings
    if not settings.graph_client_id:
        yield Finding("Outlook", "ok", "POSTROOM_GRAPH_CLIENT_ID", "not set: Outlook is not used")
        return
    if not settings.graph_mailbox_email:
        yield Finding("Outlook app-only", "ok", "POSTROOM_GRAPH_MAILBOX_EMAIL", "not set: only delegated mailboxes")
        return
    token = await house.switchboard.app_token()
    roles = _claims(token).get("roles")
    held = " ".join(roles) if isinstance(roles, list) else "(the token does not say)"
    granted = not isinstance(roles, list) or any(role.startswith("Mail.Read") for role in roles)
    advice = "Grant the application permission Mail.Read and consent as administrator."
    yield Finding("Outlook permission", "ok" if granted else "wrong", "Mail.Read", held, advice)


async def _gmail(house: House) -> AsyncIterator[Finding]:
    settings = house.settings
    if not settings.gmail_client_id:
        yield Finding("Gmail", "ok", "POSTROOM_GMAIL_CLIENT_ID", "not set: Gmail is not used")
        return
    for name in ("gmail_topic", "gmail_subscription", "gmail_audience", "gmail_service_account"):
        value = getattr(settings, name)
        verdict: Verdict = "ok" if value else "warning"
        advice = f"Set POSTROOM_{name.upper()}, or the mailboxes are polled."
        yield Finding(f"POSTROOM_{name.upper()}", verdict, "set", value or "not set", advice)
    answer = await house.http.request("google", "GET", settings.google_certs_url, timeout=10)
    yield Finding("Google's certificates", "ok" if answer.status == 200 else "wrong", "200", str(answer.status))
    advice = "If the consent screen is in Testing, refresh tokens die after 7 days: publish the app."
    yield Finding("Google consent screen", "ok", "published", "cannot be seen from here", advice)


async def _mailboxes(house: House) -> AsyncIterator[Finding]:
    for tenant in await tenants.all_tenants(house.db):
        async with house.desk(tenant.tenant_id, "doctor").read() as tx:
            known, signs = await mailboxes.mailboxes(tx), {each.id: each for each in await mailboxes.health(tx)}
        for mailbox in known:
            if mailbox.status == "disconnected" or mailbox.provider == "files":
                continue
            for finding in _mailbox(mailbox, signs[mailbox.id], house.clock()):
                yield finding
            yield await _opens(house, tenant.tenant_id, mailbox)


def _mailbox(mailbox: mailboxes.Mailbox, sign: mailboxes.Health, now: datetime) -> Sequence[Finding]:
    name = mailbox.address
    findings = [
        Finding(
            f"{name}: status",
            "ok" if mailbox.status == "active" else "wrong",
            "active",
            mailbox.status,
            mailbox.because or "",
        )
    ]
    if mailbox.provider in {"outlook", "gmail"}:
        till = sign.watch_expires_at
        alive = till is not None and till > now
        verdict: Verdict = "ok" if alive else "warning"
        advice = "It is polled meanwhile; see `postroom job list` for why the watch could not be kept."
        findings.append(
            Finding(f"{name}: watch", verdict, "running", f"till {till:%Y-%m-%d %H:%M}" if till else "none", advice)
        )
    if sign.listed is not None:
        whole = sign.listed == sign.held
        findings.append(
            Finding(
                f"{name}: coverage",
                "ok" if whole else "warning",
                f"{sign.listed} held",
                f"{sign.held} held",
                "Reconcile it.",
            )
        )
    return findings


async def _opens(house: House, tenant_id: TenantId, mailbox: mailboxes.Mailbox) -> Finding:
    what = f"{mailbox.address}: folder {mailbox.folder}"
    try:
        provider = await house.switchboard.open_mailbox(tenant_id, mailbox.id)
        await provider.list_since(house.clock())
    except NotFound as problem:
        return Finding(what, "wrong", "readable", "not there", str(problem))
    except PostroomError as problem:
        return Finding(what, "wrong", "readable", type(problem).__name__, str(problem))
    return Finding(what, "ok", "readable", "readable")


def _claims(token: str) -> dict[str, Any]:
    """What a token says of itself; for show only, nothing is decided by it."""
    try:
        part = token.split(".")[1]
        claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (IndexError, ValueError):
        return {}
    return claims


async def bundle(house: House, findings: Sequence[Finding], to: Path) -> None:
    """A zip for whoever helps: no secrets, no subjects, no bodies; addresses as fingerprints."""
    depths = [{"state": each.name, "jobs": each.jobs, "oldest_s": each.oldest} for each in await lanes.depths(house.db)]
    failed = []
    for tenant in await tenants.all_tenants(house.db):
        async with house.desk(tenant.tenant_id, "doctor").read() as tx:
            failed += [
                {
                    "kind": each.kind,
                    "outcome": each.outcome,
                    "class": each.error_class,
                    "code": each.error_code,
                    "at": each.finished_at.isoformat(),
                }
                for each in await lanes.attempts(tx, failed=True, most=200)
            ]
    parts = {
        "findings.json": [_redacted(asdict(finding)) for finding in findings],
        "settings.json": {name: _shown(value) for name, value in house.settings},
        "jobs.json": depths,
        "failed_attempts.json": failed,
        "machine.json": {"postroom": __version__, "python": platform.python_version(), "system": platform.platform()},
    }
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, json.dumps(content, indent=2, default=str))


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return "(set, not shown)"
    return _hide(str(value)) if value is not None else None


def _redacted(finding: dict[str, Any]) -> dict[str, Any]:
    return {name: _hide(str(value)) for name, value in finding.items()}


def _hide(text: str) -> str:
    return " ".join(
        f"address-{hashlib.sha256(word.encode()).hexdigest()[:8]}" if "@" in word else word for word in text.split(" ")
    )
