"""The navigation: which pages there are, in three groups. A new page adds one line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A line of the navigation. `need` names the count of open work shown beside it; `key` follows g."""

    path: str
    label: str
    icon: str
    key: str
    need: str = ""


@dataclass(frozen=True, slots=True)
class NavGroup:
    label: str
    entries: tuple[NavEntry, ...]


GROUPS = (
    NavGroup(
        "Work",
        (
            NavEntry("/", "Overview", "home", "o"),
            NavEntry("/inbox", "Inbox", "reply", "i", "threads"),
            NavEntry("/outbox", "Outbox", "send", "x", "proposals"),
            NavEntry("/documents", "Documents", "page", "d", "documents"),
            NavEntry("/clients", "Clients", "people", "c", "clients"),
        ),
    ),
    NavGroup(
        "Books",
        (
            NavEntry("/messages", "Messages", "mail", "m"),
            NavEntry("/accounts", "Accounts", "ledger", "k"),
            NavEntry("/evidence", "Evidence", "clip", "e"),
            NavEntry("/trades", "Trades", "swap", "t"),
            NavEntry("/orders", "Orders", "list", "r"),
            NavEntry("/invoices", "Invoices", "bill", "v"),
            NavEntry("/bookings", "Bookings", "coin", "y"),
        ),
    ),
    NavGroup(
        "House",
        (
            NavEntry("/mailboxes", "Mailboxes", "inbox", "b", "mailboxes"),
            NavEntry("/attempts", "Attempts", "again", "a", "aside"),
            NavEntry("/figures", "Figures", "up", "f"),
            NavEntry("/scorecard", "Scorecard", "check", "q"),
            NavEntry("/audit", "Audit", "seal", "u"),
            NavEntry("/settings", "Settings", "gear", "s"),
        ),
    ),
)
PLACES = tuple(entry for group in GROUPS for entry in group.entries)
