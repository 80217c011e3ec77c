"""The page on which a person picks a mailbox and says yes, or only to some of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

_STYLE = (
    "body{font:16px system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color:#202124}"
    "fieldset{border:1px solid #dadce0;border-radius:8px;margin:1rem 0;padding:1rem}"
    "label{display:block;margin:.4rem 0}button{font:inherit;padding:.5rem 1.5rem;margin-right:1rem}"
    "small{color:#5f6368}"
)


def consent(asked: Mapping[str, str], addresses: Iterable[str], hint: str) -> str:
    """`asked` is the authorization request; it comes back with the answer."""
    kept = "".join(f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in asked.items())
    boxes = "".join(_choice(address, chosen=address == hint.lower()) for address in addresses)
    scopes = "".join(_tick(scope) for scope in asked.get("scope", "").split())
    return _page(
        "Choose an account",
        f"<p>to go on to <b>{escape(asked.get('client_id', ''))}</b></p>"
        f'<form method="post">{kept}'
        f"<fieldset><legend>Mailbox</legend>{boxes or 'No mailboxes yet.'}</fieldset>"
        f"<fieldset><legend>It asks for</legend>{scopes}</fieldset>"
        '<button name="answer" value="allow">Allow</button>'
        '<button name="answer" value="deny" formnovalidate>Cancel</button></form>',
    )


def refusal(title: str, text: str) -> str:
    return _page(title, f"<p>{escape(text)}</p>")


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title>"
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>{body}"
        "<p><small>A simulated Google.</small></p></html>"
    )


def _choice(address: str, *, chosen: bool) -> str:
    mark = " checked" if chosen else ""
    shown = escape(address)
    return f'<label><input type="radio" name="mailbox" value="{shown}" required{mark}> {shown}</label>'


def _tick(scope: str) -> str:
    shown = escape(scope)
    return f'<label><input type="checkbox" name="granted" value="{shown}" checked> {shown}</label>'
