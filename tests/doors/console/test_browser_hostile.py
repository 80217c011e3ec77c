"""Names and mails made to hurt, drawn by a real browser: nothing of them runs, nothing is fetched, the page keeps its form."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from doors.console.browsing import DESKTOP, PHONE, enter
from doors.console.desk_book import mapped, with_book
from doors.console.place import Place
from doors.console.test_threads import at_the_inbox
from postroom.rooms.replies import commands as replies

pytestmark = pytest.mark.browser
SPY = "//spy.example/seen.png"
NASTY = (
    f"<script>window.hurt=1</script><img src={SPY} onerror='window.hurt=2'>"
    "\"' onmouseover=window.hurt=3 x='</textarea></script><svg onload=window.hurt=4>{{7*7}} " + "W" * 120
)
MAIL = (
    f"<p onclick='window.hurt=5'>Please pay <b>now</b></p><script>window.hurt=6</script><img src='http:{SPY}'>"
    f"<link rel=stylesheet href='http:{SPY}'><style>@import 'http:{SPY}'; body {{ display: none }}</style>"
    f'<div style="background: url(http:{SPY}); position: fixed; inset: 0; width: 9000px">Over everything</div>'
    f"<iframe src='http:{SPY}'></iframe><object data='http:{SPY}'></object><video src='http:{SPY}' autoplay></video>"
    f"<form action='http:{SPY}'><input autofocus onfocus='window.hurt=7'></form><meta http-equiv=refresh content='0;url=http:{SPY}'>"
    f"<a href='javascript:window.hurt=8'>here</a><table width=9000><tr><td>{'W' * 3000}</td></tr></table>"
)
NAMED = (
    "UPDATE postroom.thread SET subject = %s",
    "UPDATE postroom.message SET subject = %s, sender_name = %s",
    "UPDATE postroom.turn SET subject = %s, sender_name = %s, own_text = %s",
    "UPDATE postroom.thread_state SET newest_from = %s",
    "UPDATE postroom.account SET name = %s WHERE merged_into IS NULL",
    "UPDATE postroom.person SET name = %s",
    "UPDATE postroom.channel SET name = %s",
    "UPDATE postroom.tenant_topic SET name = %s",
    "UPDATE postroom.api_key SET name = %s",
    "UPDATE postroom.evidence_document SET name = %s",
    "INSERT INTO postroom.webhook (id, tenant_id, number, url, description, secret, last_error, created_by, created_at)"
    " SELECT gen_random_uuid(), tenant_id, 1, 'https://hooks.example/' || %s, %s, '', %s, 'test', now() FROM postroom.tenant",
)


async def full_of_nasty_names(place: Place) -> dict[str, str]:
    """The pages on which they stand."""
    admin, thread = await at_the_inbox(place)
    await with_book(place)
    mapping = await mapped(place)
    scope = place.house.scope(place.tenant, "test")
    await replies.add_evidence(scope, place.house.outside.reader, "bar.md", b"# Bar\n\nThe bar is open.\n")
    for path, form in (
        ("/settings/channels", {"name": "Sofas", "words": "sofa"}),
        ("/settings/topics", {"name": "sofas", "counts_as": "legal", "words": "sofa"}),
        ("/settings/keys", {"name": "k", "role": "viewer"}),
    ):
        answer = await admin.post(path, form)
        assert 200 == answer.status, (path, await answer.text())
    for statement in NAMED:
        place.own(statement, *[NASTY] * statement.count("%s"))
    message = place.ask("SELECT id FROM postroom.message WHERE thread_id = %s", thread)
    place.own("UPDATE postroom.message SET body = NULL, body_html = %s WHERE id = %s", MAIL, message)
    account = place.ask("SELECT id FROM postroom.account ORDER BY code LIMIT 1")
    evidence = place.ask("SELECT id FROM postroom.evidence_document")
    return {
        "inbox": "/inbox",
        "thread": f"/inbox/{thread}",
        "messages": "/messages",
        "message": f"/messages/{message}",
        "as-sent": f"/messages/{message}/as-sent",
        "clients": "/clients",
        "mapping": f"/clients/{mapping}",
        "accounts": "/accounts",
        "account": f"/accounts/{account}",
        "evidence": "/evidence",
        "paper": f"/evidence/{evidence}",
        "channels": "/settings/channels",
        "topics": "/settings/topics",
        "webhooks": "/settings/webhooks",
        "keys": "/settings/keys",
        "people": "/settings/people",
        "audit": "/audit",
    }


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_nothing_runs_nothing_is_fetched_and_the_page_keeps_its_form(place: Place, chromium):
    pages = await full_of_nasty_names(place)
    email = place.ask("SELECT email FROM postroom.person")
    fetched, ran, broad, unseen = [], [], [], []
    for shape, size in (("desktop", DESKTOP), ("phone", PHONE)):
        context = await chromium.new_context(viewport=size)
        page = await context.new_page()
        page.on("request", lambda asked: None if asked.url.startswith(place.url) else fetched.append(asked.url))
        page.on("dialog", lambda dialog: ran.append(dialog.message))
        await enter(place, page, email)
        for name, path in pages.items():
            await page.goto(place.url + path)
            if await page.evaluate("window.hurt !== undefined"):
                ran.append(name)
            if "window.hurt=1" not in await page.inner_text("body") and name not in ("as-sent", "audit"):
                unseen.append(name)
            if name != "as-sent" and await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                broad.append(f"{name} {shape}")
            if folder := os.environ.get("POSTROOM_ORACLES"):
                await page.screenshot(path=Path(folder, f"nasty-{name}-{shape}.png"), full_page=True)
        await context.close()

    assert [] == [each for each in fetched if not each.startswith(("data:", "blob:"))]
    assert [] == ran
    assert not broad, broad
    assert [] == unseen  # the names stand there, as words
