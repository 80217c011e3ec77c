"""From "something changed" to "this message is ours, once": cursors, hints, resync, coverage.

In: a provider's bell, the clock, MailboxConnected, lifecycle events.
Out: MailboxNudged, MessageArrived, MessageGone, CursorLost, ResyncDone, MailboxReconciled, DeliveryChanged.
Owns: mailbox_cursor, mailbox_pulse, ring, hint, thread, message, coverage, audit_run, disposition.
"""
