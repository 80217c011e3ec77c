"""What people do about mailboxes: connect, tend, disconnect. API, console and command line all come here."""

from postroom.rooms.mailboxes.commands.connecting import connect_configured, connect_granted, connect_imap
from postroom.rooms.mailboxes.commands.consenting import (
    Finished,
    Opened,
    Started,
    finish_connect,
    give_up_connect,
    open_ticket,
    start_connect,
)
from postroom.rooms.mailboxes.commands.finding import find, mailbox_called
from postroom.rooms.mailboxes.commands.tending import (
    disconnect,
    pause,
    resume,
    set_confirming,
    set_copilot,
    set_folder,
    set_operators,
    set_rules,
    set_sending,
)
from postroom.rooms.mailboxes.ports import MailboxPorts

__all__ = [
    "Finished",
    "MailboxPorts",
    "Opened",
    "Started",
    "connect_configured",
    "connect_granted",
    "connect_imap",
    "disconnect",
    "find",
    "finish_connect",
    "give_up_connect",
    "mailbox_called",
    "open_ticket",
    "pause",
    "resume",
    "set_confirming",
    "set_copilot",
    "set_folder",
    "set_operators",
    "set_rules",
    "set_sending",
    "start_connect",
]
