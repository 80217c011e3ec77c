"""Mailboxes: our right to each, the provider's promise to tell us, and how both are doing.

In: a person who connects, tends or disconnects; the clock; a provider's lifecycle events.
Out: MailboxConnected, MailboxDisconnected, MailboxPaused, MailboxResumed, MailboxRulesChanged, MailboxFolderChanged,
MailboxNeedsPerson, WatchKept, WatchNoticed, SecurityNoted.
Owns: mailbox, mailbox_token, consent, graph_subscription_state, gmail_watch_state.
"""
