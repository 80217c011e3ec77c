"""What goes wrong, how often, and from which seed: switchable at run time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

from postroom_simulators.planned_faults import FaultKind, PlannedFault, PlannedFaults


@dataclass(slots=True)
class FaultSwitches:
    """Chances are between 0 and 1, times are in seconds. All off by default: the documented behaviour."""

    duplicate: float = 0.0  # a push is delivered twice
    reorder: float = 0.0  # a push is held back until a later one has gone out
    drop: float = 0.0  # a push is never delivered
    delay: float = 0.0  # every push waits this long
    unreadable_for: float = 0.0  # a new message answers 404 for this long after its push
    null_client_state: float = 0.0  # Graph delivers clientState: null
    missed: float = 0.0  # Graph sends `missed` to the lifecycle URL instead of the push
    lifecycle_at_notification_url: float = 0.0  # Graph sends a lifecycle item where notifications go
    throttle: float = 0.0  # 429 (Gmail: 403 and 429 in turn); the whole mailbox has to wait then
    retry_after: int = 1  # what a throttled answer asks for
    unnamed_wait: bool = False  # a throttled answer of Graph's does not say for how long
    unavailable: float = 0.0  # 503
    reset: float = 0.0  # the connection breaks in the middle of the body
    slow: float = 0.0  # every answer waits this long
    history_lag: float = 0.0  # Gmail's history shows a record only after this long
    history_shuffled: bool = False  # Gmail's history is not in order
    repeat_in_delta: float = 0.0  # Graph delta names a message again
    empty_page: float = 0.0  # Graph delta puts an empty page in between
    skiptoken_delta_link: float = 0.0  # Graph's deltaLink carries $skiptoken
    delta_misses_return: bool = False  # Graph delta with immutable ids is silent on mail that left and came back
    extra_updates: float = 0.0  # Graph follows a `created` with an unexplained `updated`
    odd_resource: float = 0.0  # Graph writes `users/{guid}@{tenant}/messages/{id}` in a notification
    organization_id: float = 0.0  # Graph's lifecycle item in the form seen live, not the documented one
    reauthorize_before: float = 0.0  # Graph asks for reauthorization this long before a subscription ends
    sent_lag: float = 0.0  # Graph keeps a sent message in the Outbox for this long
    validate_on_renew: bool = True  # Graph runs the handshake on PATCH and reauthorize too
    batch_parallel: int = 4  # how many requests of a `$batch` Graph runs at a time; 20 is how it once was
    keep_comments: bool = False  # Outlook gives HTML comments back as they were written
    refuse_draft_fields: bool = False  # Graph answers 403 to draft-only fields on received mail (from 2026-12-31)
    pubsub_number_history_id: bool = True  # live payloads carry a number, the guide shows a string
    one_push_a_second: bool = True  # Gmail drops what exceeds one notification a second and mailbox
    wrong_audience: float = 0.0  # Pub/Sub signs a push for another audience
    wrong_email: float = 0.0  # Pub/Sub signs a push as another service account
    expired_token: float = 0.0  # Pub/Sub signs a push with a token of yesterday
    new_message_id: bool = True  # Gmail replaces the Message-ID of what its API sends (seen live)
    new_draft_id: float = 0.0  # an edit in Gmail's web page gives the draft another id, not only another message
    token_life: int = 3599  # seconds that a new access token lives, at Entra and at Google
    testing_app: bool = False  # Google refresh tokens die after 7 days (publishing status "Testing")
    auto_consent: bool = False  # Google's sign-in page says yes at once for a known login_hint


class Faults:
    """The switches, one seeded source of chance for all of them, and the faults that were planned."""

    def __init__(self, seed: int = 0) -> None:
        self.switches = FaultSwitches()
        self.planned = PlannedFaults()
        self._chance = random.Random(seed)

    def strikes(self, chance: float) -> bool:
        return chance > 0 and self._chance.random() < chance

    def pick(self, upper: int) -> int:
        return self._chance.randrange(upper)

    def turn(self, **settings: Any) -> FaultSwitches:
        """Set some switches; an unknown name or a wrong type is refused and nothing is changed."""
        kinds = {field.name: type(getattr(self.switches, field.name)) for field in fields(FaultSwitches)}
        for name, value in settings.items():
            if name not in kinds:
                raise ValueError(f"Unknown fault {name!r}; known are {', '.join(sorted(kinds))}.")
            if not isinstance(value, int | float):
                raise ValueError(f"Fault {name!r} wants a {kinds[name].__name__}, not {value!r}.")
        for name, value in settings.items():
            setattr(self.switches, name, kinds[name](value))
        return self.switches

    def plan(
        self,
        operation: str,
        kind: FaultKind,
        *,
        times: int = 1,
        mailbox: str = "",
        seconds: float = 0.0,
        act: Callable[[], object] | None = None,
    ) -> PlannedFault:
        """The next `times` requests of this operation fail in this way; `hits` of the answer counts them."""
        return self.planned.add(PlannedFault(operation, kind, times, mailbox, seconds, act))

    def reset(self, seed: int | None = None) -> None:
        self.switches = FaultSwitches()
        self.planned.clear()
        if seed is not None:
            self._chance = random.Random(seed)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self.switches)
