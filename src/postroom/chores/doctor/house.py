"""The house itself: database, workers, disk, archive, and the address that others reach it by."""

from __future__ import annotations

import asyncio
import ipaddress
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from postroom.app.house import House
from postroom.app.providers import NOTIFY
from postroom.chores.doctor.findings import Finding, Verdict, judge, skew
from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.nouns.errors import PostroomError
from postroom.nouns.facts.mailboxes import UNNAMED_PROXY
from postroom.rooms.tenants import store as tenants

UNNAMED_FOR = timedelta(days=7)
UNNAMED_PROXIES = sql.Query(
    "unnamed_proxies",
    "SELECT array_agg(DISTINCT body ->> 'source') FROM postroom.fact WHERE tenant_id = (SELECT postroom.tenant()) "
    "AND kind = 'security.event' AND told_at > %(since)s AND body ->> 'what' = %(what)s",
)
LEAST_SPACE = 1 << 30
HARDLY_ANY = 64 << 20  # four segments of the database's log: it stops writing at any moment
OUR_ANSWER = b"ok\n"
READY_SECONDS = 300
RUNNING_SECONDS = 75 * 60  # longer than any job may run


async def database(house: House) -> AsyncIterator[Finding]:
    async with house.db.front_desk() as tx:
        [(version, there)] = await tx.letter_of("SELECT current_setting('server_version'), clock_timestamp()", [])
        [(bypass,)] = await tx.letter_of(
            "SELECT rolbypassrls OR rolsuper FROM pg_roles WHERE rolname = current_user", []
        )
    apart = abs((house.clock() - there).total_seconds())
    advice = "Move the data to PostgreSQL 15 or newer."
    yield judge("database version", "15 or newer", version, advice, good=int(version.split(".")[0]) >= 15)
    advice = "Run `postroom migrate` as the owner: the roles postroom_app and postroom_desk must not bypass it."
    yield judge("row-level security", "binding", "bypassed" if bypass else "binding", advice, good=not bypass)
    yield skew("clock of the database", apart, 2)


async def workers(house: House) -> AsyncIterator[Finding]:
    found = await lanes.workers(house.db)
    advice = "Start `postroom up` or `postroom work`."
    yield judge("workers", "at least one", str(len(found)), advice, good=bool(found), else_="warning")
    depths = {depth.state: depth for depth in await lanes.depths(house.db)}
    count = depths["quarantined"].jobs if "quarantined" in depths else 0
    advice = "See `postroom job list --state quarantined`."
    yield judge("jobs put aside", "none", str(count), advice, good=not count, else_="warning")
    advice = "Start more workers, or restart one that hangs: `/healthz` of each says which."
    yield _age("oldest job that is ready", depths.get("ready"), READY_SECONDS, advice)
    advice = "See `postroom job list --state running`, and restart the worker: its jobs go on after 30 s."
    yield _age("oldest job that runs", depths.get("running"), RUNNING_SECONDS, advice)


def _age(what: str, depth: lanes.QueueDepth | None, most: float, advice: str) -> Finding:
    age = max(0.0, depth.oldest) if depth is not None else 0.0
    said = f"{timedelta(seconds=round(age))} (of {depth.jobs})" if depth is not None else "none"
    return judge(what, f"at most {timedelta(seconds=most)}", said, advice, good=age <= most)


async def home(house: House) -> AsyncIterator[Finding]:
    place = house.settings.home
    free = shutil.disk_usage(place if place.exists() else Path("/")).free
    advice = f"Free some space below {place}."
    less: Verdict = "warning" if free > HARDLY_ANY else "wrong"
    said = f"{free / (1 << 30):.1f} GB" if free > HARDLY_ANY else f"{free / (1 << 20):.0f} MB"
    yield judge("disk space", "1 GB or more", said, advice, good=free > LEAST_SPACE, else_=less)
    key = "POSTROOM_SEALING_KEY" if house.settings.sealing_key else f"a file below {place}"
    yield Finding("sealing key", "ok", "kept safe and backed up", key, "Without it the stored tokens are lost.")


async def archive(house: House) -> AsyncIterator[Finding]:
    archive, key = house.outside.archive, f"doctor/{uuid4()}"
    await archive.put_if_absent(key, b"probe", {}, "text/plain")
    back = await archive.get(key)
    await archive.remove(key)
    place = house.settings.archive_url or "the folder archive below POSTROOM_HOME"
    advice = "Check POSTROOM_ARCHIVE_URL and the rights on it."
    yield judge("archive", "what was put in comes out", place, advice, good=back == b"probe")


async def readers(house: House) -> AsyncIterator[Finding]:
    """How far a file that takes over its reading process is confined, by what the kernel said."""
    held = await house.outside.reader.confinement()
    advice = (
        "Run on Linux 5.13 or newer with Landlock among its security modules, and let the container's profile pass "
        "landlock_* and seccomp; run as a user of its own, or install where other users may read."
    )
    good = held.is_tight and not held.user.startswith("as root")
    yield judge("reading processes", "confined", held.said(), advice, good=good, else_="warning")


async def encoder(house: House) -> AsyncIterator[Finding]:
    """What ranks evidence by meaning too. Everything works without it."""
    found = house.outside.encoder
    good = found is not None and await asyncio.to_thread(found.works)
    if good or found is None:
        said = "there" if good else "not installed: evidence is ranked by its words alone"
        advice = "Install what requirements-encoder.lock names (`make install` tries), to have more mails answered."
    else:
        said = "damaged: evidence is ranked by its words alone"
        advice = "Install what requirements-encoder.lock names anew (`pip install --force-reinstall`), and start again."
    yield judge("encoder", "there", said, advice, good=good, else_="warning")


async def port(house: House) -> AsyncIterator[Finding]:
    """Who answers where this machine's web process listens, or would."""
    host = "127.0.0.1" if house.settings.host in ("0.0.0.0", "::") else house.settings.host  # noqa: S104 - any address
    place = f"{f'[{host}]' if ':' in host else host}:{house.settings.port}"
    advice = f"Another program listens on {place}: stop it, or choose another address in POSTROOM_BIND."
    try:
        answer = await house.http.request("self", "GET", f"http://{place}/healthz", timeout=5)
    except PostroomError:
        yield Finding("our port", "ok", "Postroom or nobody", f"nobody at {place}")
        return
    ours = answer.status == 200 and answer.body == OUR_ANSWER
    ailing = answer.status == 503 and answer.headers.get("Content-Type", "").startswith("text/plain")
    if ailing:
        advice = "Restart this process: a part of it hangs."
    said = f"Postroom at {place}" if ours else f"{answer.status} {answer.body[:60].decode(errors='replace').strip()!r}"
    yield judge("our port", "Postroom or nobody", said, advice, good=ours)


async def address(house: House) -> AsyncIterator[Finding]:
    ours = house.settings.outside_url
    simulated = house.settings.graph_base_url.startswith("http://")
    advice = "Set POSTROOM_PUBLIC_URL to the https address that Microsoft and Google reach; else mailboxes are polled."
    good = ours.startswith("https://") or simulated
    yield judge("public address", "https://…", ours, advice, good=good, else_="warning")
    if parts := urlsplit(ours).path.strip("/"):
        advice = "Give POSTROOM_PUBLIC_URL without a path: webhooks and pages are at the root of their host."
        yield Finding("public address", "wrong", "no path", f"/{parts}", advice)
    yield await _reached(house, ours)
    yield await _handshake(house, ours)


async def proxies(house: House) -> AsyncIterator[Finding]:
    """What the web process noted: somebody passes on for others and is not named, so all of them seem to be one."""
    seen: set[str] = set()
    for tenant in await tenants.all_tenants(house.db):
        async with house.scope(tenant.tenant_id, "doctor").read() as tx:
            since = house.clock() - UNNAMED_FOR
            seen.update(await tx.value(UNNAMED_PROXIES, since=since, what=UNNAMED_PROXY) or ())
    unnamed = sorted(peer for peer in seen if not _is_named(peer, house.settings.trusted_proxies))
    advice = (
        f"If it is your proxy, add {', '.join(unnamed)} to POSTROOM_TRUSTED_PROXIES and restart: else all its people "
        "count as one for the limits on sign-in. If not, somebody makes these headers up; nothing believes them."
    )
    said = ", ".join(unnamed) or "none in a week"
    yield judge("proxies that are not named", "none", said, advice, good=not unnamed, else_="warning")


def _is_named(peer: str, named: str) -> bool:
    """Since it was noted, perhaps."""
    known = [each.strip() for each in named.split(",") if each.strip()]
    try:
        return "*" in known or any(ipaddress.ip_address(peer) in ipaddress.ip_network(each) for each in known)
    except ValueError:
        return False


async def _reached(house: House, ours: str) -> Finding:
    advice = "Start `postroom serve`, and let the proxy in front of it pass this address on."
    try:
        answer = await house.http.request("self", "GET", f"{ours}/healthz", timeout=5)
        good, said = (answer.status, answer.body) == (200, OUR_ANSWER), str(answer.status)
        if answer.status == 200 and not good:
            said = "200, but another program's answer"
    except PostroomError as problem:
        good, said = False, str(problem)
    return judge("we reach ourselves", f"200 at {ours}/healthz", said, advice, good=good, else_=_else(house))


async def _handshake(house: House, ours: str) -> Finding:
    """What Microsoft does before it promises to tell us; within ten seconds, or there is no subscription."""
    word = f"doctor-{uuid4().hex}"
    advice = (
        f"Let the proxy pass POST {NOTIFY} on to us, query and all, without a sign-in or a page of its own: Microsoft "
        "makes no subscription before this works."
    )
    try:
        url = f"{ours}{NOTIFY}?validationToken={word}"
        async with asyncio.timeout(10):
            answer = await house.http.request("self", "POST", url, body=b"", timeout=10)
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        good = (answer.status, kind, answer.body) == (200, "text/plain", word.encode())
        said = "echoed" if good else f"{answer.status} {kind}"
    except (PostroomError, TimeoutError) as problem:
        good, said = False, str(problem) or "no answer within 10 s"
    return judge("Microsoft's handshake", "200, the word echoed", said, advice, good=good, else_=_else(house))


def _else(house: House) -> Verdict:
    """An address that was promised to the world and does not answer is wrong; without one, nobody is expected."""
    return "wrong" if house.settings.public_url is not None else "warning"
