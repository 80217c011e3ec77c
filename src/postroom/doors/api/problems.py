"""What can go wrong, as the API's description tells it (RFC 9457)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"


class KeyReused(HTTPException):
    """422: an idempotency key stands for one request."""

    def __init__(self, detail: str) -> None:
        super().__init__(422, detail)


class PreconditionFailed(HTTPException):
    """412: it is not any more what the caller looked at."""

    def __init__(self, detail: str) -> None:
        super().__init__(412, detail)


class InvalidPartOut(BaseModel):
    """One thing in the request that will not do."""

    where: str = Field(examples=["query.limit"])
    what: str = Field(examples=["Input should be less than or equal to 200"])


class ProblemOut(BaseModel):
    """An answer that says what happened, and in `detail` what to do."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "NotFound",
                    "status": 404,
                    "detail": "There is no mailbox 0193a7c4-0000-7000-8000-000000000000.",
                    "code": "not_found",
                }
            ]
        }
    )

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str | None = Field(None, description="One of the error codes; absent when the request itself is malformed.")
    errors: list[InvalidPartOut] | None = Field(None, description="With 422: each thing that will not do.")


ALWAYS = {
    "400": ("BadRequest", "It cannot be done as asked; the detail says what to change."),
    "401": ("NotSignedIn", "No key, or one that is unknown, expired or revoked."),
    "403": ("NotAllowed", "The key's role or scopes do not suffice."),
    "404": ("NotFound", "There is no such thing here, or it is another tenant's."),
    "422": ("Invalid", "A parameter or the body will not do; `errors` says which."),
    "503": ("Unavailable", "Something we depend on does not answer; try again."),
}
WHEN_ACTING = {
    "409": ("Conflict", "Somebody was first, it was done already, or a person has to act before."),
    "412": ("PreconditionFailed", "`If-Match` names a version that is not the current one."),
    "413": ("BodyTooLarge", "More than may be sent here."),
    "429": ("Throttled", "A provider asks to wait; `Retry-After` says how long."),
}


def document(schema: dict[str, Any]) -> None:
    """Add the shape of a problem, and to every operation the problems it may answer with."""
    parts = schema.setdefault("components", {})
    shapes = ProblemOut.model_json_schema(ref_template="#/components/schemas/{model}")
    parts.setdefault("schemas", {}).update({**shapes.pop("$defs", {}), "ProblemOut": shapes})
    for unused in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(unused, None)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    known = {**ALWAYS, **WHEN_ACTING}
    parts["responses"] = {name: {"description": text, "content": content} for name, text in known.values()}
    for path in schema.get("paths", {}).values():
        for method, operation in path.items():
            possible = ALWAYS if method == "get" else known
            for status, (name, _) in possible.items():
                operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}
