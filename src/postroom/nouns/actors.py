"""Who did it, as the trail names them and as people read it."""

from __future__ import annotations

import re

_KEY_ID = re.compile(r":[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def key_actor(name: str, key_id: object) -> str:
    """By its id as well: two keys may have one name."""
    return f"key:{name}:{key_id}"


def spoken_actor(actor: str) -> str:
    """`person:anna@desk` → anna@desk, `key:loader:<its id>` → key loader; the rest speaks for itself."""
    kind, _, name = actor.partition(":")
    return {"person": name, "key": f"key {_KEY_ID.sub('', name)}", "cli": f"{name} (command line)"}.get(kind, actor)
