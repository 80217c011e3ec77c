"""Signing in at an identity provider that others wrote: npm's oidc-provider."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doors.console.place import Browser, Place, open_place
from needs import need_package
from postroom.nouns.identity import LoginState
from stories.office import free_port

HERE = Path(__file__).parent / "oidc"
pytestmark = pytest.mark.service


@pytest.fixture
async def at_provider(dsn: str, owner_dsn: str, tmp_path: Path) -> AsyncIterator[Place]:
    """A house whose people sign in at the provider."""
    need_package(HERE, "oidc-provider")
    port = free_port()
    more = {
        "oidc_issuer": f"http://127.0.0.1:{port}",
        "oidc_client_id": "postroom",
        "oidc_client_secret": "a-secret-of-the-tests",
    }
    async with open_place(dsn, owner_dsn, str(tmp_path / "home"), **more) as place:
        redirect = f"{place.url}/signin/oidc/callback"
        process = await asyncio.create_subprocess_exec(
            "node",
            "serve.mjs",
            str(port),
            redirect,
            cwd=HERE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assert process.stdout is not None
            async with asyncio.timeout(30):
                while b"ready" not in (line := await process.stdout.readline()):
                    assert line, "the provider did not start"
            yield place
        finally:
            process.kill()
            await process.wait()


async def leave(browser: Browser, to: str = "/") -> str:
    """Press the button on our page; returns where we are sent."""
    answer = await browser.raw("GET", f"/signin/oidc?next={to}")
    assert 303 == answer.status, await answer.text()
    return answer.headers["Location"]


async def consent(browser: Browser, target: str, login: str) -> str:
    """Sign in and agree at the provider; returns the address that leads back to us."""
    base = target.split("/auth?")[0]
    for _ in range(8):
        async with browser.session.get(target, allow_redirects=False) as answer:
            if answer.status in (302, 303):
                target = answer.headers["Location"]
                target = target if target.startswith("http") else base + target
                if "/signin/oidc/callback" in target:
                    return target
                continue
            page = await answer.text()
        action = re.search(r'action="([^"]+)"', page)
        prompt = re.search(r'name="prompt" value="([^"]+)"', page)
        assert action, page
        assert prompt, page
        form = {"prompt": prompt[1], "login": login, "password": "anything"}
        async with browser.session.post(action[1], data=form, allow_redirects=False) as answer:
            target = answer.headers["Location"]
    raise AssertionError("The provider never sent us back.")


async def come_back(browser: Browser, back: str) -> tuple[int, str, str]:
    async with browser.session.get(back, allow_redirects=False, headers={"Accept": "text/html"}) as answer:
        return answer.status, answer.headers.get("Location", ""), await answer.text()


async def test_a_known_person_comes_in_and_is_remembered_by_subject(at_provider: Place):
    await at_provider.person("anna@larkspur.example", "operator", password=None)
    browser = at_provider.browser()
    status, location, _ = await come_back(browser, await consent(browser, await leave(browser, "/trades"), "anna"))

    assert (303, "/trades") == (status, location)
    assert 200 == (await browser.get("/trades"))[0]
    assert at_provider.ask("SELECT oidc_subject FROM postroom.person").endswith("|anna")

    at_provider.own("UPDATE postroom.person SET email = 'anna.ash@larkspur.example'")  # a new name, the same person
    again = at_provider.browser()
    assert 303 == (await come_back(again, await consent(again, await leave(again), "anna")))[0]


async def test_somebody_unknown_is_told_what_to_do(at_provider: Place):
    browser = at_provider.browser()
    status, _, page = await come_back(browser, await consent(browser, await leave(browser), "eve"))

    assert 403 == status
    assert "Ask an admin to add you" in page
    assert 0 == at_provider.ask("SELECT count(*) FROM postroom.session")


async def test_an_address_that_the_provider_did_not_prove_lets_nobody_in(at_provider: Place):
    await at_provider.person("unproved@larkspur.example", "admin", password=None)
    browser = at_provider.browser()

    assert 403 == (await come_back(browser, await consent(browser, await leave(browser), "unproved")))[0]


async def test_the_subject_of_another_account_does_not_take_over_an_address(at_provider: Place):
    await at_provider.person("anna@larkspur.example", "admin", password=None)
    at_provider.own("UPDATE postroom.person SET oidc_subject = 'https://elsewhere.example|anna'")
    browser = at_provider.browser()

    assert 403 == (await come_back(browser, await consent(browser, await leave(browser), "anna")))[0]


async def test_only_the_browser_that_went_can_come_back_and_only_once(at_provider: Place):
    await at_provider.person("anna@larkspur.example", password=None)
    browser, thief = at_provider.browser(), at_provider.browser()
    back = await consent(browser, await leave(browser), "anna")
    await leave(thief)

    assert 400 == (await come_back(thief, back))[0]
    assert 303 == (await come_back(browser, back))[0]
    assert 400 == (await come_back(browser, back))[0]


async def test_without_the_cookie_of_the_way_out_nobody_comes_in(at_provider: Place):
    """An empty cookie once made state and nonce constants that anybody can compute: login CSRF."""
    await at_provider.person("anna@larkspur.example", password=None)
    browser, victim = at_provider.browser(), at_provider.browser()
    known = LoginState("")
    target = re.sub(r"state=[^&]+", f"state={known.state}", await leave(browser))
    target = re.sub(r"nonce=[^&]+", f"nonce={known.nonce}", target)
    target = re.sub(r"code_challenge=[^&]+", f"code_challenge={known.challenge}", target)
    status, _, page = await come_back(victim, await consent(browser, target, "anna"))

    assert 400 == status
    assert "not started in this browser" in page
    assert 0 == at_provider.ask("SELECT count(*) FROM postroom.session")


async def test_a_refusal_at_the_provider_is_shown_as_a_page(at_provider: Place):
    browser = at_provider.browser()
    state = re.search(r"state=([^&]+)", await leave(browser))
    assert state
    status, _, page = await come_back(
        browser, f"{at_provider.url}/signin/oidc/callback?error=access_denied&state={state[1]}"
    )

    assert 403 == status
    assert "access_denied" in page


async def test_a_token_for_another_sign_in_is_refused(at_provider: Place, monkeypatch):
    await at_provider.person("anna@larkspur.example", password=None)
    browser = at_provider.browser()
    back = await consent(browser, await leave(browser), "anna")
    monkeypatch.setattr(LoginState, "nonce", property(lambda self: "another"))
    status, _, page = await come_back(browser, back)

    assert 403 == status
    assert "another sign-in" in page
