"""The addresses a Gmail account may send from: its own and its aliases."""

from __future__ import annotations

from typing import Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail.operations import GmailRequest, operation, scopes

_SETTINGS = scopes("readonly", "modify", "settings.basic")


@operation("settings.sendAs.list", "GET", "settings/sendAs", _SETTINGS, 1)
def list_send_as(request: GmailRequest) -> dict[str, Any]:
    return {"sendAs": [_shown(request, address) for address in request.box.addresses]}


@operation("settings.sendAs.get", "GET", "settings/sendAs/{sendAsEmail}", _SETTINGS, 1)
def get_send_as(request: GmailRequest) -> dict[str, Any]:
    address = request.path["sendAsEmail"].lower()
    if address not in request.box.addresses:
        raise errors.not_found()
    return _shown(request, address)


def _shown(request: GmailRequest, address: str) -> dict[str, Any]:
    shown = {"sendAsEmail": address, "displayName": request.box.name, "replyToAddress": "", "signature": ""}
    if address == request.box.address:
        return {**shown, "isPrimary": True, "isDefault": True}
    return {**shown, "treatAsAlias": True, "verificationStatus": "accepted"}
