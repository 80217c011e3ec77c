"""The table of tools: what each is for, what it takes, and the one request of the API that it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import UUID

from postroom.nouns.errors import BadRequest
from postroom.rooms.tenants.rules import Role, Scope, at_least

ID = {"type": "string", "format": "uuid"}
TEXT = {"type": "string", "maxLength": 200}
MOMENT = {"type": "string", "format": "date-time", "description": "With its zone, such as 2026-03-02T09:00:00Z."}
PAGED: dict[str, dict[str, Any]] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20},
    "cursor": {"type": "string", "description": "`next` of the page before."},
}


@dataclass(frozen=True, slots=True)
class ApiRequest:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class AgentTool:
    """One request of the API. Names in braces in its path are required arguments; the others go into the query."""

    name: str
    description: str
    path: str
    scope: Scope
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    role: Role = "viewer"
    method: str = "GET"
    schema: Mapping[str, Any] | None = None  # of a body, which then is all that it takes
    proposes: bool = False

    @property
    def required(self) -> list[str]:
        return [name for name in self.arguments if f"{{{name}}}" in self.path]

    @property
    def input_schema(self) -> Mapping[str, Any]:
        if self.schema is not None:
            return self.schema
        return {
            "type": "object",
            "properties": dict(self.arguments),
            "required": self.required,
            "additionalProperties": False,
        }

    def request(self, given: Mapping[str, Any]) -> ApiRequest:
        """Raises BadRequest: what a model writes is no path of ours."""
        if self.schema is not None:
            return ApiRequest(self.method, self.path, body=dict(given))
        if unknown := sorted(set(given) - set(self.arguments)):
            raise BadRequest(f"{self.name} takes {', '.join(self.arguments) or 'nothing'}; not {unknown[0]!r}.")
        ids = {name: quote(str(_id(self.name, name, given.get(name))), safe="") for name in self.required}
        query = {name: _text(value) for name, value in given.items() if name not in ids and value is not None}
        if "limit" in self.arguments:
            query.setdefault("limit", str(PAGED["limit"]["default"]))
        return ApiRequest(self.method, self.path.format(**ids), query)


def _id(tool: str, name: str, given: object) -> UUID:
    try:
        return UUID(str(given))
    except ValueError:
        raise BadRequest(f"{tool} wants {name}, an id as the lists give it; {given!r} is none.") from None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


READING: tuple[AgentTool, ...] = (
    AgentTool(
        "list_mailboxes", "The mailboxes that are served, and how each is doing.", "/mailboxes", "mailboxes", PAGED
    ),
    AgentTool(
        "list_threads",
        "Conversations, latest first; with a state, those that wait for somebody. `q` searches subject, sender, code.",
        "/threads",
        "threads",
        {
            "state": {"type": "string", "enum": ["open", "ready", "needs_review", "error"]},
            "mailbox_id": ID,
            "q": TEXT,
            **PAGED,
        },
    ),
    AgentTool(
        "read_thread",
        "One conversation: what each turn newly says, what triage makes of it, and its analysis.",
        "/threads/{thread_id}",
        "threads",
        {"thread_id": ID},
    ),
    AgentTool(
        "list_messages",
        "Mails, newest first, each with what became of it in every pipeline and why.",
        "/messages",
        "messages",
        {
            "mailbox": {**TEXT, "description": "The mailbox's address."},
            "thread_id": ID,
            "status": {"type": "string", "enum": ["pending", "processed", "filtered", "failed", "deleted"]},
            "client": {**TEXT, "description": "An account's code."},
            "since": MOMENT,
            "until": MOMENT,
            **PAGED,
        },
    ),
    AgentTool(
        "read_message",
        "One mail with its text and the names and hashes of its files.",
        "/messages/{message_id}",
        "messages",
        {"message_id": ID},
    ),
    AgentTool(
        "list_documents",
        "Files as understood: contract notes, statements, invoices; newest first.",
        "/documents",
        "documents",
        {"message_id": ID, **PAGED},
    ),
    AgentTool(
        "read_document",
        "One document with what was read of it and why it was routed as it was.",
        "/documents/{document_id}",
        "documents",
        {"document_id": ID},
    ),
    AgentTool(
        "list_drafts", "Drafts, newest first, each with its evidence.", "/drafts", "drafts", {"thread_id": ID, **PAGED}
    ),
    AgentTool("read_draft", "One draft with its evidence.", "/drafts/{draft_id}", "drafts", {"draft_id": ID}),
    AgentTool(
        "list_proposals",
        "Mails that wait for a person's yes, and what became of those before; newest first.",
        "/proposals",
        "proposals",
        {"thread_id": ID, "mailbox_id": ID, **PAGED},
    ),
    AgentTool(
        "read_proposal",
        "One proposal: exactly what would go out, and where it stands.",
        "/proposals/{proposal_id}",
        "proposals",
        {"proposal_id": ID},
    ),
    AgentTool("list_evidence", "The papers that answers are drawn from.", "/evidence", "evidence", PAGED),
)


def skill_tool(skill: Mapping[str, Any]) -> AgentTool:
    """A skill of the registry, as the API tells it; its id is the tool's name."""
    asks = " It ends in a proposal; a person decides." if skill["authority"] == "AskMeFirst" else ""
    return AgentTool(
        name=skill["id"],
        description=skill["description"] + asks,
        path=f"/skills/{skill['id']}/run",
        scope="skills",
        role=skill["role"],
        method="POST",
        schema=skill["input_schema"],
        proposes=skill["authority"] != "JustDoIt",
    )


def allowed(tools: Sequence[AgentTool], role: Role, scopes: Sequence[str]) -> list[AgentTool]:
    """Those that the key may use; no scopes: all."""
    return [each for each in tools if at_least(role, each.role) and (not scopes or each.scope in scopes)]
