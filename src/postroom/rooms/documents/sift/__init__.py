"""What is worth keeping: of a mail's attachments, of a mailbox's mails. Pure: values in, verdicts out."""

from postroom.rooms.documents.sift.attachments import Dropped, Kept, Sifted, sift, worth_keeping
from postroom.rooms.documents.sift.automatic import automatic
from postroom.rooms.documents.sift.relevance import Verdict, worth_reading
from postroom.rooms.documents.sift.rules import MailboxRules, mailbox_rules
from postroom.rooms.documents.sift.trust import trust

__all__ = [
    "Dropped",
    "Kept",
    "MailboxRules",
    "Sifted",
    "Verdict",
    "automatic",
    "mailbox_rules",
    "sift",
    "trust",
    "worth_keeping",
    "worth_reading",
]
