"""What this room asks of the outside."""

from __future__ import annotations

from typing import Protocol

from postroom.ports import Sealing, WebhookPost


class SubscriberPorts(Protocol):
    """What the jobs of this room find in `work.outside`."""

    @property
    def webhooks(self) -> WebhookPost: ...

    @property
    def sealer(self) -> Sealing: ...


def about_secret(tenant_id: object, webhook_id: object) -> str:
    return f"{tenant_id}/webhook/{webhook_id}"
