"""When an approved mail goes out: after the undo delay, inside the send window, before the approval expires."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from postroom.nouns.sending import WEEKDAYS, SendingPolicy, SendWindow, zone_of

_LOOK_AHEAD_DAYS = 8  # a window opens on at least one day of the week


def send_at(policy: SendingPolicy, approved_at: datetime) -> datetime:
    """The first moment at which it may go out."""
    return next_open(policy.window, approved_at + timedelta(seconds=policy.undo_seconds))


def next_open(window: SendWindow | None, at: datetime) -> datetime:
    """`at` itself while the window is open, else the next moment at which it opens."""
    if window is None:
        return at
    here = at.astimezone(zone_of(window.zone)).date()
    opening = []
    for day in (here + timedelta(days=number) for number in range(-1, _LOOK_AHEAD_DAYS + 1)):
        if WEEKDAYS[day.weekday()] in window.days:
            opens, closes = _opening(window, day)
            if opens <= at < closes:
                return at
            opening.append(opens)
    return min(each for each in opening if each > at)


def _opening(window: SendWindow, day: date) -> tuple[datetime, datetime]:
    zone = zone_of(window.zone)
    last = day if window.closes > window.opens else day + timedelta(days=1)
    opens, closes = (datetime.combine(on, at, zone) for on, at in ((day, window.opens), (last, window.closes)))
    return opens.astimezone(UTC), closes.astimezone(UTC)


def approval_expires(policy: SendingPolicy, approved_at: datetime) -> datetime:
    return approved_at + timedelta(hours=policy.approval_hours)


def proposal_expires(policy: SendingPolicy, proposed_at: datetime) -> datetime:
    return proposed_at + timedelta(days=policy.proposal_days)
