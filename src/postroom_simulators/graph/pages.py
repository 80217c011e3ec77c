"""The pages a person sees at the simulated sign-in."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from .mailbox import SimGraphMailbox


def sign_in(asked: Mapping[str, str], mailboxes: Iterable[SimGraphMailbox], scopes: Iterable[str]) -> str:
    """Who are you, and what may the application do? Boxes left unticked are not granted."""
    kept = {name: text for name, text in asked.items() if name not in {"account", "decline", "consented"}}
    shown = sorted(mailboxes, key=lambda one: one.address)[:200]
    buttons = "".join(
        f'<button name="account" value="{html.escape(one.address)}"><b>{html.escape(one.name)}</b>'
        f"<br>{html.escape(one.address)}</button>"
        for one in shown
    )
    boxes = "".join(
        f'<label><input type="checkbox" name="consented" value="{html.escape(scope)}" checked> '
        f"{html.escape(scope)}</label>"
        for scope in sorted(scopes)
    )
    return _PAGE.format(hidden=_hidden({**kept, "ticked": "1"}), buttons=buttons, boxes=boxes)


def form_post(target: str, said: Mapping[str, str]) -> str:
    form = f'<form method="post" action="{html.escape(target)}">{_hidden(said)}</form>'
    return f"<!doctype html>{form}<script>document.forms[0].submit()</script>"


def _hidden(fields: Mapping[str, str]) -> str:
    return "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(text)}">' for name, text in fields.items()
    )


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">
<title>Pick an account</title>
<style>body{{font:16px system-ui;max-width:26rem;margin:10vh auto;padding:0 1rem}}
button{{display:block;width:100%;text-align:left;padding:.7rem 1rem;margin:.4rem 0;font:inherit}}
label{{display:block}}small{{color:#666}}</style></head><body><h1>Pick an account</h1>
<p><small>Simulated sign-in: no password, nothing leaves this machine.</small></p>
<form method="post">{hidden}
<fieldset><legend>The application may</legend>{boxes}</fieldset>
{buttons}
<button name="decline" value="1">Decline</button></form></body></html>
"""
