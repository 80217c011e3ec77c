"""Webhooks: other systems hear of events; every delivery can be looked at and sent again."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Request
from pydantic import ConfigDict, Field
from starlette.responses import Response

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_id, page
from postroom.doors.api.route import Admin, Operator, Reader, collection
from postroom.rooms.subscribers import commands, store
from postroom.rooms.subscribers.rules.events import EVENT_TYPES, EventType

router = collection("webhooks")
WebhookStatus = Literal["active", "paused", "disabled"]
DeliveryStatus = Literal["waiting", "delivered", "given_up"]


class WebhookOut(OutBody):
    """An endpoint and how it does; never its secret."""

    id: UUID
    url: str
    description: str
    events: list[str] = Field(description="The types it is told of; none means all.")
    status: WebhookStatus
    because: str | None = Field(description="Why it is disabled.")
    waiting: int = Field(description="Deliveries that are not through yet.")
    failures: int = Field(description="In a row.")
    failing_since: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    last_error: str | None
    old_secret_till: datetime | None = Field(description="Until then deliveries are signed with the old secret too.")
    created_by: str
    created_at: datetime


class WebhookIn(InBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"url": "https://hooks.example.org/postroom", "events": ["mail.draft.created"]}]
        },
    )

    url: str = Field(min_length=8, max_length=commands.LONGEST_URL, pattern=NO_NUL, description="Public, over HTTPS.")
    events: list[EventType] = Field(default=[], max_length=len(EVENT_TYPES), description="None means all.")
    description: str = Field(default="", max_length=commands.LONGEST_DESCRIPTION, pattern=NO_NUL)


class MadeWebhookOut(WebhookOut):
    secret: str = Field(description="Shown now and never again.", examples=["whsec_…"])


class WebhookSecretOut(OutBody):
    secret: str = Field(description="Shown now and never again.", examples=["whsec_…"])
    old_secret_till: datetime | None


class DeliveryOut(OutBody):
    """An event on its way to a webhook."""

    id: UUID
    webhook_id: UUID
    webhook_message_id: str = Field(description="The header `webhook-id`: the same at every try and every replay.")
    type: str
    status: DeliveryStatus
    tries: int
    next_at: datetime | None = Field(description="When it is tried again.")
    answer: int | None = Field(description="The status of the last answer.")
    error: str | None
    milliseconds: int | None
    replay_of: UUID | None
    mailbox_id: UUID | None
    message_id: UUID | None
    created_at: datetime
    tried_at: datetime | None
    payload: dict[str, Any]


@router.get("/webhooks", summary="List webhooks, newest first")
async def list_webhooks(who: Reader, limit: Limit = 50, cursor: Cursor = None) -> PageOut[WebhookOut]:
    before = by_id(cursor)
    known = await commands.webhooks(who.scope)
    rows = [each for each in reversed(known) if before is None or each.id < before]
    return page(rows, limit, WebhookOut.model_validate, lambda row: (row.id,))


@router.post("/webhooks", summary="Add a webhook", status_code=201)
async def create_webhook(body: WebhookIn, request: Request, who: Admin) -> MadeWebhookOut:
    """It is told of what happens from now on. Deliveries are signed as Standard Webhooks has it."""
    outside = request.app.state.house.outside
    about = (body.url, body.events, body.description)
    made, secret = await commands.create_webhook(who.scope, outside.sealer, outside.webhooks, *about)
    return MadeWebhookOut(**WebhookOut.model_validate(made).model_dump(), secret=secret.reveal())


@router.get("/webhooks/{webhook_id}", summary="Look at a webhook")
async def read_webhook(webhook_id: UUID, who: Reader) -> WebhookOut:
    return WebhookOut.model_validate(await commands.webhook(who.scope, webhook_id))


@router.delete("/webhooks/{webhook_id}", summary="Remove a webhook", status_code=204, response_class=Response)
async def remove_webhook(webhook_id: UUID, who: Admin) -> Response:
    """With its deliveries; what waits is not sent any more."""
    await commands.remove_webhook(who.scope, webhook_id)
    return Response(status_code=204)


@router.post("/webhooks/{webhook_id}/pause", summary="Pause a webhook")
async def pause_webhook(webhook_id: UUID, who: Operator) -> WebhookOut:
    """What happens meanwhile waits for it."""
    return WebhookOut.model_validate(await commands.pause_webhook(who.scope, webhook_id))


@router.post("/webhooks/{webhook_id}/resume", summary="Resume a webhook")
async def resume_webhook(webhook_id: UUID, who: Operator) -> WebhookOut:
    """Also one that was disabled. What waits is sent now."""
    return WebhookOut.model_validate(await commands.resume_webhook(who.scope, webhook_id))


@router.post("/webhooks/{webhook_id}/rotate", summary="Give a webhook a new secret")
async def rotate_secret(webhook_id: UUID, request: Request, who: Admin) -> WebhookSecretOut:
    """For a day deliveries carry signatures of both."""
    secret = await commands.rotate_secret(who.scope, request.app.state.house.outside.sealer, webhook_id)
    held = await commands.webhook(who.scope, webhook_id)
    return WebhookSecretOut(secret=secret.reveal(), old_secret_till=held.old_secret_till)


@router.post("/webhooks/{webhook_id}/test", summary="Send a test event", status_code=202)
async def send_test(webhook_id: UUID, who: Operator) -> DeliveryOut:
    """An event of the type `webhook.test`, on the way that all take. Look at the delivery for how it went."""
    return delivery_of(await commands.send_test(who.scope, webhook_id))


@router.get("/webhooks/{webhook_id}/deliveries", summary="List deliveries, newest first")
async def list_deliveries(
    webhook_id: UUID,
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Annotated[DeliveryStatus | None, Query(description="Only these.")] = None,
) -> PageOut[DeliveryOut]:
    rows = await commands.deliveries(who.scope, webhook_id, before=by_id(cursor), status=status, most=limit + 1)
    return page(rows, limit, delivery_of, lambda row: (row.id,))


@router.post("/deliveries/{delivery_id}/replay", summary="Send an event again", status_code=202)
async def replay(delivery_id: UUID, who: Operator) -> DeliveryOut:
    """With the same `webhook-id`, so that a receiver knows what it has seen."""
    return delivery_of(await commands.replay(who.scope, delivery_id))


def delivery_of(row: store.Delivery) -> DeliveryOut:
    said = {name: getattr(row, name) for name in DeliveryOut.model_fields if hasattr(row, name)}
    said["next_at"] = row.next_at if row.status == "waiting" else None
    return DeliveryOut(**said, webhook_message_id=f"evt_{row.event_id}")
