"""The reference is complete: every request, with the role it needs."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import FastAPI

from doors.api.asking import STREAMS, Ask
from postroom.doors.api import mount
from postroom.doors.api.keys import SCOPES

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "api.md"


def test_the_reference_lists_every_request_with_its_role_and_summary():
    app = FastAPI()
    mount(app)
    expected = set()
    for path, operations in app.openapi()["paths"].items():
        short = path.removeprefix("/api/v1")
        for method, operation in operations.items():
            role = "viewer" if short in STREAMS else Ask(method.upper(), short).role
            expected.add((f"{method.upper()} {path}", role, operation["summary"]))
    listed = set(re.findall(r"^\| `([A-Z]+ \S+)` \| (\w+) \| (.+) \|$", REFERENCE.read_text(), re.MULTILINE))
    assert expected == listed


def test_the_scopes_of_a_key_are_the_collections():
    app = FastAPI()
    mount(app)
    tags = {
        tag for operations in app.openapi()["paths"].values() for each in operations.values() for tag in each["tags"]
    }
    assert tags == set(SCOPES)
