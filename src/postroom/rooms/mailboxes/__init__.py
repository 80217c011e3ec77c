"""Mailboxes: connections, tokens, subscriptions and watches, and the health of each.

In: a person who connects, tends or disconnects; the clock; a provider's lifecycle events.
Out: MailboxConnected, MailboxDisconnected, MailboxPaused, MailboxResumed, MailboxRulesChanged, ConfirmingSwitched,
MailboxFolderChanged, MailboxSendingSwitched, MailboxNeedsPerson, MailboxOutage, MailboxAttention,
WatchKept, WatchNoticed, SecurityNoted.
Owns: mailbox, mailbox_token, consent, graph_subscription_state, gmail_watch_state.
"""
