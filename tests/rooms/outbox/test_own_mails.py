"""Mails that answer no draft: new ones, replies that a person writes, forwards with their files."""

from __future__ import annotations

import pytest

from postroom.nouns.drafts import SentLookup
from postroom.nouns.errors import (
    BadRequest,
    Conflict,
    TimedOut,
)
from postroom.rooms.outbox import commands
from postroom.rooms.outbox.rules.doubts import LOOKS_SECONDS

UNKNOWN = SentLookup("unknown")


async def approved(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    return proposal


async def test_a_new_mail_is_sent_after_the_same_yes(desk):
    wanted = commands.WantedMail("The room is free.\n\nYours, Nora", to=("ada@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    assert ("waiting", "new", None) == (proposal.status, proposal.kind, proposal.draft_id)
    assert [] == desk.drafts(), "nothing stands in the mailbox before somebody said yes"

    await desk.says_yes(proposal)
    await desk.goes_out()

    [sent] = desk.out()
    assert ("Your room", ["ada@client.test"]) == (sent.mail.subject, [each.email for each in sent.mail.to])
    assert "The room is free." in sent.mail.text_body
    assert (await desk.again(proposal)).internet_message_id == sent.mail.message_id
    assert str(proposal.id) in sent.mail.message_id


async def test_a_new_mail_whose_answer_was_lost_is_found_by_its_own_marks(desk):
    desk.sender.after = [TimedOut("No answer.")]
    wanted = commands.WantedMail("The room is free.", to=("ada@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    await desk.goes_out()

    assert ("sent", 1, 1) == ((await desk.again(proposal)).status, len(desk.out()), desk.sender.calls)


@pytest.mark.parametrize(
    ("words", "status", "because"),
    [("The room is free.", "sent", "It was found in Sent"), ("It is taken.", "void", "not word by word what was approved now")],
)  # fmt: skip
async def test_one_that_lies_in_sent_although_somebody_did_not_find_it_is_neither_doubled_nor_taken_for_its_change(
    desk, words, status, because
):
    desk.sender.after = [TimedOut("No answer.")]
    desk.sender.lookup = [UNKNOWN] * (len(LOOKS_SECONDS) + 1)
    wanted = commands.WantedMail("The room is free.", to=("ada@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    for seconds in (0, *LOOKS_SECONDS):
        await desk.goes_out(seconds=seconds)
    back = await commands.resolve(desk.scope(), proposal.id, "not_sent")
    changes = commands.MailChanges(body=words)

    await desk.says_yes(await commands.revise(desk.scope(), desk.outside, back.id, back.hash, changes))
    await desk.goes_out()

    now = await desk.again(proposal)
    assert (status, 1) == (now.status, len(desk.out()))
    assert because in now.because


async def test_a_draft_that_a_crash_left_is_used_and_not_made_twice(desk, monkeypatch):
    from postroom.rooms.outbox.jobs import sending

    wanted = commands.WantedMail("The room is free.", to=("ada@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    real = sending._commit

    async def dies(*args, **more):
        monkeypatch.setattr(sending, "_commit", real)
        raise RuntimeError("the power went")

    monkeypatch.setattr(sending, "_commit", dies)
    await desk.goes_out()
    left = len(desk.drafts())
    await desk.goes_out(minutes=1)

    assert (1, 0, 1) == (left, len(desk.drafts()), len(desk.out()))
    assert "sent" == (await desk.again(proposal)).status


async def test_a_revoked_new_mail_leaves_no_draft_behind(desk, monkeypatch):
    from postroom.rooms.outbox.jobs import sending

    wanted = commands.WantedMail("The room is free.", to=("ada@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    real = sending.prepare

    async def meanwhile(*args):
        draft = await real(*args)
        await commands.revoke(desk.scope(), proposal.id)
        return draft

    monkeypatch.setattr(sending, "prepare", meanwhile)
    await desk.goes_out()

    assert ("revoked", [], []) == ((await desk.again(proposal)).status, desk.drafts(), desk.out())


async def test_a_reply_that_a_person_proposes_goes_into_the_thread(desk):
    ref = await desk.receives("Hello, do you sell helicopters to astronauts?")
    message = desk.ask("SELECT id FROM postroom.message")
    wanted = commands.WantedMail("No, we do not.", kind="reply", message_id=message)
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    await desk.goes_out()

    [sent] = desk.out()
    assert desk.box.message(ref).thread_ref == sent.thread_ref
    assert ("Re: Our stay", "sent") == (sent.mail.subject, (await desk.again(proposal)).status)


async def test_a_forward_takes_the_files_of_its_message_along(desk):
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ada@client.test", "service@larkspur.example", "My passport"
    mail["Message-ID"] = "<passport@client.test>"
    mail.set_content("Here it is.")
    mail.add_attachment(b"%PDF-1.4 a passport", "application", "pdf", filename="passport.pdf")
    desk.box.deliver(mail.as_bytes())
    await desk.syncs()
    message = desk.ask("SELECT id FROM postroom.message")
    wanted = commands.WantedMail("Please check.", kind="forward", message_id=message, to=("front@partner.test",))
    await desk.allows(second_person=("attachment",))
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)

    assert ("Fw: My passport", 2) == (proposal.subject, proposal.needed)
    assert "Here it is." in proposal.body
    await desk.says_yes(proposal)
    await desk.says_yes(proposal, "person:otto@larkspur.example")
    await desk.goes_out()

    [sent] = desk.out()
    [file] = sent.mail.attachments
    assert ("passport.pdf", b"%PDF-1.4 a passport") == (file.filename, file.content)


async def test_a_mail_that_is_too_long_to_be_forwarded_says_so(desk):
    await desk.receives("All of it. " * 10_000)
    message = desk.ask("SELECT id FROM postroom.message")
    wanted = commands.WantedMail("Please check.", kind="forward", message_id=message, to=("front@partner.test",))

    with pytest.raises(BadRequest, match=r"to be forwarded is too long: .* 110,\d\d\d letters.*100,000"):
        await commands.propose(desk.scope(), desk.outside, wanted)


async def test_a_file_that_is_not_what_was_approved_is_not_sent(desk):
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ada@client.test", "service@larkspur.example", "My passport"
    mail.set_content("Here it is.")
    mail.add_attachment(b"%PDF-1.4 a passport", "application", "pdf", filename="passport.pdf")
    desk.box.deliver(mail.as_bytes())
    await desk.syncs()
    message = desk.ask("SELECT id FROM postroom.message")
    wanted = commands.WantedMail("Please check.", kind="forward", message_id=message, to=("front@partner.test",))
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.says_yes(proposal)
    [key] = desk.outside.archive.held
    desk.outside.archive.held[key] = b"something else"

    await desk.goes_out()

    now = await desk.again(proposal)
    assert ("void", [], []) == (now.status, desk.out(), desk.drafts())
    assert "passport.pdf" in now.because


async def test_machines_are_not_answered_even_if_somebody_asks_for_it(desk):
    await desk.receives("I am away.", Auto_Submitted="auto-replied")
    message = desk.ask("SELECT id FROM postroom.message")

    with pytest.raises(BadRequest, match="automatic reply"):
        await commands.propose(
            desk.scope(), desk.outside, commands.WantedMail("Fine.", kind="reply", message_id=message)
        )


async def test_a_changed_proposal_of_ones_own_ends_the_yes_to_the_old_one(desk):
    wanted = commands.WantedMail("At ten.", to=("ada@client.test",), subject="Your room")
    first = await commands.propose(desk.scope(), desk.outside, wanted)
    await desk.allows(undo_seconds=600)
    await desk.says_yes(first)
    with pytest.raises(Conflict, match="Take the approval back first"):
        await commands.revise(desk.scope(), desk.outside, first.id, first.hash, commands.MailChanges(body="At nine."))
    await commands.revoke(desk.scope(), first.id)

    second = await commands.revise(
        desk.scope(), desk.outside, first.id, first.hash, commands.MailChanges(body="At nine.", to=("eve@client.test",))
    )
    await desk.goes_out(hours=1)

    assert ("waiting", 2, ["eve@client.test"], []) == (second.status, second.version, second.recipients, desk.out())
    await desk.says_yes(second)
    await desk.goes_out(hours=1)
    [sent] = desk.out()
    assert "At nine." in sent.mail.text_body
