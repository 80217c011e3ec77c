"""What happens to webhooks of other systems."""

from __future__ import annotations

from uuid import UUID

from postroom.nouns.facts.base import SilentFact


class WebhookCreated(SilentFact, frozen=True, kw_only=True):
    """Another system wants to hear of events. The address alone is told, not the secret."""

    kind = "webhook.created"
    webhook_id: UUID
    url: str
    events: list[str]


class WebhookChanged(SilentFact, frozen=True, kw_only=True):
    """Paused, resumed, or given a new secret."""

    kind = "webhook.changed"
    webhook_id: UUID
    url: str
    how: str  # paused, resumed, secret_rotated


class WebhookDisabled(SilentFact, frozen=True, kw_only=True):
    """It failed for days, or said that it is gone: nothing is sent to it until a person resumes it."""

    kind = "webhook.disabled"
    webhook_id: UUID
    url: str
    because: str


class WebhookRemoved(SilentFact, frozen=True, kw_only=True):
    kind = "webhook.removed"
    webhook_id: UUID
    url: str


class DeliveryReplayed(SilentFact, frozen=True, kw_only=True):
    """A person wants a webhook to be told an event once more."""

    kind = "webhook.delivery_replayed"
    webhook_id: UUID
    delivery_id: UUID
    event_type: str
