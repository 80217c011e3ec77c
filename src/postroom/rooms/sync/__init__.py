"""Sync: from a notification to "this message is ours, once". Cursors, hints, resync, reconcile, coverage.

In: a provider's webhook notification, the clock, MailboxConnected, lifecycle events.
Out: NotificationReceived, MessageArrived, MessageGone, CursorLost, ResyncDone, MailboxReconciled, DeliveryChanged,
     ThreadTouched.
Owns: mailbox_cursor, mailbox_push, notification, hint, thread, message, outgoing_message, coverage, reconcile_run,
      disposition.
"""
