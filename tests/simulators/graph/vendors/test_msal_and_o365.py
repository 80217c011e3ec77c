"""Two more clients: MSAL signs in, and O365 reads, answers and sends."""

from __future__ import annotations

import asyncio
import base64
import re
import warnings

import pytest

from simulators.graph.office import ANNA, BERT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the vendors' modules warn about one another
    import msal
    from O365 import Account, MSGraphProtocol
    from O365.utils.token import MemoryTokenBackend
from simulators.graph.vendors.over_tls import BACK, PDF, Tls, note

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the vendors, about themselves


def sign_in(tls: Tls, app: msal.ConfidentialClientApplication, scopes: list[str]) -> dict:
    """What a browser would do: follow the page's link, pick the mailbox, come back."""
    flow = app.initiate_auth_code_flow(scopes, redirect_uri=BACK, login_hint=ANNA, response_mode="form_post")
    with tls.session() as browser:
        page = browser.get(flow["auth_uri"] + "&auto=1", allow_redirects=False).text
    back = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
    return app.acquire_token_by_auth_code_flow(flow, back)


async def test_msal_signs_in_refreshes_and_hears_of_a_revoked_grant(desk, tls):
    def run() -> tuple[dict, dict, dict]:
        with tls.session() as http:
            app = msal.ConfidentialClientApplication(
                "app", client_credential="s", authority=f"{tls.base}/common", instance_discovery=False, http_client=http
            )
            token = sign_in(tls, app, ["Mail.Read"])
            account = app.get_accounts()[0]
            fresh = app.acquire_token_silent_with_error(["Mail.Read"], account, force_refresh=True)
            desk.sim.revoke(ANNA)
            dead = app.acquire_token_silent_with_error(["Mail.Read"], account, force_refresh=True)
            return token, fresh, dead

    token, fresh, dead = await asyncio.to_thread(run)

    assert token["id_token_claims"]["preferred_username"] == ANNA
    assert fresh["access_token"] != token["access_token"]
    assert (dead["error"], dead["error_codes"]) == ("invalid_grant", [50173])


async def test_msal_gets_a_token_for_the_app_itself(desk, tls):
    def run() -> dict:
        with tls.session() as http:
            app = msal.ConfidentialClientApplication(
                "app",
                client_credential="s",
                authority=f"{tls.base}/desk.test",
                instance_discovery=False,
                http_client=http,
            )
            return app.acquire_token_for_client(["https://graph.microsoft.com/.default"])

    token = await asyncio.to_thread(run)

    assert (await desk.get(f"/users/{BERT}", token=token["access_token"])).status == 200


@pytest.mark.filterwarnings("ignore:response_mode=:UserWarning")
async def test_o365_reads_replies_and_sends(desk, tls):
    desk.deliver(note())

    def run() -> dict:
        class Protocol(MSGraphProtocol):
            _protocol_url = f"{tls.base}/"

        account = Account(
            ("app", "secret"),
            protocol=Protocol(timezone="UTC"),
            token_backend=MemoryTokenBackend(),
            verify_ssl=tls.ca,
            requests_delay=0,
        )
        http = tls.session()
        account.con._msal_client = msal.ConfidentialClientApplication(
            "app",
            client_credential="s",
            authority=f"{tls.base}/common",
            instance_discovery=False,
            http_client=http,
            token_cache=account.con.token_backend,
        )
        url, flow = account.con.get_authorization_url(
            ["https://graph.microsoft.com/Mail.ReadWrite", "https://graph.microsoft.com/Mail.Send"], BACK
        )
        answer = http.get(f"{url}&auto=1&login_hint={ANNA}", allow_redirects=False)
        assert account.con.request_token(answer.headers["Location"], flow=flow)
        try:
            return use(account)
        finally:
            http.close()
            account.con.session.close()

    def use(account: Account) -> dict:
        inbox = account.mailbox().inbox_folder()
        [message] = inbox.get_messages(limit=5, download_attachments=True)
        message.mark_as_read()
        reply = message.reply(to_all=False)
        reply.to.clear()
        reply.to.add(BERT)
        reply.body = "<p>From O365</p>"
        reply.send()
        fresh = account.new_message()
        fresh.to.add(BERT)
        fresh.subject = "Fresh"
        fresh.body = "x"
        fresh.save_draft()
        return {
            "subject": message.subject,
            "files": [(one.name, base64.b64decode(one.content)) for one in message.attachments if one.content],
            "folders": {folder.name for folder in account.mailbox().get_folders()},
            "mime": message.get_mime_content(),
            "draft": fresh.is_draft,
            "moved": message.move(account.mailbox().archive_folder()),
        }

    found = await asyncio.to_thread(run)

    assert found["subject"] == "Contract note"
    assert ("note.pdf", PDF) in found["files"]
    assert {"Inbox", "Drafts"} <= found["folders"]
    assert b"Contract note" in found["mime"]
    assert (found["draft"], found["moved"]) == (True, True)
    assert [item.props["subject"] for item in desk.sim.mailboxes[BERT].everything.items.values()] == [
        "RE: Contract note"
    ]
