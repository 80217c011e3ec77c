"""What people and programs may do about mails that wait to be sent."""

from postroom.rooms.outbox.commands.deciding import approve, discard, look_again, resolve, revoke
from postroom.rooms.outbox.commands.looking import (
    HeaderLine,
    ProposalPreview,
    list_proposals,
    one_proposal,
    preview,
)
from postroom.rooms.outbox.commands.proposing import MailChanges, WantedFile, WantedMail, propose, revise
from postroom.rooms.outbox.store.approvals import ApprovalRow
from postroom.rooms.outbox.store.proposals import MailProposal

__all__ = [
    "ApprovalRow",
    "HeaderLine",
    "MailChanges",
    "MailProposal",
    "ProposalPreview",
    "WantedFile",
    "WantedMail",
    "approve",
    "discard",
    "list_proposals",
    "look_again",
    "one_proposal",
    "preview",
    "propose",
    "resolve",
    "revise",
    "revoke",
]
