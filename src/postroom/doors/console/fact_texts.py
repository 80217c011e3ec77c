"""Facts in plain words, with the reason that goes with them and where to look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.doors.console.words import KEPT, KINDS, PIPELINES, job, plain_name, size, spoken, tone
from postroom.engine.facts import TellingFact
from postroom.nouns.counting import count

Names = Mapping[UUID, str]
HOW = {"password": "password", "oidc": "identity provider", "link": "link"}
SKILL_OUTCOMES = {"done": "done", "waiting": "waits for a person", "failed": "failed"}
FORGOTTEN = {
    "messages": "mail",
    "attachments": "file",
    "documents": "reading",
    "archive": "original",
    "events": "event",
    "turns": "thread message",
    "analyses": "conclusion",
    "drafts": "draft",
    "evidence": "paper",
}
SENDINGS = {"reply": "reply", "new": "new mail", "forward": "forward"}
SENT_BY = {"approved": "With a person's approval.", "mail_program": "In the mail program."}


@dataclass(frozen=True, slots=True)
class FactText:
    """A fact in words. `more` is the reason or detail that goes with it."""

    text: str
    tone: str = "plain"
    more: str = ""
    link: str = ""


def say(fact: TellingFact, names: Names) -> FactText:
    """In plain words, with the first link that makes sense."""
    teller = TELLERS.get(fact.kind)
    about = About(
        names.get(fact.mailbox_id, "a mailbox") if fact.mailbox_id else "",
        names.get(fact.message_id, "") if fact.message_id else "",
        names.get(fact.document_id, "A document") if fact.document_id else "",
    )
    try:
        said = (
            teller(fact.body, about) if teller else FactText(fact.kind.replace(".", " ").replace("_", " ").capitalize())
        )
    except (KeyError, TypeError):  # told by an older version, with other fields
        said = FactText(fact.kind.replace(".", " ").replace("_", " ").capitalize())
    return FactText(said.text, said.tone, said.more, said.link or _link(fact))


def _link(fact: TellingFact) -> str:
    if fact.document_id:
        return f"/documents/{fact.document_id}"
    if fact.message_id:
        return f"/messages/{fact.message_id}"
    return f"/mailboxes/{fact.mailbox_id}" if fact.mailbox_id else ""


@dataclass(frozen=True, slots=True)
class About:
    """What the things are called that a fact is about."""

    box: str
    mail: str
    file: str


Teller = Callable[[dict[str, Any], About], FactText]


def _confirming(body: dict[str, Any], about: About) -> FactText:
    what = PIPELINES.get(body["pipeline"]) or body["pipeline"]
    tone = {"on": "good", "off": "warn"}.get(body["after"], "plain")
    return FactText(f"{about.box}: confirming by itself is {body['after']} ({what})", tone, f"It was {body['before']}.")


def _shadowed(body: dict[str, Any], about: About) -> FactText:
    would = "have been confirmed by itself" if body["would"] == "confirm" else "wait for a person"
    return FactText(f"Shadow: {about.file} would {would}", "plain", body["because"])


def _kind_told(body: dict[str, Any]) -> str:
    """What a paper is; of one that is neither a trade nor an invoice, what it tells of."""
    told: str | None = body.get("tells_of")
    return spoken(told) if told else KINDS.get(body["document_kind"], "a document").lower()


def _routed(body: dict[str, Any], about: About) -> FactText:
    word = {
        "confirmed": "confirmed by itself",
        "review": "waits for a person",
        "duplicate": "was known already",
        "skipped": "is nothing for us",
    }.get(body["status"], body["status"])
    return FactText(f"{about.file} {word}", tone(body["status"]), body["because"])


def _failed(body: dict[str, Any], about: About) -> FactText:
    where = f" for {about.box}" if about.box else ""
    after = {
        "retry": "will try again",
        "throttled": "was asked to wait",
        "parked": "waits for a person",
        "quarantined": "was put aside",
        "stopped": "gave up",
    }.get(body["outcome"], body["outcome"])
    return FactText(f"{job(body['job_kind'])}{where}: {after}", tone(body["outcome"]), body["error"])


def _corrected(body: dict[str, Any], about: About) -> FactText:
    changes = [
        f"{plain_name(name)} {body['before'].get(name) or '–'} → {value or '–'}"
        for name, value in body["after"].items()
    ]
    return FactText(f"{about.file} was corrected", "plain", "; ".join(changes))


def _reconciled(body: dict[str, Any], about: About) -> FactText:
    if body["missing"]:
        return FactText(
            f"{about.box}: {body['missing']} of {count(body['listed'], 'message')} missing, now taken in", "warn"
        )
    if body.get("failed"):
        return FactText(f"{about.box}: {body['failed']} of {count(body['listed'], 'message')} not taken in", "bad")
    return FactText(f"{about.box}: all of {count(body['listed'], 'message')} accounted for", "good")


def _changes(body: dict[str, Any], labels: Mapping[str, str], otherwise: str = "auto") -> str:
    """Each thing that is not as it was, before and after."""
    before, after = body["before"], body["after"]
    names = [name for name in dict.fromkeys([*labels, *before, *after]) if before.get(name) != after.get(name)]
    return "; ".join(
        f"{labels.get(name) or plain_name(name)} {_held(before.get(name), otherwise)}"
        f" → {_held(after.get(name), otherwise)}"
        for name in names
    )


def _held(value: Any, otherwise: str) -> str:
    if value is None:
        return otherwise
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0%}"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return count(value, "day") if otherwise == "kept" else str(value)


def _refusal(body: dict[str, Any]) -> str:
    return f"{body['because']} From {body['source']}." if body["source"] else str(body["because"])


def _book_changed(body: dict[str, Any], about: About) -> FactText:
    del about
    what = {"account": "", "contacts": ": contacts", "engagement": ": engagements", "work_items": ": work items"}
    word = "added" if body["before"] is None and body["what"] == "account" else "changed"
    return FactText(
        f"Account {body['code']}{what.get(body['what'], '')} {word}", link=f"/accounts/{body['account_id']}"
    )


def _merged(body: dict[str, Any], about: About) -> FactText:
    del about
    moved = f"{count(body['contacts'], 'contact')}, {count(body['messages'], 'message')}"
    return FactText(f"{body['code']} merged into {body['into_code']}", "plain", moved, f"/accounts/{body['into_id']}")


def _thread(text: str, tone: str = "plain", more: str = "") -> Teller:
    def told(body: dict[str, Any], it: About) -> FactText:
        del it
        said = {name: str(value or "none").replace("_", " ") for name, value in body.items()}
        return FactText(text.format(**said), tone, str(body.get(more, "") or ""), f"/inbox/{body['thread_id']}")

    return told


TOUCHED = {
    "sent": "A mail from this mailbox is in Sent",
    "drafted": "A draft in the mailbox was written or changed",
    "draft_removed": "A draft is gone from the mailbox",
    "labelled": "The thread's labels changed",
    "left": "The thread left the folder",
    "back": "The thread is in the folder again",
}
RAN = {"noop": "nothing to do", "label_only": "left to a person", "create": "written", "update": "written anew"}
ASIDE = {"not_for_us": "Not for us", "done": "Done", "open": "Open again"}


def _labelled(body: dict[str, Any], it: About) -> FactText:
    return _thread("Labelled {after}" if body["after"] else "The label {before} is off")(body, it)


def _label_changed(body: dict[str, Any], it: About) -> FactText:
    said = "A person changed the label to {after}" if body["after"] else "A person took the label {before} off"
    return _thread(said, "warn")(body, it)


def _state_set(body: dict[str, Any], it: About) -> FactText:
    return _thread("Stands as {after}" if body["after"] else "Waits for nobody", more="because")(body, it)


def _snoozed_thread(body: dict[str, Any], it: About) -> FactText:
    if not body["till"]:
        return _thread("In sight again")(body, it)
    return _thread(f"Snoozed till {datetime.fromisoformat(body['till']):%Y-%m-%d %H:%M} UTC")(body, it)


def _mapping(text: str, tone: str = "plain", more: str = "") -> Teller:
    """About one mail, which is called by its subject while that is kept."""

    def tell(body: dict[str, Any], about: About) -> FactText:
        mail = about.mail or "A mail"
        return FactText(text.format(mail=mail), tone, str(body.get(more, "") or ""), f"/clients/{body['mapping_id']}")

    return tell


def _webhook(body: dict[str, Any]) -> str:
    return f"/settings/webhooks/{body['webhook_id']}"


TELLERS: dict[str, Teller] = {
    "account.imported": lambda body, it: FactText(
        "A client book was taken in",
        "plain",
        f"{sum(body['new'].values()):,} new, {sum(body['changed'].values()):,} changed",
        "/accounts",
    ),
    "account.changed": _book_changed,
    "account.merged": _merged,
    "account.contacts_aged": lambda body, it: FactText(
        f"{count(sum(body['proposals'].values()), 'contact')} to look at", "warn", link="/accounts/contacts"
    ),
    "account.contact_proposal_decided": lambda body, it: FactText(
        "A proposal about a contact was " + ("accepted" if body["accepted"] else "dismissed"), link="/accounts/contacts"
    ),
    "thread.triaged": _thread("Judged: {reason}", more="because"),
    "thread.analysed": _thread("Analysed as {intent}, urgency {urgency}, by {model}", more="note"),
    "thread.labelled": _labelled,
    "thread.label_changed_by_person": _label_changed,
    "thread.state_set": _state_set,
    "thread.assigned": _thread("Assigned"),
    "thread.snoozed": _snoozed_thread,
    "thread.set_aside": lambda body, it: _thread(ASIDE[body["how"]])(body, it),
    "thread.moved": _thread("Moved to another channel"),
    "mail.thread.updated": lambda body, it: _thread(TOUCHED[body["what"]])(body, it),
    "mail.flagged.sensitive": _thread("Flagged: {reason}", "warn"),
    "evidence.added": lambda body, it: FactText(
        f"Evidence: {body['name']}, version {body['version']}", link=f"/evidence/{body['evidence_id']}"
    ),
    "evidence.retired": lambda body, it: FactText(
        f"Off the shelf: {body['name']}", "warn", link=f"/evidence/{body['evidence_id']}"
    ),
    "evidence.restored": lambda body, it: FactText(
        f"In use again: {body['name']}", link=f"/evidence/{body['evidence_id']}"
    ),
    "evidence.learned": lambda body, it: FactText(
        f"An answer of {body['name']} may answer others", link=f"/evidence/{body['evidence_id']}"
    ),
    "evidence.policy_changed": lambda body, it: FactText(
        "How drafts are written was changed", link="/settings/replies"
    ),
    "mail.draft.created": _thread("A draft was {how}", "good", "because"),
    "mail.draft.blocked": _thread("A person is at work on the draft", "warn", "because"),
    "mail.draft.withheld": _thread("No draft: {reason}", "warn", "because"),
    "mail.draft.ended": _thread("The draft was {status}", more="because"),
    "mail.draft.restored": _thread("A person brought the discarded draft back", "good"),
    "mail.draft.edited": _thread("A person changed the draft at the console"),
    "skill.started": lambda body, it: FactText(f"Skill {body['skill']} was run"),
    "skill.finished": lambda body, it: FactText(
        f"Skill {body['skill']}: {SKILL_OUTCOMES[body['outcome']]}",
        "bad" if body["outcome"] == "failed" else "plain",
        body["because"],
    ),
    "channel.changed": lambda body, it: FactText("A channel changed"),
    "triage.topic_changed": lambda body, it: FactText("A sensitive topic of your own changed"),
    "mailbox.copilot_switched": lambda body, it: FactText(f"The copilot at {it.box} is now {body['after']}"),
    "mailbox.sending_switched": lambda body, it: FactText(
        f"Sending from {it.box} is {body['sending']}", "good" if body["sending"] == "on" else "warn"
    ),
    "proposal.made": lambda body, it: FactText(f"A {SENDINGS.get(body['what'], 'mail')} waits for a yes"),
    "proposal.changed": lambda body, it: FactText("A proposed mail was changed"),
    "proposal.approved": lambda body, it: FactText(
        "A mail was approved", "good", "" if body["send_at"] else "A second person must agree."
    ),
    "proposal.revoked": lambda body, it: FactText(
        "A proposed mail was withdrawn" if body.get("withdrawn") else "An approval was taken back",
        "plain",
        body["because"],
    ),
    "proposal.voided": lambda body, it: FactText("A proposed mail is void", "warn", body["because"]),
    "proposal.sending": lambda body, it: FactText("A mail is being sent"),
    "proposal.not_sent": lambda body, it: FactText("A mail was not sent", "warn", body["because"]),
    "proposal.unknown": lambda body, it: FactText("Whether a mail was sent is unknown", "bad", body["because"]),
    "proposal.resolved": lambda body, it: FactText(
        f"A person found that a mail was {'sent' if body['outcome'] == 'sent' else 'not sent'}"
    ),
    "proposal.bounced": lambda body, it: FactText("A mail of ours came back", "bad", body["because"]),
    "reply.sent": lambda body, it: FactText("A mail was sent", "good", SENT_BY.get(body["how"], "")),
    "reply.edited": lambda body, it: FactText("A person changed the words of a draft"),
    "reply.discarded": lambda body, it: FactText("A person discarded a draft"),
    "mailbox.operators_changed": lambda body, it: FactText(f"Who answers for {it.box} changed"),
    "mailbox.labels_refused": lambda body, it: FactText(f"Labels cannot be set at {it.box}", "bad", body["because"]),
    "mapping.mapped": _mapping("{mail}: its client is known", "good", "because"),
    "mapping.triage_required": _mapping("{mail}: a person says whose it is", "warn", "because"),
    "mapping.confirmed": _mapping("{mail}: a person said whose it is", "good"),
    "mapping.ignored": _mapping("{mail} was set aside", "plain", "reason"),
    "mapping.undone": _mapping("{mail}: the decision about its client was taken back"),
    "mapping.policy_changed": lambda body, it: FactText(
        "How mail is mapped changed", "plain", _changes(body, {}), "/settings/mapping"
    ),
    "tenant.created": lambda body, it: FactText(f"Tenant {body['name']} was made"),
    "tenant.policy_changed": lambda body, it: FactText(
        "Thresholds changed",
        "plain",
        _changes(body, {"sure_enough": "Sure enough", "require_order": "Needs an order"}),
        "/settings/policy",
    ),
    "tenant.sending_changed": lambda body, it: FactText(
        f"Sending is {body['switch']}", "good" if body["switch"] == "on" else "warn", _changes(body, {})
    ),
    "tenant.retention_changed": lambda body, it: FactText(
        "Retention changed",
        "plain",
        _changes(body, {name: label for name, (label, _) in KEPT.items()}, "kept"),
        "/settings/retention",
    ),
    "tenant.forgotten": lambda body, it: FactText(
        f"{count(body['count'], FORGOTTEN.get(body['what'], 'thing'))} forgotten",
        "plain",
        f"older than {body['before'][:10]}",
        "/settings/retention",
    ),
    "person.added": lambda body, it: FactText(f"Somebody was let in as {body['role']}", link="/settings/people"),
    "person.changed": lambda body, it: FactText(
        "Somebody was locked out" if body["disabled"] else f"A person's entry changed ({body['role']})",
        link="/settings/people",
    ),
    "key.created": lambda body, it: FactText(f"Key “{body['name']}” made ({body['role']})", link="/settings/keys"),
    "key.revoked": lambda body, it: FactText(f"Key “{body['name']}” revoked", link="/settings/keys"),
    "key.sealing_rotated": lambda body, it: FactText("The sealing key was changed"),
    "session.link_made": lambda body, it: FactText("A sign-in link was made", link="/settings/people"),
    "session.started": lambda body, it: FactText(
        f"Signed in by {HOW.get(body['how'], body['how'])}", "plain", f"from {body['source']}" if body["source"] else ""
    ),
    "session.ended": lambda body, it: FactText(f"{count(body['sessions'], 'session')} ended", "plain", body["because"]),
    "session.refused": lambda body, it: FactText("Sign-in refused", "warn", _refusal(body)),
    "attempt.failed": _failed,
    "attempt.manual_retry_requested": lambda body, it: FactText(
        f"A person asked to try again: {job(body['job_kind'])}", link="/attempts"
    ),
    "attempt.manual_retry_success": lambda body, it: FactText(f"Trying again worked: {job(body['job_kind'])}", "good"),
    "attempt.manual_retry_failed": lambda body, it: FactText(
        f"Trying again did not work: {job(body['job_kind'])}", "bad", body["error"], link="/attempts"
    ),
    "mailbox.connected": lambda body, it: FactText(
        f"{it.box} {'reconnected' if body['again'] else 'connected'}", "good"
    ),
    "mailbox.disconnected": lambda body, it: FactText(f"{it.box} disconnected"),
    "mailbox.paused": lambda body, it: FactText(f"{it.box} paused", "warn"),
    "mailbox.resumed": lambda body, it: FactText(f"{it.box} resumed", "good"),
    "mailbox.rules_changed": lambda body, it: FactText(f"{it.box}: rules changed", "plain", _changes(body, {})),
    "mailbox.confirming_switched": _confirming,
    "mailbox.folder_changed": lambda body, it: FactText(f"{it.box}: {body['after']} instead of {body['before']}"),
    "mailbox.needs_person": lambda body, it: FactText(f"{it.box} needs a person", "bad", body["because"]),
    "mailbox.outage": lambda body, it: FactText(f"{it.box}: the provider does not answer", "bad", body["because"]),
    "mailbox.answers": lambda body, it: FactText(f"{it.box}: the provider answers again", "good"),
    "mailbox.attention": lambda body, it: FactText(f"{it.box} wants attention", "warn", body["because"]),
    "mailbox.notification_received": lambda body, it: FactText(
        f"{it.box}: the provider notified us ({body['notifications']})"
    ),
    "mailbox.delivery_changed": lambda body, it: FactText(
        f"{it.box} now by {body['delivery']}", "warn", body["because"]
    ),
    "watch.kept": lambda body, it: FactText(
        f"{it.box}: subscription {body['how']}", "plain", f"till {body['expires_at'][:16]}"
    ),
    "watch.lifecycle": lambda body, it: FactText(f"{it.box}: provider says {body['event']}", "warn"),
    "security.event": lambda body, it: FactText(
        body["what"][:1].upper() + body["what"][1:], "plain", f"from {body['source']}" if body["source"] else ""
    ),
    "sync.cursor_lost": lambda body, it: FactText(
        f"{it.box}: resync since {body['since'][:16]}", "warn", body["because"]
    ),
    "sync.resync_done": lambda body, it: FactText(
        f"{it.box}: resync done, {count(body['listed'], 'message')} listed", "good"
    ),
    "sync.reconciled": _reconciled,
    "mail.message.received": lambda body, it: FactText(
        f"Mail arrived in {it.box}",
        "plain",
        f"by {body['source']}" + (f", {body['automatic']}" if body["automatic"] else ""),
    ),
    "mail.processing.enqueued": lambda body, it: FactText(f"{job(body['job_kind'])}: enqueued"),
    "mail.processing.started": lambda body, it: FactText(
        f"{job(body['job_kind'])}: started", "plain", f"try {body['retry_count'] + 1}" if body["retry_count"] else ""
    ),
    "mail.processing.retrieval_completed": lambda body, it: FactText(
        f"{count(body['searched'], 'source')} looked up", "plain", f"{len(body['evidence_ids'])} used"
    ),
    "mail.processing.ai_completed": lambda body, it: FactText(
        "No model was asked" if body["model"] == "rules" else f"{body['model']} answered",
        "plain",
        "" if body["model"] == "rules" else count(body["answers"], "answer"),
    ),
    "mail.processing.completed": lambda body, it: FactText(
        f"{job(body['job_kind'])}: {RAN.get(body['outcome']) or spoken(body['outcome'])}", "plain", body["because"]
    ),
    "webhook.created": lambda body, it: FactText(f"Webhook {body['url']} added", link=_webhook(body)),
    "webhook.changed": lambda body, it: FactText(
        f"Webhook {body['url']}: {plain_name(body['how'])}", link=_webhook(body)
    ),
    "webhook.disabled": lambda body, it: FactText(
        f"Webhook {body['url']} is disabled", "bad", body["because"], _webhook(body)
    ),
    "webhook.removed": lambda body, it: FactText(f"Webhook {body['url']} removed", link="/settings/webhooks"),
    "webhook.delivery_replayed": lambda body, it: FactText(f"{body['event_type']} sent again", link=_webhook(body)),
    "audit.chain_accepted": lambda body, it: FactText(
        "The audit chain was accepted as it is", "warn", body["because"], "/audit"
    ),
    "mail.message.gone": lambda body, it: FactText(
        f"{it.mail or 'A message'} is gone from {it.box}", "plain", body["because"]
    ),
    "document.message_sifted": lambda body, it: FactText(
        f"{count(body['kept'], 'file')} kept, {len(body['dropped'])} left out", "plain", body["because"]
    ),
    "message.attachment_fetched": lambda body, it: FactText(
        f"{body['filename'] or 'A file'} fetched from the mailbox", "plain", size(body["size"])
    ),
    "document.uploaded": lambda body, it: FactText(f"{body['filename']} uploaded"),
    "document.read": lambda body, it: FactText(f"{body['filename']} read as {_kind_told(body)}"),
    "document.unreadable": lambda body, it: FactText(f"{body['filename']} cannot be read", "bad", body["because"]),
    "document.routed": _routed,
    "document.confirmation_shadowed": _shadowed,
    "booking.confirmed": lambda body, it: FactText(
        f"{it.file}: {plain_name(body['entry_kind'])} booked", "good", body["because"]
    ),
    "document.corrected": _corrected,
    "document.profile_learnt": lambda body, it: FactText(
        f"Learnt how {body['sender_email']} writes its documents", "plain", ", ".join(map(plain_name, body["labels"]))
    ),
    "document.checked": lambda body, it: FactText(
        f"{it.file} bears on what was learnt of {body['sender_email']}", "plain"
    ),
    "document.lesson_dropped": lambda body, it: FactText(
        f"Something learnt of {body['sender_email']} was dropped", "plain", body["because"], link="/settings/senders"
    ),
    "document.profile_forgotten": lambda body, it: FactText(
        f"What was learnt of {body['sender_email']} was forgotten", link="/settings/senders"
    ),
    "document.rejected": lambda body, it: FactText(f"{it.file} was rejected", "plain", body["because"]),
    "document.entered": lambda body, it: FactText(
        f"{it.file} was entered by hand as {KINDS.get(body['document_kind'], 'a document').lower()}",
        "plain",
        "; ".join(f"{plain_name(name)} {value}" for name, value in body["values"].items()),
    ),
    "document.undone": lambda body, it: FactText(
        f"{it.file}: the decision “{body['did']}” was taken back", tone(body["status"])
    ),
    "document.reopened": lambda body, it: FactText(
        f"{it.file} waits for a person again", "warn", f"It was {body['before']} before."
    ),
    "document.retried": lambda body, it: FactText(f"{it.file} is read once more", "plain", body["because"]),
    "trade.confirmed": lambda body, it: FactText(f"Trade of {it.file} confirmed", "good", body["because"]),
    "invoice.confirmed": lambda body, it: FactText(f"Invoice {it.file} confirmed", "good", body["because"]),
    "order.placed": lambda body, it: FactText(
        f"{count(body['new'], 'order')} placed, {body['changed']} changed", link="/orders"
    ),
    "order.cancelled": lambda body, it: FactText(f"Order {body['external_id']} cancelled", link="/orders"),
    "document.sender_rule_changed": lambda body, it: FactText(
        f"{body['entry']} is {'trusted now' if body['allowed'] else 'no longer trusted'}", link="/settings/senders"
    ),
    "document.password_changed": lambda body, it: FactText(
        f"PDF password “{body['label']}” {'added' if body['added'] else 'removed'}", link="/settings/passwords"
    ),
}
