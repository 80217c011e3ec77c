"""What a subscription's state, a lifecycle event and an error mean for a mailbox."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from postroom.nouns.copilot import CopilotMode
from postroom.nouns.errors import AccessRevoked, BadRequest, Conflict
from postroom.nouns.ids import TenantId
from postroom.nouns.provider_traits import TRAITS, traits
from postroom.nouns.providers import CAPABILITIES, SERVED_ONLY, Capability, ProviderName, WatchedFolder
from postroom.nouns.secrets import Secret

Status = Literal["active", "token_refresh_failed", "subscription_expired", "provider_error", "paused", "disconnected"]
SECURITIES = ("tls", "starttls", "plain")
RENEW_WITHIN = timedelta(hours=24)
LEAVE_ALONE = timedelta(minutes=10)
CONSENT_LASTS = timedelta(minutes=15)
FORSAKEN_AFTER = timedelta(days=1)
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
SUBSCRIPTIONS_KEPT = timedelta(days=90)  # late notifications of an old one still find their mailbox


@dataclass(frozen=True, slots=True)
class Pkce:
    """A secret of ours, and what may be shown of it."""

    verifier: Secret
    challenge: str


@dataclass(frozen=True, slots=True)
class Browser:
    """Who is in front of us while connecting: what their browser holds, and who is signed in there, if anybody."""

    secret: Secret | None
    actor: str | None
    tenant_id: TenantId | None
    source: str


def make_pkce() -> Pkce:
    verifier = Secret(secrets.token_urlsafe(64))
    return Pkce(verifier, challenge_of(verifier))


def challenge_of(verifier: Secret) -> str:
    digest = hashlib.sha256(verifier.reveal().encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def wrong_hands(started_by: str, tenant_id: TenantId, bound: bytes | None, browser: Browser) -> str | None:
    """Why a consent may not be finished here: else anybody could slip their mailbox to us, or ours to them."""
    if not state_matches(browser.secret, bound):
        return "the sign-in came back in another browser than it was started in"
    if browser.tenant_id is not None and browser.tenant_id != tenant_id:
        return "the sign-in was started for another tenant"
    if started_by.startswith("person:") and browser.actor is None:
        return "the person who started the sign-in is not signed in here any more"
    if started_by.startswith("person:") and browser.actor != started_by:
        return "the sign-in was started by another person"
    return None


def ticket_url(redirect_uri: str, ticket: Secret) -> str:
    """Beside the address that people come back to."""
    return f"{redirect_uri.removesuffix('/callback')}/authorize?ticket={ticket.reveal()}"


def check_wish(provider: ProviderName, address: str | None, *, shared: bool) -> None:
    if shared and not traits(provider).has_shared_mailboxes:
        raise BadRequest(f"{traits(provider).title} has no shared mailboxes to read: connect the account itself.")
    if shared and not address:
        raise BadRequest("Say which shared mailbox: give its address.")
    if address is not None and not is_address(address):
        raise BadRequest(f"{address!r} is not a mail address.")


def is_address(text: str) -> bool:
    return len(text) <= 320 and text.isprintable() and re.fullmatch(r"[^@\s]+@[^@\s]+", text) is not None


def check_imap(address: str, host: str, port: int, security: str, folder: str) -> None:
    """What a person typed, before anybody is asked."""
    if not is_address(address):
        raise BadRequest(f"{address!r} is not a mail address.")
    if not re.fullmatch(r"[A-Za-z0-9.:_-]{1,253}", host):
        raise BadRequest(f"{host!r} is not a host: write its name alone, such as imap.example.org.")
    if not 1 <= port <= 65535:
        raise BadRequest(f"{port} is not a port: 993 is usual for tls, 143 for starttls.")
    if security not in SECURITIES:
        raise BadRequest(f"{security!r} is not known: choose {', '.join(SECURITIES)}.")
    clean_folder(folder, "imap")


def clean_folder(folder: str, provider: ProviderName) -> str:
    """A folder's name as the provider wants it, or what is wrong with it."""
    name = folder.strip().strip("/") if traits(provider).folders_join_with_slash else folder.strip()
    if not traits(provider).serves_any_folder:
        able = " and ".join(each.title for each in TRAITS.values() if each.serves_any_folder)
        raise BadRequest(f"Only {able} mailboxes serve a folder of choice; {traits(provider).title} serves the inbox.")
    if not name or len(name) > 500 or not name.isprintable():
        raise BadRequest("Name the folder as the mail program shows it, inner folders after a slash.")
    return name


def require_connected(address: str, status: Status) -> None:
    if status == "disconnected":
        raise Conflict(f"{address} is disconnected: connect it again.")


def require_access(address: str, status: Status, because: str | None) -> None:
    """What a person has to allow anew does not go on by itself."""
    if status == "token_refresh_failed":
        raise Conflict(
            f"{address} is not paused, it needs you: {because or status} Put that right; then reconnect it in the "
            "console, or start Postroom anew if the settings name it."
        )


def make_client_state(configured: Secret | None) -> Secret:
    """256 random bits, or the one that was configured for the app-only mailbox."""
    return configured or Secret(secrets.token_urlsafe(48))


def digest_state(state: Secret) -> bytes:
    """What we keep: enough to recognise it, too little to know it."""
    return hashlib.sha256(state.reveal().encode()).digest()


def state_matches(said: Secret | None, digest: bytes | None) -> bool:
    """In constant time. Nothing said, or nothing known, never matches."""
    if said is None or digest is None:
        return False
    return hmac.compare_digest(digest_state(said), bytes(digest))


def make_url_key() -> Secret:
    """A second secret of a subscription, in the URLs that the provider calls: it comes back with every notification."""
    return Secret(secrets.token_urlsafe(32))


def with_key(url: str, key: Secret) -> str:
    return f"{url}?key={key.reveal()}" if url else ""


def without_key(url: str) -> str:
    return url.partition("?")[0]


def is_genuine(said: Secret | None, key: Secret | None, state: bytes | None, keys: Sequence[bytes]) -> bool:
    """By its clientState. Some tenants deliver null although it was set: then by the key in the URL alone.

    A clientState that is said and wrong is never taken, whatever the URL.
    """
    if said is not None:
        return state_matches(said, state)
    return any([state_matches(key, digest) for digest in keys])  # noqa: C419 - all are compared, however the first ends


def needed_capability(copilot: CopilotMode, *, sends: bool) -> Capability:
    """What is switched on at a mailbox needs this right, and no more is asked for; `sends`: the tenant sends."""
    if copilot == "off":
        return "read"
    return "send" if copilot == "drafts" and sends else "draft"


def widest(*capabilities: Capability) -> Capability:
    return max(capabilities, key=CAPABILITIES.index)


def lacks_right(access: str, copilot: CopilotMode, granted: Capability, *, sends: bool) -> bool:
    """Whether a person has to allow more before what is switched on can work."""
    needed = needed_capability(copilot, sends=sends)
    return access == "delegated" and CAPABILITIES.index(granted) < CAPABILITIES.index(needed)


MISSING_RIGHT = (
    "The copilot is switched on, and its labels, drafts or sends need a right that was not granted. Reconnect the "
    "mailbox and allow it; until then only that work waits."
)


def concerns_reading(job_kind: str) -> bool:
    """Whether the mailbox itself is in trouble when this may not be done; else only that work is."""
    return job_kind.startswith(("sync.", "mailboxes.", "documents."))


def status_after(code: str) -> Status:
    """How a mailbox stands when its provider wants a person."""
    return "token_refresh_failed" if code == AccessRevoked.code else "provider_error"


OUTAGE_SECONDS = 30  # the retries of a job take so long: then we say that the provider does not answer
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOST_WAITING_SECONDS = 600.0  # of an hour
MOST_LOST_CURSORS = 3  # in a day


def throttling(seconds: float) -> str:
    return (
        f"The provider made us wait for {seconds / 60:.0f} minutes within an hour. Look for other programs that read "
        "this mailbox with the same application, or ask the provider for a higher limit."
    )


def lost_cursors(times: float) -> str:
    return (
        f"The provider forgot our place in this mailbox {times:.0f} times within a day, and everything was listed anew "
        "each time. Look whether the folder is moved or restored again and again."
    )


def goes_on(status: Status) -> bool:
    """Whether a mailbox that is named once more needs no new start: it works, or a person paused it."""
    return status in {"active", "subscription_expired", "paused"}


def is_own_page(path: str) -> bool:
    """Whether a browser sent there stays with us: it reads a backslash as a slash, and drops what it cannot see."""
    return path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path


def watches(provider: ProviderName, copilot: CopilotMode) -> list[tuple[WatchedFolder, ...]]:
    """Which folders each watch of a mailbox tells of. What people send and write is followed for the copilot alone."""
    wanted: tuple[WatchedFolder, ...] = SERVED_ONLY if copilot == "off" else ("served", "sent", "drafts")
    return [(each,) for each in wanted] if traits(provider).watches_folders_apart else [wanted]


def due(expires_at: datetime | None, now: datetime) -> bool:
    """Whether a watch wants to be renewed, or made."""
    return expires_at is None or expires_at - now < RENEW_WITHIN


def outlived_by_grant(renewed_at: datetime | None, connected_at: datetime) -> bool:
    """A watch lives by the grant it was made with; after a reconnect it is silent until the new one renews it."""
    return renewed_at is not None and renewed_at < connected_at


def touched_lately(renewed_at: datetime | None, now: datetime) -> bool:
    """Graph asks for reauthorization several times; twice within ten minutes may confuse it."""
    return renewed_at is not None and now - renewed_at < LEAVE_ALONE


def same_mailbox(asked: str | None, granted: str) -> None:
    """A cookie may have picked another account than the person meant."""
    if asked and asked.lower() != granted.lower():
        raise BadRequest(
            f"You asked to connect {asked}, but signed in as {granted}. Sign out there, and connect again as {asked}."
        )


def require_copilot(provider: ProviderName, copilot: CopilotMode) -> None:
    if copilot == "off" or "draft" in traits(provider).capabilities:
        return
    able = " and ".join(each.title for each in TRAITS.values() if "draft" in each.capabilities)
    raise BadRequest(f"The copilot works in {able} mailboxes; this one can only be read.")


def clean_operators(wanted: Sequence[str]) -> list[str]:
    """Lower case, each once, in order."""
    addresses = [each.strip().lower() for each in wanted if each.strip()]
    for each in addresses:
        if not _ADDRESS.fullmatch(each):
            raise BadRequest(f"{each!r} is no mail address.")
    return list(dict.fromkeys(addresses))
