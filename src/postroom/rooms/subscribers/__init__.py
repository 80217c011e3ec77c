"""Subscribers: other systems hear of events, by signed webhooks or over a stream.

In: every fact, through the feed; a person who adds, tests, pauses, replays or removes.
Out: WebhookCreated, WebhookChanged, WebhookDisabled, WebhookRemoved, DeliveryReplayed, Forgotten.
Owns: webhook, event_cursor, event, delivery.
"""
