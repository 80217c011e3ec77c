"""Outbox: mails wait for a person's yes to exactly what would go out, and each is sent once.

In: DraftWritten, DraftRestored, DraftEdited, DraftBlocked and DraftEnded; SendingChanged and MailboxSendingSwitched; a
    delivery report that arrives; the clock; a person or a program that proposes; a person who approves, revokes,
    changes, discards or says what became of a send.
Out: ProposalMade, ProposalChanged, ProposalApproved, ProposalRevoked, ProposalVoided, SendBegun, SendGivenBack,
     SendUnknown, SendResolved, ReplySent, ReplyEdited, ReplyDiscarded, MailBounced.
Owns: proposal, proposal_version, approval, written_to.

For other doors: `commands.propose(scope, outside, WantedMail(…))` proposes and never sends; only `commands.approve`, by
a person, lets a mail go.
"""
