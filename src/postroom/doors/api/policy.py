"""The policy: what a tenant decides for itself in every room, seen together and changed in one commit."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from decimal import Decimal
from typing import Annotated, Any

from fastapi import Header, Query, Response
from pydantic import ConfigDict, Field

from postroom import reads
from postroom.doors.api.drafts import ReplyPolicyIn, ReplyPolicyOut, reply_changes, reply_policy_of
from postroom.doors.api.mappings import MappingPolicyIn, MappingPolicyOut
from postroom.doors.api.paging import NO_NUL, InBody, OutBody
from postroom.doors.api.problems import PreconditionFailed
from postroom.doors.api.route import Admin, Reader, collection
from postroom.doors.api.scorecard import ThresholdEffectOut
from postroom.doors.api.settings import RetentionBody
from postroom.doors.entry import Caller
from postroom.nouns.errors import StaleRevision
from postroom.nouns.sending import SecondPersonRule, SendingPolicy, SendingSwitch, SendWindow, Weekday
from postroom.rooms.clients.commands import adjusted_policy, policy_values
from postroom.rooms.policy import WholePolicy, change_tenant_policy, tenant_policy, would_be

router = collection("policy")
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=200,
        description="The `ETag` of the policy that you looked at. Is it another one by now: 412, and nothing changes.",
    ),
]


class DocumentsPolicyOut(OutBody):
    """When a reading is booked without a person."""

    sure_enough: float = Field(ge=0, le=1, description="Documents read with less confidence than this go to a person.")
    require_order: bool | None = Field(
        description="A contract note with no order that fits goes to a person; null: as soon as orders are kept."
    )


class DocumentsPolicyIn(InBody):
    sure_enough: float = Field(0.0, ge=0, le=1)
    require_order: bool | None = None


class SendWindowBody(InBody):
    """When mail may go out. A window that closes before it opens goes over midnight."""

    days: list[Weekday] = Field(min_length=1, max_length=7, description="On which it opens.")
    opens: time = Field(examples=["08:00"])
    closes: time = Field(examples=["18:00"])
    zone: str = Field("UTC", max_length=100, pattern=NO_NUL, examples=["Europe/Berlin"])


class SendingRulesBody(InBody):
    """What holds while sending is on."""

    undo_seconds: int = Field(5, ge=0, le=3_600, description="Between a person's yes and the send.")
    approval_hours: int = Field(72, ge=1, le=720, description="Then an approval is void.")
    proposal_days: int = Field(14, ge=1, le=365, description="Then a proposal that nobody decided is void.")
    window: SendWindowBody | None = Field(None, description="Null: at any time.")
    second_person: list[SecondPersonRule] = Field(
        default_factory=list, max_length=3, description="What wants a second person's yes."
    )
    second_person_amount: Decimal | None = Field(
        None, ge=0, max_digits=15, description="From this amount on a second person must agree, whatever the currency."
    )
    per_thread_hour: int = Field(5, ge=1, le=100, description="Mails in a thread within an hour.")
    per_mailbox_hour: int = Field(100, ge=1, le=10_000, description="Mails from a mailbox within an hour.")


class PolicyOut(OutBody):
    """All of it. `version` changes with anything in it, and is the `ETag` too."""

    version: str
    sending: SendingSwitch = Field(description="Off: nothing is sent, whatever was approved.")
    sending_rules: SendingRulesBody
    documents: DocumentsPolicyOut
    mapping: MappingPolicyOut
    retention: RetentionBody
    replies: ReplyPolicyOut


class PolicyPreviewOut(PolicyOut):
    """The policy as it would be; nothing was kept, and `version` is that of the policy as it is."""

    effect: ThresholdEffectOut = Field(description="What `sure_enough` would have changed in the last 90 days.")


class PolicyIn(InBody):
    """What is left out stays as it is, in the parts too."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"sending": "on"}, {"mapping": {"threshold": "0.90"}, "retention": {"messages": 365}}]
        },
    )

    sending: SendingSwitch | None = None
    sending_rules: SendingRulesBody = Field(default_factory=SendingRulesBody)
    documents: DocumentsPolicyIn = Field(default_factory=DocumentsPolicyIn)
    mapping: MappingPolicyIn = Field(default_factory=MappingPolicyIn)
    retention: RetentionBody = Field(default_factory=RetentionBody)
    replies: ReplyPolicyIn = Field(default_factory=ReplyPolicyIn)


@router.get("/policy", summary="What the tenant decides for itself")
async def get_policy(who: Reader, response: Response) -> PolicyOut:
    return _shown(await tenant_policy(who.scope), response)


@router.patch("/policy", summary="Decide something else: all of what is sent, or nothing")
async def change_policy(
    body: PolicyIn,
    who: Admin,
    response: Response,
    *,
    if_match: IfMatch = None,
    dry_run: Annotated[bool, Query(description="Keep nothing; only say what would be.")] = False,
) -> PolicyPreviewOut | PolicyOut:
    """Each part that changes tells its own fact. Without `If-Match` what is sent counts, whatever stood there."""
    said = body.model_dump(exclude_unset=True)
    seen = None if if_match in (None, "*") else _tag(if_match or "")
    try:
        if dry_run:
            held = await tenant_policy(who.scope)
            return await _preview(who, held, would_be(held, lambda held: _changed(held, said), seen), response)
        return _shown(await change_tenant_policy(who.scope, lambda held: _changed(held, said), seen), response)
    except StaleRevision as stale:
        raise PreconditionFailed(str(stale)) from None


async def _preview(who: Caller, held: WholePolicy, wanted: WholePolicy, response: Response) -> PolicyPreviewOut:
    before, after = held.documents.sure_enough, wanted.documents.sure_enough
    async with who.scope.read() as tx:
        effect = await reads.scorecard.threshold_effect(tx, before, after, who.scope.now)
    shown = _shown(wanted, response, version=held.version).model_dump()
    return PolicyPreviewOut(**shown, effect=ThresholdEffectOut.model_validate(effect))


def _tag(text: str) -> str:
    return text.strip().removeprefix("W/").strip('"')


def _changed(held: WholePolicy, said: dict[str, Any]) -> WholePolicy:
    mapping = {name: value for name, value in said.get("mapping", {}).items() if value is not None}
    return replace(
        held,
        documents=replace(held.documents, **said.get("documents", {})),
        mapping=adjusted_policy(held.mapping, mapping),
        retention=replace(held.retention, **said.get("retention", {})),
        sending=_sending(held.sending, said.get("sending"), said.get("sending_rules", {})),
        replies=replace(held.replies, **reply_changes(said.get("replies", {}))),
    )


def _sending(held: SendingPolicy, switch: SendingSwitch | None, rules: dict[str, Any]) -> SendingPolicy:
    wanted = dict(rules)
    if wanted.get("window"):
        wanted["window"] = SendWindow(**{**wanted["window"], "days": tuple(wanted["window"]["days"])})
    if "second_person" in wanted:
        wanted["second_person"] = tuple(wanted["second_person"])
    return replace(held, switch=switch or held.switch, **wanted)


def _shown(held: WholePolicy, response: Response, version: str | None = None) -> PolicyOut:
    """`version` is that of what is kept, where this is not."""
    response.headers["ETag"] = f'"{version or held.version}"'
    rules = held.sending.as_json()
    return PolicyOut(
        version=version or held.version,
        sending=rules.pop("switch"),
        sending_rules=SendingRulesBody.model_validate(rules),
        documents=DocumentsPolicyOut.model_validate(held.documents),
        mapping=MappingPolicyOut.model_validate(policy_values(held.mapping)),
        retention=RetentionBody.model_validate(held.retention, from_attributes=True),
        replies=reply_policy_of(held.replies),
    )
