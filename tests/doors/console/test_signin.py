"""Coming in, staying in, and being kept out."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from doors.console.place import PASSWORD, Place, open_place
from postroom.nouns.errors import NotAllowed, NotFound, PostroomError, Throttled
from postroom.rooms.tenants import commands, rules

ANNA = "anna@larkspur.example"


async def test_a_person_signs_in_with_a_password_and_signs_out(place: Place):
    await place.person(ANNA, "operator")
    browser = place.browser()

    assert (303, "") == await browser.get("/")
    answer = await browser.sign_in("Anna@Larkspur.example")
    assert (303, "/") == (answer.status, answer.headers["Location"])
    assert 200 == (await browser.get("/"))[0]

    await browser.raw("POST", "/signout", data={"csrf": await browser.token()})
    assert 303 == (await browser.get("/"))[0]
    assert 0 == place.ask("SELECT count(*) FROM postroom.session")


async def test_the_cookie_is_kept_from_scripts_and_the_database_holds_only_its_digest(place: Place):
    await place.person(ANNA)
    answer = await place.browser().sign_in(ANNA)

    cookie = answer.cookies["postroom-session"]
    assert (True, "lax", "/") == (cookie["httponly"], cookie["samesite"].lower(), cookie["path"])
    held = place.ask("SELECT digest FROM postroom.session")
    assert rules.digest_of(cookie.value) == bytes(held)
    assert cookie.value.encode() not in bytes(held)


async def test_over_https_the_cookie_is_secure_and_bound_to_the_host(dsn, owner_dsn, tmp_path):
    async with open_place(dsn, owner_dsn, str(tmp_path), public_url="https://mail.larkspur.example") as place:
        async with place.browser().session.get(f"http://127.0.0.1:{place.house.settings.port}/signin") as answer:
            cookie = answer.cookies["__Host-postroom-door"]
        assert (True, True) == (bool(cookie["secure"]), bool(cookie["httponly"]))


@pytest.mark.parametrize(("email", "password"), [(ANNA, "wrong password!!"), ("nobody@larkspur.example", PASSWORD)])
async def test_a_refusal_does_not_say_which_part_was_wrong(place: Place, email, password):
    await place.person(ANNA)
    answer = await place.browser().sign_in(email, password)

    assert 403 == answer.status
    assert "Address and password do not match" in await answer.text()
    assert 0 == place.ask("SELECT count(*) FROM postroom.session")


async def test_guessing_is_slowed_down_even_when_the_guess_is_right_at_last(place: Place):
    await place.person(ANNA)
    browser = place.browser()
    answers = [(await browser.sign_in(ANNA, f"wrong password {number}")).status for number in range(5)]
    last = await browser.sign_in(ANNA)

    assert [403] * 5 == answers
    assert 429 == last.status
    assert "Too many attempts" in await last.text()


async def test_many_guesses_at_once_count_like_guesses_one_after_the_other(place: Place):
    await place.person(ANNA)
    house = place.house

    async def guess(number: int) -> str:
        try:
            await commands.enter_with_password(
                house.db, house.scope, ANNA, f"wrong {number}", commands.SignInSource("9.9.9.9"), house.clock()
            )
        except PostroomError as problem:
            return type(problem).__name__
        return "let in"

    outcomes = await asyncio.gather(*[guess(number) for number in range(20)])
    assert 5 == outcomes.count("NotAllowed")
    assert 15 == outcomes.count("Throttled")


async def test_a_right_password_is_forgiven_its_wrong_ones(place: Place):
    await place.person(ANNA)
    for _ in range(2):
        for number in range(3):
            await place.browser().sign_in(ANNA, f"wrong password {number}")
        assert 303 == (await place.browser().sign_in(ANNA)).status


async def test_an_office_behind_one_address_may_sign_in_as_often_as_it_likes(place: Place):
    """Sixty an hour were free per address, right ones counted too."""
    await place.person(ANNA)
    house = place.house
    for _ in range(65):
        await commands.enter_with_password(
            house.db, house.scope, ANNA, PASSWORD, commands.SignInSource("9.9.9.9"), house.clock()
        )
    assert 0 == place.ask("SELECT max(tries) FROM postroom.signin_try")


async def test_a_right_password_does_not_forgive_what_was_guessed_at_others(place: Place):
    await place.person(ANNA)
    house, source = place.house, commands.SignInSource("9.9.9.9")
    for number in range(59):
        with pytest.raises(NotAllowed):
            await commands.enter_with_password(
                house.db, house.scope, f"p{number}@larkspur.example", "x", source, house.clock()
            )
    await commands.enter_with_password(house.db, house.scope, ANNA, PASSWORD, source, house.clock())
    with pytest.raises(NotAllowed):
        await commands.enter_with_password(house.db, house.scope, "q@larkspur.example", "x", source, house.clock())
    with pytest.raises(Throttled):
        await commands.enter_with_password(house.db, house.scope, "r@larkspur.example", "x", source, house.clock())


async def test_guesses_from_a_whole_ipv6_network_count_as_one_source(place: Place):
    house = place.house

    async def guess(number: int) -> None:
        source = commands.SignInSource(f"2001:db8:7:7::{number:x}")
        await commands.enter_with_password(
            house.db, house.scope, f"p{number}@larkspur.example", "x", source, house.clock()
        )

    for number in range(60):
        with pytest.raises(NotAllowed):
            await guess(number)
    with pytest.raises(Throttled):
        await guess(60)


async def test_somebody_unknown_is_noted_like_somebody_known(place: Place):
    """What is written differs, but as much is done: the time must not tell who is known."""
    await place.person(ANNA)
    await place.browser().sign_in(ANNA, "wrong password!!")
    await place.browser().sign_in("nobody@larkspur.example", "wrong password!!")

    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'session.refused'")
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'security.event'")
    assert "nobody@" not in place.ask("SELECT string_agg(body::text, '') FROM postroom.fact")


@pytest.mark.parametrize(("tries", "seconds"), [(4, None), (5, 10), (6, 20), (8, 80), (40, 900)])
def test_the_pause_doubles_up_to_a_quarter_of_an_hour(tries, seconds):
    assert rules.pause_after(tries, 5) == (timedelta(seconds=seconds) if seconds else None)


async def test_a_link_lets_in_once(place: Place):
    link = await place.link()
    await place.browser().follow(link)

    late = place.browser()
    answer = await late.raw(
        "POST",
        link.removeprefix(place.url),
        data={"csrf": await late.token("/signin")},
        headers={"Accept": "text/html"},
    )
    assert 403 == answer.status
    assert "used already" in await answer.text()
    assert ("admin@localhost", "admin") == place.ask("SELECT (email, role) FROM postroom.person")


async def test_looking_at_a_link_does_not_use_it_up(place: Place):
    link = await place.link()
    for _ in range(3):
        assert 200 == (await place.browser().get(link.removeprefix(place.url)))[0]
    await place.browser().follow(link)


async def test_a_link_is_good_for_a_quarter_of_an_hour(place: Place):
    link = await place.link()
    place.own("UPDATE postroom.signin_link SET expires_at = expires_at - interval '16 minutes'")
    browser = place.browser()
    answer = await browser.raw("POST", link.removeprefix(place.url), data={"csrf": await browser.token("/signin")})

    assert 403 == answer.status


async def test_a_link_for_somebody_unknown_says_how_to_add_them(place: Place):
    with pytest.raises(NotFound, match="postroom person add"):
        await place.link("nobody@larkspur.example")


async def test_a_session_ends_when_it_was_not_used_for_long_and_slides_when_it_was(place: Place):
    browser = await place.come_in()
    place.own(
        "UPDATE postroom.session SET seen_at = seen_at - interval '6 minutes', expires_at = expires_at - interval '6 hours'"
    )
    before = place.ask("SELECT expires_at FROM postroom.session")
    assert 200 == (await browser.get("/"))[0]
    assert place.ask("SELECT expires_at FROM postroom.session") > before

    place.own("UPDATE postroom.session SET expires_at = now() - interval '1 day'")
    assert 303 == (await browser.get("/"))[0]


async def test_somebody_who_is_locked_out_is_out_at_once(place: Place):
    await place.come_in("admin")
    browser = await place.come_in("operator")
    email = place.ask("SELECT email FROM postroom.person WHERE role = 'operator'")
    await commands.change_person(place.house.scope(place.tenant, "test"), email, disabled=True)

    assert 303 == (await browser.get("/"))[0]
    answer = await place.browser().sign_in(email)
    assert 403 == answer.status


async def test_a_new_password_ends_the_other_sessions(place: Place):
    await place.person(ANNA)
    here, there = place.browser(), place.browser()
    for browser in (here, there):
        await browser.sign_in(ANNA)
    new = "another long password"
    answer = await here.post("/settings/password", {"old": PASSWORD, "new": new, "again": new})

    assert 200 == answer.status
    assert (200, 303) == ((await here.get("/"))[0], (await there.get("/"))[0])
    assert 303 == (await place.browser().sign_in(ANNA, new)).status


async def test_whoever_is_known_in_two_tenants_says_which_one(place: Place):
    other = await place.tenant_named("other")
    await place.person(ANNA)
    await place.person(ANNA, "viewer", other)

    answer = await place.browser().sign_in(ANNA)
    assert 400 == answer.status
    assert 'name="tenant"' in await answer.text()

    browser = place.browser()
    assert 303 == (await browser.sign_in(ANNA, tenant="other")).status
    assert "viewer · other" in (await browser.get("/"))[1]


@pytest.mark.parametrize("token", ["", "wrong", "0011223344556677.00"])
async def test_no_form_is_taken_without_the_page_s_own_token(place: Place, token):
    browser = await place.come_in()
    answer = await browser.post("/settings/people", {"email": "eve@evil.example", "role": "admin"}, token=token)

    assert 403 == answer.status
    assert 1 == place.ask("SELECT count(*) FROM postroom.person")


async def test_a_token_of_another_session_is_worth_nothing(place: Place):
    mine, theirs = await place.come_in(), await place.come_in()
    answer = await mine.post(
        "/settings/people", {"email": "eve@evil.example", "role": "admin"}, token=await theirs.token()
    )

    assert 403 == answer.status


@pytest.mark.parametrize("csrf", ["x.y", rules.csrf_of("")], ids=["made up", "made for no cookie"])
async def test_sign_in_itself_cannot_be_forged(place: Place, csrf):
    await place.person(ANNA)
    answer = await place.browser().raw("POST", "/signin", data={"email": ANNA, "password": PASSWORD, "csrf": csrf})

    assert 403 == answer.status
    assert 0 == place.ask("SELECT count(*) FROM postroom.session")


async def test_signing_in_anew_ends_the_session_that_the_browser_had(place: Place):
    await place.person(ANNA)
    browser = place.browser()
    await browser.sign_in(ANNA)
    held = next(cookie.value for cookie in browser.session.cookie_jar if cookie.key == "postroom-session")
    await browser.follow(await place.link(ANNA))

    assert 200 == (await browser.get("/"))[0]
    thief = await place.browser().raw("GET", "/", cookies={"postroom-session": held}, headers={"Accept": "text/html"})
    assert 303 == thief.status


async def test_a_link_from_another_site_is_not_followed_by_itself(place: Place):
    """Else a stranger could sign somebody in as the stranger, and read what they then enter."""
    link = (await place.link(await place.person(ANNA))).removeprefix(place.url)
    _, typed = await place.browser().get(link, Sec_Fetch_Site="none")
    _, sent = await place.browser().get(link, Sec_Fetch_Site="cross-site")

    assert ANNA in typed
    assert ANNA in sent
    assert "data-submit-now" in typed
    assert "data-submit-now" not in sent


async def test_a_weak_password_is_refused_at_every_door(place: Place):
    admin = await place.come_in()
    for path, form in (
        ("/settings/people", {"email": "ben@larkspur.example", "role": "viewer", "password": "Summer2026!!"}),
        ("/settings/password", {"new": "Summer2026!!", "again": "Summer2026!!"}),
    ):
        answer = await admin.post(path, form)
        assert (400, True) == (answer.status, "everybody tries first" in answer.headers["HX-Trigger"])


async def test_nothing_personal_is_kept_by_browsers_or_proxies(place: Place):
    admin = await place.come_in()
    for path in ("/", "/settings", "/signin", "/api/v1/people", "/api/v1/openapi.json", "/nothing", "/api/v1/nothing"):
        answer = await admin.raw("GET", path)
        assert (path, "no-store") == (path, answer.headers["Cache-Control"])
        assert "nosniff" == answer.headers["X-Content-Type-Options"]


async def test_a_proxy_that_nobody_named_is_noticed_once(place: Place):
    for _ in range(3):
        await place.browser().get("/signin", X_Forwarded_For="203.0.113.9")
    await place.until("SELECT count(*) FROM postroom.fact WHERE kind = 'security.event'", 1)
    assert "POSTROOM_TRUSTED_PROXIES" in place.ask(
        "SELECT body ->> 'what' FROM postroom.fact WHERE kind = 'security.event'"
    )
    assert "127.0.0.1" == place.ask("SELECT body ->> 'source' FROM postroom.fact WHERE kind = 'security.event'")


@pytest.mark.parametrize(
    "to",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\t/evil.example", "/ok\\x"],
)
async def test_after_sign_in_nobody_is_sent_elsewhere(place: Place, to):
    await place.person(ANNA)
    answer = await place.browser().sign_in(ANNA, next=to)

    assert "/" == answer.headers["Location"]


async def test_sign_in_leads_back_to_the_page_that_was_asked_for(place: Place):
    await place.person(ANNA)
    browser = place.browser()
    answer = await browser.raw("GET", "/messages?q=gold", headers={"Accept": "text/html"})
    assert "/signin?next=/messages%3Fq%3Dgold" == answer.headers["Location"]

    assert "/messages?q=gold" == (await browser.sign_in(ANNA, next="/messages?q=gold")).headers["Location"]
