"""Who may come in, and how many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import Recorder
from postroom_simulators.traffic import MailboxTraffic, ProviderTraffic

from .entra import Entra
from .mailbox import SimGraphMailbox
from .request import GraphCaller, GraphError, GraphRequest

_CONCURRENT = 4
_REQUESTS, _WINDOW = 10_000, 600.0
_READS = {"Mail.Read", "Mail.ReadWrite", "Mail.ReadBasic", "Mail.ReadBasic.All", "Mail.Read.All"}
_NEEDS = {
    "read": _READS | {"Mail.Read.Shared", "Mail.ReadWrite.Shared", "Mail.ReadBasic.Shared"},
    "content": {"Mail.Read", "Mail.ReadWrite", "Mail.Read.Shared", "Mail.ReadWrite.Shared"},
    "write": {"Mail.ReadWrite", "Mail.ReadWrite.Shared"},
    "send": {"Mail.Send", "Mail.Send.Shared"},
    "watch": {"Mail.Read", "Mail.ReadBasic", "Mail.ReadBasic.All"},
    "settings": {"MailboxSettings.Read", "MailboxSettings.ReadWrite"},
    "set": {"MailboxSettings.ReadWrite"},
    "person": set[str](),
}
_THROTTLED = {
    "ApplicationThrottled": "Application is over its MailboxConcurrency limit.",
    "TooManyRequests": "Too many requests.",
}


class GraphGate:
    """Tokens, permissions, access policies and the limits per app and mailbox."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder, entra: Entra) -> None:
        self._clock, self._faults, self._recorder, self._entra = clock, faults, recorder, entra
        self.traffic = ProviderTraffic(clock)
        self._counted: dict[tuple[str, str], tuple[float, int]] = {}
        self.find: Callable[[str], SimGraphMailbox | None] = lambda _key: None

    def strike(self, *, throttle: bool = True, unavailable: bool = True) -> None:
        """The faults that hit any request."""
        switches = self._faults.switches
        if throttle and self._faults.strikes(switches.throttle):
            raise GraphError(429, "TooManyRequests", "Too many requests.", self._later())
        if unavailable and self._faults.strikes(switches.unavailable):
            text = "An internal server error occurred. Try again later."
            raise GraphError(503, "ErrorInternalServerTransientError", text, self._later())

    def _later(self) -> dict[str, str]:
        return {"Retry-After": str(self._faults.switches.retry_after)}

    def admit(self, request: GraphRequest) -> GraphCaller:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise GraphError(401, "InvalidAuthenticationToken", "Access token is empty.")
        caller = self._entra.tokens.caller(token.strip())
        if caller is None:
            raise GraphError(
                401,
                "InvalidAuthenticationToken",
                "Lifetime validation failed, the token is expired.",
                {"WWW-Authenticate": 'Bearer realm="", error="invalid_token"'},
            )
        return caller

    def mailbox(self, key: str, caller: GraphCaller, need: str) -> SimGraphMailbox:
        """The mailbox meant by `me`, an id or an address, if this caller may use it so."""
        if key == "me" and caller.app_only:
            raise GraphError(400, "BadRequest", "/me request is only valid with delegated authentication flow.")
        mailbox = self.find(caller.address if key == "me" else key)
        if mailbox is None:
            raise GraphError(404, "ErrorInvalidUser", f"The requested user '{key}' is invalid.")
        self._check(mailbox, caller, need)
        return mailbox

    def _check(self, mailbox: SimGraphMailbox, caller: GraphCaller, need: str) -> None:
        wanted = _NEEDS[need]
        if wanted and not wanted & caller.scopes:
            raise _denied()
        own = caller.app_only or mailbox.address.lower() == caller.address.lower()
        if not own and not any(one.endswith(".Shared") for one in wanted & caller.scopes):
            raise _denied()
        policy = self._entra.apps.get(caller.app)
        if caller.app_only and policy and policy.only is not None and mailbox.address.lower() not in policy.only:
            text = "[RAOP] : Blocked by tenant configured AppOnly AccessPolicy settings."
            raise GraphError(403, "ErrorAccessDenied", f"Access to OData is disabled: {text}")

    @contextmanager
    def inside(self, caller: GraphCaller, mailbox: SimGraphMailbox) -> Iterator[None]:
        """Count the request; too many at once or in ten minutes are refused, and count all the same."""
        traffic = self.traffic.of(caller.app, mailbox.address)
        with traffic.under_way():
            self._count((caller.app, mailbox.guid), mailbox, traffic)
            if traffic.waits():
                raise self._told_to_wait(traffic)
            if traffic.in_flight > _CONCURRENT:
                self._recorder.mistake(f"{mailbox.address}: more than {_CONCURRENT} requests at a time")
                raise self.throttled(traffic, "ApplicationThrottled")
            if self._faults.strikes(self._faults.switches.throttle):
                raise self.throttled(traffic, "TooManyRequests")
            yield

    def throttled(self, traffic: MailboxTraffic, code: str) -> GraphError:
        """From now on the mailbox is refused to this application, until the time that the answer names."""
        traffic.throttle(self._clock.time() + self._faults.switches.retry_after, code)
        return self._told_to_wait(traffic)

    def _told_to_wait(self, traffic: MailboxTraffic) -> GraphError:
        unnamed = self._faults.switches.unnamed_wait
        left = traffic.refused(named_a_time=not unnamed)
        headers = {} if unnamed else {"Retry-After": str(left)}
        return GraphError(429, traffic.reason, _THROTTLED[traffic.reason], headers)

    def _count(self, key: tuple[str, str], mailbox: SimGraphMailbox, traffic: MailboxTraffic) -> None:
        now = self._clock.time()
        since, times = self._counted.get(key, (now, 0))
        if now - since >= _WINDOW:
            since, times = now, 0
        self._counted[key] = (since, times + 1)
        if times == _REQUESTS:
            self._recorder.mistake(f"{mailbox.address}: more than {_REQUESTS} requests in ten minutes")
        if times >= _REQUESTS and now >= traffic.wait_till:
            traffic.throttle(since + _WINDOW, "TooManyRequests")
            raise self._told_to_wait(traffic)


def _denied() -> GraphError:
    return GraphError(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
