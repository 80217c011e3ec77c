"""Ten rules in order: the first that applies decides."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from postroom.mail.parse import read_mail
from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address, Automatic
from postroom.nouns.providers import INBOX, SPAM, TRASH, ProviderRef
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.assembling import thread_from_files
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import Operators, operators, triage

US = operators(["desk@larkspur.example"])
GUEST = Address("anna@client.example", "Anna")
DESK = Address("desk@larkspur.example")
ASKED = Turn(
    ref=ProviderRef("m1"),
    sender=GUEST,
    to=(DESK,),
    sent_at=datetime(2025, 3, 1, 9, tzinfo=UTC),
    subject="Parking",
    labels=frozenset({INBOX}),
    own_text="Is there parking at the house?",
)
LATER = datetime(2025, 3, 1, 10, tzinfo=UTC)
DRAFT_OF_A_PERSON = replace(ASKED, ref=ProviderRef("m9"), sender=DESK, draft_of="person", sent_at=LATER)
REFUND = replace(ASKED, own_text="Can I get a refund?")
NO_REPLY = replace(ASKED, automatic=Automatic("no_reply", "takes no answers"))


def judged(*messages: Turn, known: Operators = US):
    return triage(conversation_of(ProviderRef("t"), messages), known)


@pytest.mark.parametrize(
    ("messages", "action", "reason"),
    [
        pytest.param([], "ignore", "empty_thread", id="1 empty"),
        pytest.param([DRAFT_OF_A_PERSON], "ignore", "empty_thread", id="1 nothing but a draft"),
        pytest.param([replace(ASKED, sender=None)], "ignore", "latest_sender_missing", id="1 no sender"),
        pytest.param([replace(ASKED, labels=frozenset({SPAM}))], "ignore", "in_spam_or_trash", id="2 spam"),
        pytest.param([replace(ASKED, labels=frozenset({TRASH, INBOX}))], "ignore", "in_spam_or_trash", id="2 trash"),
        pytest.param([replace(ASKED, labels=frozenset({"Archive"}))], "ignore", "not_in_inbox", id="3 archived"),
        pytest.param([ASKED, DRAFT_OF_A_PERSON], "needs_review", "user_edited_draft", id="4 a person's draft"),
        pytest.param([ASKED, replace(ASKED, ref=ProviderRef("m2"), sender=DESK, sent_at=LATER)], "ignore", "latest_is_operator_sent", id="5 we wrote last"),
        pytest.param([NO_REPLY], "ignore", "no_reply_or_auto_reply", id="7 no-reply"),
        pytest.param([replace(ASKED, reply_to=(GUEST,), sender=Address("news@x.example"), automatic=Automatic("bulk", "Sent in bulk (Precedence)."))], "ignore", "no_reply_or_auto_reply", id="7 bulk with an address to answer"),
        pytest.param([replace(ASKED, automatic=Automatic("bulk", "a newsletter"))], "ignore", "no_reply_or_auto_reply", id="7 bulk"),
        pytest.param([replace(ASKED, automatic=Automatic("calendar", "an invitation"))], "draft", "draftable", id="7 a person's invitation"),
        pytest.param([REFUND], "needs_review", "sensitive_refund_or_cancellation", id="8 refund"),
        pytest.param([replace(ASKED, own_text="We have asthma, is this safe?")], "needs_review", "sensitive_medical", id="8 medical"),
        pytest.param([replace(ASKED, own_text="The railing gave way when I leaned on it.")], "needs_review", "sensitive_safety", id="8 safety"),
        pytest.param([replace(ASKED, own_text="You will hear from my solicitor.")], "needs_review", "sensitive_legal", id="8 legal"),
        pytest.param([replace(ASKED, own_text="Could you make an exception for us?")], "needs_review", "sensitive_exception", id="8 exception"),
        pytest.param([replace(ASKED, subject="Refund", own_text="See above.")], "needs_review", "sensitive_refund_or_cancellation", id="8 by its subject"),
        pytest.param([replace(ASKED, own_text="Please see below.", forwarded_text="I want my money back.")], "needs_review", "sensitive_refund_or_cancellation", id="8 by what it forwards"),
        pytest.param([replace(ASKED, subject="", own_text="Хочу вернуть деньги за отменённый номер, иначе подам в суд.")], "needs_review", "uncertain", id="8 in a language that is not judged"),
        pytest.param([replace(ASKED, own_text="")], "draft", "draftable", id="10 asked in its subject"),
        pytest.param([replace(ASKED, own_text="", subject="")], "needs_review", "uncertain", id="an empty mail"),
        pytest.param([replace(ASKED, own_text="", subject="(no subject)")], "needs_review", "uncertain", id="an empty mail, as a program names it"),
        pytest.param([replace(ASKED, own_text=" ", subject="Re: Parking")], "needs_review", "uncertain", id="nothing but quotes"),
        pytest.param([replace(ASKED, cc=(GUEST,))], "needs_review", "multi_party", id="9 in copy"),
        pytest.param([replace(ASKED, to=(DESK, GUEST))], "needs_review", "multi_party", id="9 two recipients"),
        pytest.param([ASKED], "draft", "draftable", id="10"),
    ],
)  # fmt: skip
def test_the_first_rule_that_applies_decides(messages, action, reason):
    verdict = judged(*messages)

    assert (action, reason) == (verdict.action, verdict.reason)
    assert verdict.because.endswith(".") or verdict.reason == "no_reply_or_auto_reply"


@pytest.mark.parametrize(
    ("messages", "known", "reason"),
    [
        pytest.param([replace(ASKED, labels=frozenset()), replace(DRAFT_OF_A_PERSON, labels=frozenset())], US, "not_in_inbox", id="3 before 4"),
        pytest.param([ASKED, replace(ASKED, ref=ProviderRef("m2"), sender=DESK, sent_at=LATER), DRAFT_OF_A_PERSON], US, "user_edited_draft", id="4 before 5"),
        pytest.param([NO_REPLY, DRAFT_OF_A_PERSON], US, "user_edited_draft", id="4 before 7"),
        pytest.param([NO_REPLY], operators([]), "ambiguous_sender", id="6 before 7"),
        pytest.param([REFUND], operators([]), "ambiguous_sender", id="6 before 8"),
        pytest.param([replace(REFUND, cc=(GUEST,))], US, "sensitive_refund_or_cancellation", id="8 before 9"),
        pytest.param([replace(ASKED, own_text="My lawyer says I can have a refund.")], US, "sensitive_refund_or_cancellation", id="refund before legal"),
    ],
)  # fmt: skip
def test_an_earlier_rule_beats_a_later_one(messages, known, reason):
    assert reason == judged(*messages, known=known).reason


# What makes each rule apply, in the order of the rules; all can be true of one thread but those that exclude each other.
CAUSES = {
    "latest_sender_missing": lambda turn: replace(turn, sender=None),
    "in_spam_or_trash": lambda turn: replace(turn, labels=turn.labels | {SPAM}),
    "not_in_inbox": lambda turn: replace(turn, labels=turn.labels - {INBOX}),
    "user_edited_draft": lambda turn: turn,  # a second message, see below
    "latest_is_operator_sent": lambda turn: replace(turn, sender=DESK if turn.sender else None),
    "ambiguous_sender": lambda turn: turn,  # nobody is known, see below
    "no_reply_or_auto_reply": lambda turn: replace(turn, automatic=Automatic("no_reply", "takes no answers")),
    "sensitive_refund_or_cancellation": lambda turn: replace(turn, own_text=turn.own_text + " I want a refund."),
    "sensitive_medical": lambda turn: replace(turn, own_text=turn.own_text + " My son has asthma and a fever."),
    "sensitive_safety": lambda turn: replace(turn, own_text=turn.own_text + " The railing gave way, somebody was injured."),
    "sensitive_legal": lambda turn: replace(turn, own_text=turn.own_text + " My lawyer will take you to court."),
    "sensitive_exception": lambda turn: replace(turn, own_text=turn.own_text + " Could you make an exception and waive the fee?"),
    "multi_party": lambda turn: replace(turn, cc=(GUEST,)),
}  # fmt: skip
APART = {frozenset({"latest_is_operator_sent", "ambiguous_sender"})}  # whoever is an operator is known
BOTH = [
    (first, second)
    for at, first in enumerate(CAUSES)
    for second in list(CAUSES)[at + 1 :]
    if frozenset({first, second}) not in APART
]


@pytest.mark.parametrize(("first", "second"), BOTH, ids=lambda name: name)
def test_of_two_rules_that_apply_the_earlier_decides(first, second):
    turn = CAUSES[second](CAUSES[first](ASKED))
    draft = replace(DRAFT_OF_A_PERSON, labels=turn.labels)
    messages = [turn, draft] if "user_edited_draft" in (first, second) else [turn]
    known = operators([]) if "ambiguous_sender" in (first, second) else US

    assert first == judged(*messages, known=known).reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Prosimy wysłać trzydzieści krzeseł ogrodowych, dziesięć stołów drewnianych, cztery parasole zielone. Dostawa rano, płatność przelewem.", "draftable"),
        ("Hei, haluaisin tietää milloin tilaukseni saapuu ja voiko sen noutaa myymälästä lauantaina. Kiitos avusta", "uncertain"),
        ("Laba diena, norėčiau sužinoti, kada atvyks mano užsakymas ir ar galiu jį atsiimti parduotuvėje", "uncertain"),
    ],
)  # fmt: skip
def test_everyday_words_tell_our_languages_from_others_where_small_words_are_few(text, reason):
    assert reason == judged(replace(ASKED, subject="", own_text=text)).reason


def test_an_unknown_mailbox_is_told_what_to_say():
    said = judged(ASKED, known=operators([])).because

    assert "--mailbox" in said
    assert "--operator" in said


@pytest.mark.parametrize("address", ["DESK@Larkspur.example", "desk+invoices@larkspur.example"])
def test_an_operator_is_known_whatever_the_case_and_the_plus(address):
    assert "latest_is_operator_sent" == judged(replace(ASKED, sender=Address(address.lower()))).reason


def test_a_form_speaks_for_the_person_in_reply_to():
    form = replace(NO_REPLY, sender=Address("no-reply@forms.example"), reply_to=(GUEST,))

    assert "draftable" == judged(form).reason
    assert "no_reply_or_auto_reply" == judged(replace(form, machine_answers=True)).reason
    assert "latest_is_operator_sent" == judged(replace(form, reply_to=(DESK,))).reason
    assert (
        "draftable" == judged(replace(form, reply_to=(replace(DESK, email="desk+web@larkspur.example"), GUEST))).reason
    )


def test_a_form_may_write_from_our_own_address_to_itself():
    form = replace(ASKED, sender=DESK, to=(DESK,), reply_to=(GUEST,))

    assert "draftable" == judged(form).reason
    assert "latest_is_operator_sent" == judged(replace(form, to=(GUEST,))).reason
    assert "latest_is_operator_sent" == judged(replace(form, reply_to=(Address("desk+web@larkspur.example"),))).reason
    assert "latest_is_operator_sent" == judged(replace(form, machine_answers=True)).reason
    assert "latest_is_operator_sent" == judged(replace(form, automatic=Automatic("auto_reply", "away"))).reason
    colleague = operators(["desk@larkspur.example", GUEST.email])
    assert "latest_is_operator_sent" == judged(form, known=colleague).reason


@pytest.mark.parametrize(
    "answer_to",
    ["no-reply@forms.example", "No-Reply@Forms.example", "do-not-reply@forms.example", "noreply+7@x.example"],
)
def test_an_address_that_takes_no_answers_is_nobody(answer_to):
    form = replace(NO_REPLY, sender=Address("no-reply@forms.example", "Shop"), reply_to=(Address(answer_to),))

    assert "no_reply_or_auto_reply" == judged(form).reason


MAIL = "From: {sender}\nTo: desk@larkspur.example\nSubject: Hours\nDate: Mon, 3 Mar 2025 10:00:00 +0000\n{header}\nMIME-Version: 1.0\nContent-Type: {kind}\n\nWhen is the pool open?\n"


@pytest.mark.parametrize(
    ("sender", "header", "kind", "reason"),
    [
        ("Shop <news@shop.example>", "Precedence: bulk\nReply-To: a1@shop.example", "text/plain", "no_reply_or_auto_reply"),
        ("Shop <news@shop.example>", "Feedback-ID: 1:2:3\nReply-To: a1@shop.example", "text/plain", "no_reply_or_auto_reply"),
        ("www@site.example", "Feedback-ID: 1:2:3\nReply-To: anna@client.example", "text/plain", "draftable"),
        ("www@site.example", "Auto-Submitted: auto-generated\nReply-To: anna@client.example", "text/plain", "draftable"),
        ("Shop <noreply@shop.example>", "Reply-To: noreply@shop.example", "text/plain", "no_reply_or_auto_reply"),
        ("noreply@cal.example", "X-A: 1", "text/calendar; method=REPLY", "no_reply_or_auto_reply"),
        ("noreply@cal.example", "X-A: 1", "text/calendar; method=REQUEST", "no_reply_or_auto_reply"),
        ("rooms@cal.example", "Precedence: bulk", "text/calendar; method=REQUEST", "no_reply_or_auto_reply"),
        ("Anna <anna@client.example>", "Auto-Submitted: auto-generated", "text/calendar; method=REQUEST", "draftable"),
    ],
)  # fmt: skip
def test_headers_tell_a_person_from_a_machine(sender, header, kind, reason):
    mail = read_mail(MAIL.format(sender=sender, header=header, kind=kind).encode())

    assert reason == triage(thread_from_files([mail]), US).reason


def test_the_newest_is_decided_by_time_and_then_by_the_providers_id():
    earlier = replace(ASKED, ref=ProviderRef("a"), sender=DESK)
    twin = replace(ASKED, ref=ProviderRef("b"))

    assert "draftable" == judged(twin, earlier).reason
    assert "latest_is_operator_sent" == judged(replace(earlier, ref=ProviderRef("z")), twin).reason


GERMAN = replace(ASKED, subject="Parkplatz", own_text="Guten Tag, gibt es bei Ihnen einen Parkplatz für uns?")


@pytest.mark.parametrize(
    ("messages", "known", "reason"),
    [
        ([GERMAN], operators([]), "ambiguous_sender"),
        ([GERMAN, DRAFT_OF_A_PERSON], US, "user_edited_draft"),
        ([replace(GERMAN, sender=DESK)], US, "latest_is_operator_sent"),
        ([replace(GERMAN, labels=frozenset({SPAM}))], US, "in_spam_or_trash"),
        ([replace(GERMAN, automatic=Automatic("no_reply", "takes no answers"))], US, "no_reply_or_auto_reply"),
        ([replace(GERMAN, own_text=GERMAN.own_text + " Und wann? " * 3000)], US, "uncertain"),
        ([GERMAN], US, "draftable"),
    ],
)
def test_every_verdict_tells_the_language(messages, known, reason):
    verdict = judged(*messages, known=known)

    assert (reason, "de") == (verdict.reason, verdict.language)


def test_topics_stand_in_their_order_whoever_found_them():
    thread = conversation_of(
        ProviderRef("t"), [replace(ASKED, own_text="Could you make an exception and waive the fee?")]
    )
    verdict = triage(thread, US, [TopicMatch("legal", 1.0, ("own",)), TopicMatch("medical", 1.0, ("own",))])

    assert ("sensitive_medical", ["medical", "legal", "exception"]) == (
        verdict.reason,
        [match.topic for match in verdict.matched],
    )


LABELLED = "From: {sender}\nTo: desk@larkspur.example\nSubject: Hours\nDate: Mon, 3 Mar 2025 1{hour}:00:00 +0000\nX-Gmail-Labels: {labels}\n\nWhen is the pool open?\n"


@pytest.mark.parametrize(
    ("labels", "drafted", "reason"),
    [
        ('"Foo, Trash",Inbox', None, "draftable"),
        ('Inbox,"Foo, bar"', None, "draftable"),
        ('"Trash",Inbox', None, "in_spam_or_trash"),
        ("Inbox", "Drafts", "user_edited_draft"),
        ("Inbox", "Drafts,Trash", "draftable"),
        ("Posteingang,Ungelesen", "Entwürfe", "user_edited_draft"),
        ("Posteingang,Papierkorb", None, "in_spam_or_trash"),
        ("Boîte de réception", "Envoyés", "latest_is_operator_sent"),
        ("Входящие", "Черновики", "user_edited_draft"),
        ("受信トレイ", "下書き,ゴミ箱", "draftable"),
        ("Gelen Kutusu", None, "draftable"),
        ("Koš", None, "in_spam_or_trash"),
        ("스팸함", None, "in_spam_or_trash"),
    ],
)
def test_labels_of_an_export(labels, drafted, reason):
    texts = [LABELLED.format(sender="anna@client.example", hour=0, labels=labels)]
    if drafted:
        texts.append(LABELLED.format(sender="desk@larkspur.example", hour=1, labels=drafted))

    assert reason == triage(thread_from_files([read_mail(text.encode()) for text in texts]), US).reason


MARKER = "<!-- inbox-copilot:draftKey=" + "0a" * 32 + ";v={version} -->"


@pytest.mark.parametrize(
    ("headers", "text", "html", "reason"),
    [
        ("X-Inbox-Copilot-Draft-Key: 0a0a\nX-Inbox-Copilot-Marker-Version: 1\n", "At ten.", False, "draftable"),
        ("", "<p>At ten.</p>" + MARKER.format(version=1), True, "draftable"),
        ("", "At ten.\n" + MARKER.format(version=1), False, "draftable"),
        ("", "At ten.", False, "user_edited_draft"),
        ("X-Inbox-Copilot-Draft-Key:\nX-Inbox-Copilot-Marker-Version: 1\n", "At ten.", False, "user_edited_draft"),
        ("X-Inbox-Copilot-Draft-Key: 0a0a\n", "At ten.", False, "user_edited_draft"),
        ("", "At ten.\n" + MARKER.format(version=2), False, "user_edited_draft"),
    ],
)
def test_a_draft_in_an_export_is_a_persons_unless_it_bears_our_marker(headers, text, html, reason):
    kind = f"Content-Type: text/{'html' if html else 'plain'}; charset=utf-8\n"
    asked = LABELLED.format(sender="anna@client.example", hour=0, labels="Inbox")
    draft = LABELLED.format(sender="desk@larkspur.example", hour=1, labels="Drafts")
    draft = kind + headers + draft.replace("When is the pool open?", text)

    assert reason == triage(thread_from_files([read_mail(each.encode()) for each in (asked, draft)]), US).reason


def test_caution_from_elsewhere_can_only_add():
    thread = conversation_of(ProviderRef("t"), [ASKED])

    assert "sensitive_legal" == triage(thread, US, [TopicMatch("legal", 1.0, ("our own word",))]).reason
    assert "uncertain" == triage(thread, US, [TopicMatch("legal", 0.7, ("our own word",))]).reason
    assert "draftable" == triage(thread, US, [TopicMatch("legal", 0.1, ("our own word",))]).reason


@pytest.mark.parametrize(
    "harmless",
    [
        "Is the deposit refundable?",
        "Attached is the medical supplies invoice.",
        "Our legal department has moved to Bath Street.",
        "No complaints at all, nobody was hurt.",
        "Could you get back to me about the payment?",
        "Do you have a tennis court?",
        "Welche Stornobedingungen gelten bei Ihnen?",
    ],
)
def test_words_that_only_look_sensitive_do_not_hold_a_mail_back(harmless):
    assert "draftable" == judged(replace(ASKED, own_text=harmless)).reason


FRIENDLY = (
    "We had such a good time with you in June that we keep talking about it. The room on the second floor was bright and "
    "quiet, the bread at breakfast the best we have had in years, and your colleague at the desk told our children about "
    "the owls in the old barn, which they still draw. My mother sends her regards too; she has finished the scarf. "
)
MORE = (
    "Otherwise all is well here. The garden is full of apples this year, more than we can eat, and the neighbours have a "
    "new dog that sleeps in the sun all day. We are thinking of coming again in spring, perhaps for a whole week, and "
    "would bring our bicycles this time. When is check-in? Kind regards, Anna"
)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("We are going to sue you unless we hear from you.", "sensitive_legal"),
        ("My lawyer will contact you.", "sensitive_legal"),
        ("My son broke his arm when the bunk bed collapsed.", "sensitive_safety"),
        ("Please delete all data you hold about us.", "sensitive_legal"),
        ("I want my money back.", "sensitive_refund_or_cancellation"),
    ],
)
@pytest.mark.parametrize("times", [1, 6])
def test_one_plain_sentence_decides_however_much_stands_around_it(said, reason, times):
    long = replace(ASKED, subject="Our stay", own_text=f"{FRIENDLY * times}\n\n{said} {MORE * times}")
    harmless = replace(long, own_text=f"{FRIENDLY * times}\n\n{MORE * times}")
    verdict = judged(long)
    assert ("needs_review", "draft") == (verdict.action, judged(harmless).action)
    assert reason in {f"sensitive_{match.topic}" for match in verdict.matched}


@pytest.mark.parametrize("subject", ["", "(no subject)", "Re: (kein Betreff)"])
def test_a_mail_without_a_word_is_analysed_as_nothing(subject):
    thread = conversation_of(ProviderRef("t"), [replace(ASKED, own_text="", subject=subject)])
    found = analyse(thread, triage(thread, operators([DESK.email])))

    assert ("", "other", "low") == (found.summary, found.intent, found.urgency)
