"""Messages: hostile ones, their files, searching and paging."""

from __future__ import annotations

import re

from doors.console.place import GMAIL, OUTLOOK, Place


async def test_hostile_mail_is_shown_as_words(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(
        subject="<script>alert(1)</script>",
        html='<p onclick="x()">Pay <b>now</b></p><script>alert(2)</script><img src="https://spy.example/p.gif"><form action="https://evil.example"><input name=a></form>'
        '<a href="javascript:alert(3)">here</a><style>body{display:none}</style><div class="toast bad" id="nav" style="position:fixed">Gotcha</div><iframe src="https://evil.example"></iframe>',
    )
    await place.works()
    message = place.ask("SELECT id FROM postroom.message")
    _, page = await admin.get(f"/messages/{message}")
    answer = await admin.raw("GET", f"/messages/{message}/as-sent")
    framed = await answer.text()

    assert "&lt;script&gt;alert(1)" in page
    assert "<p>Pay <b>now</b></p>" in page
    assert "<div>Gotcha</div>" in page
    assert "1 remote image not loaded" in page
    for text in (page, framed):
        for bad in ("alert(2)", "spy.example", "evil.example", "javascript:", "onclick"):
            assert bad not in text
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


async def test_a_file_is_fetched_from_the_mailbox_when_asked_for_and_never_runs(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, GMAIL, "gmail")
    place.deliver(to=GMAIL, files=(("pay.html", b"<script>alert(1)</script>", "text/html"),))
    await place.works()
    message, sha = (
        place.ask("SELECT id FROM postroom.message"),
        place.ask("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message"),
    )
    answer = await admin.raw("GET", f"/messages/{message}/files/{sha}")

    assert (200, "<script>alert(1)</script>") == (answer.status, (await answer.text()).strip())
    assert "application/octet-stream" == answer.content_type
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert 404 == (await admin.raw("GET", f"/messages/{message}/files/{'0' * 64}")).status


async def test_a_fetched_file_stays_when_the_mailbox_loses_it(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, GMAIL, "gmail")
    place.deliver(to=GMAIL, files=(("terms.txt", b"Thirty days.", "text/plain"),))
    await place.works()
    message = place.ask("SELECT id FROM postroom.message")
    sha = place.ask("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message")
    path = f"/messages/{message}/files/{sha}"
    assert f'hx-post="{path}/fetch"' in (await admin.get(f"/messages/{message}"))[1]
    fetched = await admin.post(f"{path}/fetch")
    place.own("UPDATE postroom.message SET state = 'gone', because = 'Deleted.', removed_at = now()")
    saved = await admin.raw("GET", path)

    assert (200, True) == (fetched.status, "terms.txt is here." in fetched.headers["HX-Trigger"])
    assert ">here</span>" in await fetched.text()
    assert (200, "Thirty days.") == (saved.status, (await saved.text()).strip())
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'message.attachment_fetched'")
    viewer = await place.come_in("viewer")
    assert 403 == (await viewer.post(f"{path}/fetch")).status


async def test_a_forgotten_mail_says_so(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, GMAIL, "gmail")
    place.deliver(to=GMAIL, subject="Old news")
    await place.works()
    place.own("UPDATE postroom.message SET forgotten_at = now(), subject = NULL, body = NULL, body_html = NULL")
    _, page = await admin.get(f"/messages/{place.ask('SELECT id FROM postroom.message')}")

    assert "(forgotten)" in page
    assert "What it said was forgotten on" in page


async def test_a_search_says_where_to_look_on_when_it_has_looked_through_enough(place: Place, monkeypatch):
    from postroom.reads import messages

    monkeypatch.setattr(messages, "SCAN", 3)
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    place.deliver(subject="Needle")
    for _ in range(5):
        place.deliver(subject="Hay")
    await place.works()
    place.own("UPDATE postroom.message SET received_at = received_at - interval '1 hour' WHERE subject = 'Needle'")
    _, page = await admin.get("/messages?q=needle")
    further = re.search(r'href="(/messages\?[^"]*before=[^"]+)">Look further', page)
    assert further
    _, page = await admin.get(further[1].replace("&amp;", "&"))

    assert ">Needle</a>" in page


async def test_messages_are_paged_without_gap_or_repetition(place: Place):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    for number in range(60):
        place.deliver(subject=f"Letter {number:03}")
    await place.works()
    place.own("UPDATE postroom.message SET received_at = date_trunc('minute', received_at)")  # many at one moment
    path, seen = "/messages", []
    while path:
        _, page = await admin.get(path)
        seen += re.findall(r">(Letter \d+)</a>", page)
        older = re.search(r'href="([^"]+before=[^"]+)" data-key="n"', page)
        path = older[1].replace("&amp;", "&") if older else ""

    assert 60 == len(seen) == len(set(seen))
