"""The description is true: whatever is sent, the answer is one of those it names, in the shape it names."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from doors.api.asking import STREAMS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ROLES = ("admin", "operator", "admin", "viewer", "admin", None)
EXAMPLES = 6
LONGEST_MADE_UP = 4_000  # letters; nobody here makes up a longer text
SETTINGS = hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)


def with_shorter_texts(described: Any) -> Any:
    """The same, but for texts that may be longer than any that is made up: of a pattern and a length schemathesis makes one
    regular expression, and compiles it, for as many letters, at every turn."""
    if isinstance(described, list):
        return [with_shorter_texts(each) for each in described]
    if not isinstance(described, dict):
        return described
    kept = {name: with_shorter_texts(each) for name, each in described.items()}
    if isinstance(kept.get("pattern"), str) and isinstance(kept.get("maxLength"), int):
        kept["maxLength"] = min(kept["maxLength"], LONGEST_MADE_UP)
    return kept


class Explorer:
    """Sends everything that the description allows, and things it does not, as every role in turn."""

    def __init__(self, url: str, keys: dict[str, str], ids: dict[str, Any]) -> None:
        self.url, self.keys, self.ids = url, keys, ids
        self.seen: Counter[tuple[str, int]] = Counter()
        self.session = requests.Session()  # else each question would open a connection of its own
        self.session.trust_env = False

    def ask(self, case: Any) -> None:
        number = self.seen.total()
        role = ROLES[number % len(ROLES)]
        if number % 4:  # mostly about what is really there
            for name in case.path_parameters or {}:
                case.path_parameters[name] = str(self.ids.get(name, 1))
        headers = {"Authorization": f"Bearer {self.keys[role]}"} if role else {}
        response = case.call(base_url=self.url, session=self.session, headers=headers, timeout=30)
        self.seen[(case.operation.label, response.status_code)] += 1
        case.validate_response(response, checks=CHECKS)

    def explore(self, description: dict[str, Any]) -> None:
        for result in schemathesis.openapi.from_dict(description).get_all_operations():
            operation = result.ok()
            if operation.path.removeprefix("/api/v1") not in STREAMS:
                for mode in GenerationMode:
                    self.explore_one(operation, mode)

    def explore_one(self, operation: Any, mode: GenerationMode) -> None:
        ask = hypothesis.given(case=operation.as_strategy(generation_mode=mode))(SETTINGS(lambda case: self.ask(case)))
        try:
            ask()
        except hypothesis.errors.Unsatisfiable:
            assert mode.is_negative, operation.label  # nothing it could get wrong


@pytest.mark.long
@pytest.mark.timeout(1200)  # a minute of work, beside three others on two cores
async def test_whatever_is_sent_the_answer_is_as_described(api):
    explorer = Explorer(api.url, api.keys, api.ours.ids)
    await asyncio.to_thread(explorer.explore, with_shorter_texts(api.app.openapi()))
    done = {label for label, status in explorer.seen if status < 300}
    assert len(done) > 40, sorted(done)  # it got through, and did not only knock
    assert {401, 403, 404, 422} <= {status for _, status in explorer.seen}


async def test_the_description_is_openapi_3_1_and_says_all_there_is_to_say(api):
    description = (await api.by("viewer").get("/openapi.json")).json()
    assert "3.1.0" == description["openapi"]
    assert {"key": {"type": "http", "scheme": "bearer"}} == {
        name: {"type": each["type"], "scheme": each["scheme"]}
        for name, each in description["components"]["securitySchemes"].items()
    }
    told = {tag["name"] for tag in description["tags"]}
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert set(operation["tags"]) <= told
            assert [{"key": []}] == operation["security"], path
            assert {"400", "401", "403", "404", "422", "503"} <= set(operation["responses"])
            headers = {each["name"] for each in operation.get("parameters", []) if each["in"] == "header"}
            assert ("Idempotency-Key" in headers) == (method == "post"), path
    assert "HTTPValidationError" not in description["components"]["schemas"]
    assert not re.search(r"(/root/|127\.0\.0\.1)", str(description))


async def test_rubbish_is_refused_and_never_our_fault(api):
    order, key = "/orders", "/keys"
    json_type = {"content-type": "application/json"}
    for path, options in (
        (order, {"content": b"{", "headers": json_type}),
        (order, {"content": b"[" * 100_000, "headers": json_type}),
        (order, {"content": b'{"\\ud800": 1}', "headers": json_type}),
        (order, {"content": b"\xff\xfe\x00", "headers": json_type}),
        (order, {"content": b"1e999999", "headers": json_type}),
        (order, {"content": b'{"username": NaN}', "headers": json_type}),
        (order, {"content": b"username=x", "headers": {"content-type": "application/x-www-form-urlencoded"}}),
        (order, {"content": b"{}", "headers": {"content-type": "application/json; charset=nonsense"}}),
        (key, {"json": {"name": "a\0b", "role": "viewer"}}),
        (key, {"content": b'{"name": "\\ud800", "role": "viewer"}', "headers": json_type}),
        (key, {"json": {"name": "x", "role": "viewer", "days": 10**40}}),
        ("/attempts/retry", {"json": {"attempt_ids": [2**63]}}),
        ("/documents", {"content": b"--x\r\nrubbish", "headers": {"content-type": "multipart/form-data; boundary=x"}}),
        ("/documents", {"content": b"rubbish", "headers": {"content-type": "multipart/form-data"}}),
        ("/documents", {"files": {"file": ("", b"%PDF-")}}),
        ("/orders/import", {"files": {"file": ("x.csv", b"\x00\xff" * 100)}}),
        ("/orders/import", {"data": {"file": "not a file"}}),
        (f"/mailboxes/{api.ours['mailbox_id']}/resync", {"json": {"since": "0001-01-01T00:00:00"}}),
        (f"/documents/{api.ours['document_id']}/confirm", {"json": {"revision": 10**22}}),
        (f"/documents/{api.ours['document_id']}/reject", {"json": {"because": "No.", "revision": 2**31}}),
        (f"/documents/{api.ours['document_id']}/undo", {"json": {"revision": 2**63}}),
        (f"/mappings/{api.ours['mapping_id']}/confirm", {"json": {"account": "ACME", "revision": 2**31}}),
    ):
        answer = await api.by("admin").post(path, **options)
        assert 400 <= answer.status_code < 500, (path, options, answer.text)
        assert "application/problem+json" == answer.headers["content-type"], (path, options)
    for path in (
        "/messages?pipeline=%00",
        "/messages?mailbox=%ff%00",
        "/facts?kind=%5C",
        "/messages/%00",
        "/jobs/99999999999999999999",
        "/messages?since=9999-12-31T23:59:59-23:59",
        "/attempts?since=0001-01-01T00:00:00%2B23:59",
        "/nothing",
    ):
        assert (await api.by("viewer").get(path)).status_code < 500, path


async def test_the_earliest_and_latest_moments_are_understood(api):
    for since in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        for path in ("/messages", "/facts", "/attempts"):
            assert 200 == (await api.by("viewer").get(path, params={"since": since})).status_code
        answer = await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/reconcile", json={"since": since})
        assert 202 == answer.status_code
