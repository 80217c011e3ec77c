"""A day at the dealing desk: every mail of the scenario ends as its truth says."""

from __future__ import annotations

from datetime import UTC, datetime

from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands
from postroom_simulators.scenarios import scenario
from rooms.documents.dealing import as_it_is

ENDS = {"auto_confirm": "confirmed", "review": "review", "duplicate": "duplicate", "skipped": "skipped"}


async def test_every_mail_of_the_day_ends_as_its_truth_says(desk):
    desk.outside.reader.change = as_it_is  # with its gate: what passes unseen is part of the truth
    day = scenario("dealing-desk", start=datetime(2026, 2, 4, 9, tzinfo=UTC), seed=3)
    who = desk.scope()
    for sender in day.truth["trusted_senders"]:
        await desk.trusts(sender)
    for number, order in enumerate(day.truth["orders"]):
        wanted = {name: order[name] for name in ("isin", "name", "direction", "quantity")}
        about = {"external_id": f"O-{number}", "username": order["user"], "placed_on": order["date"]}
        await commands.place_order(who, wanted | about)
    for password in day.truth["passwords"]:
        await commands.add_password(who, desk.outside.sealer, "the desk's", Secret(password))

    expected, actual = {}, {}
    for letter in day.mails:
        if "pictur" in letter.about or "scan" in letter.about.lower():
            continue  # recognition is slow, and has its own story
        message = await desk.receives(raw=letter.raw)
        await desk.works()
        found = desk.own("SELECT filename, kind, status FROM postroom.document WHERE message_id = %s", message)
        truth = letter.truth.get("documents", [])
        expected[letter.about, message] = [(each["filename"], each["type"], ENDS[each["route"]]) for each in truth]
        actual[letter.about, message] = found
        assert "pending" not in desk.dispositions(message).values()

    assert len(actual) > 15
    assert expected == actual
    linked = desk.own("SELECT count(*) FROM postroom.trade WHERE status = 'confirmed' AND order_id IS NOT NULL")
    assert [(12,)] == linked
