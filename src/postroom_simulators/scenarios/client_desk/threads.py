"""The truth about every thread of the client desk, for stories that check what the product made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Action = Literal["draft", "needs_review", "ignore"]
Answerable = Literal["yes", "partly", "no"]


@dataclass(frozen=True, slots=True)
class ThreadTruth:
    """What is right once all mails of a thread have come, and nobody has touched a draft."""

    mails: Sequence[str]  # keys of its mails, the first one first
    language: str
    action: Action
    reason: str
    account: str | None = None
    work_item: str | None = None
    requires_triage: bool = False  # the client is not sure
    sensitive: str | None = None  # the topic, if it is one that a person decides
    answerable: Answerable = "no"  # from the knowledge folder
    sources: Sequence[str] = ()  # where the answer stands
    expects: Sequence[str] = ()  # what a right answer says, word for word
    asks: Sequence[str] = ()  # what a right answer has to ask back
    after_edit: str | None = None  # the reason once a person edited the draft and the client wrote again

    def as_dict(self, message_ids: Sequence[str], subject: str) -> dict[str, Any]:
        return {"key": self.mails[0], "subject": subject, "message_ids": list(message_ids), **asdict(self)}


THREADS = (
    ThreadTruth(
        ("checkin", "checkin-2"),
        "en",
        "draft",
        "draftable",
        account="ACME",
        work_item="ACME-1042",
        answerable="yes",
        sources=("arrival.md", "meeting-rooms.md"),
        expects=("Wi-Fi is included",),
    ),
    ThreadTruth(
        ("parking",),
        "de",
        "draft",
        "draftable",
        account="BOREALIS",
        answerable="yes",
        sources=("anreise-und-parken.md",),
        expects=("8 Euro", "0,49 Euro"),
    ),
    ThreadTruth(
        ("breakfast",),
        "fr",
        "draft",
        "draftable",
        account="FONTANEL",
        answerable="yes",
        sources=("petit-dejeuner.md",),
        expects=("7 h à 10 h 30", "végétarienne"),
    ),
    ThreadTruth(
        ("copy",),
        "es",
        "draft",
        "draftable",
        answerable="partly",
        sources=("copias-de-facturas.md",),
        expects=("dos días laborables",),
        asks=("número de reserva",),
    ),
    ThreadTruth(
        ("dog",),
        "it",
        "draft",
        "draftable",
        account="BELLINI",
        answerable="yes",
        sources=("animali.md",),
        expects=("12 euro",),
    ),
    ThreadTruth(
        ("wifi",),
        "en",
        "draft",
        "draftable",
        answerable="yes",
        sources=("house-guide.pdf", "meeting-rooms.md"),
        expects=("free of charge",),
    ),
    ThreadTruth(
        ("refund",),
        "en",
        "needs_review",
        "sensitive_refund_or_cancellation",
        sensitive="refund_or_cancellation",
    ),
    ThreadTruth(("asthma",), "en", "needs_review", "sensitive_medical", sensitive="medical"),
    ThreadTruth(("lawyer",), "en", "needs_review", "sensitive_legal", account="BELLINI", sensitive="legal"),
    ThreadTruth(
        ("workshop", "workshop-2"),
        "en",
        "needs_review",
        "multi_party",
        account="BOREALIS",
        requires_triage=True,
    ),
    ThreadTruth(("consultant",), "en", "draft", "draftable", account="ACME", requires_triage=True),
    ThreadTruth(("answered", "answered-2"), "fr", "ignore", "latest_is_operator_sent", account="FONTANEL"),
    ThreadTruth(("away",), "en", "ignore", "no_reply_or_auto_reply"),
    ThreadTruth(("noreply",), "en", "ignore", "no_reply_or_auto_reply"),
    ThreadTruth(("spam",), "en", "ignore", "in_spam_or_trash"),
    ThreadTruth(("bounce",), "en", "ignore", "no_reply_or_auto_reply"),
    ThreadTruth(
        ("projector", "projector-2"),
        "en",
        "draft",
        "draftable",
        account="ACME",
        answerable="yes",
        sources=("meeting-rooms.md",),
        expects=("USB-C",),
        after_edit="user_edited_draft",
    ),
)
