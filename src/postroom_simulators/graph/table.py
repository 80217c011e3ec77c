"""Which handler answers which path: a tree of segments, literal before placeholder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from .mailbox import SimGraphMailbox
from .request import GraphRequest, GraphResponse

OnMailbox = Callable[[GraphRequest, SimGraphMailbox], GraphResponse | Awaitable[GraphResponse]]
OnService = Callable[[GraphRequest], GraphResponse | Awaitable[GraphResponse]]


@dataclass(frozen=True, slots=True)
class GraphRoute:
    """A handler for something of a mailbox, or (`need` empty) of the service."""

    method: str
    pattern: str
    mailbox: OnMailbox | None = None
    service: OnService | None = None
    need: str = ""  # read, write, send
    name: str = field(init=False)  # of the operation, for faults that are planned: messages.createReply

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _operation(self.method, self.pattern))


_COLLECTIONS = {"messages", "mailFolders", "childFolders", "attachments", "masterCategories", "subscriptions", "users"}
_ON_ALL = {"GET": "list", "POST": "create"}
_ON_ONE = {"GET": "get", "PATCH": "update", "DELETE": "delete"}


def _operation(method: str, pattern: str) -> str:
    """`POST users/{user}/messages/{message}/createReply` is `messages.createReply`."""
    parts = pattern.removeprefix("users/{user}/").removeprefix("outlook/").split("/")
    words = [part.lstrip("$") for part in parts if not part.startswith("{")]
    if pattern == "users/{user}":
        return "users.get"
    if parts[-1].startswith("{"):
        return ".".join([*words, _ON_ONE[method]])
    return ".".join([*words, _ON_ALL[method]] if words[-1] in _COLLECTIONS else words)


@dataclass(slots=True)
class _Node:
    literals: dict[str, _Node] = field(default_factory=dict)
    wildcard: tuple[str, _Node] | None = None
    routes: dict[str, GraphRoute] = field(default_factory=dict)


class RouteTable:
    def __init__(self, routes: list[GraphRoute]) -> None:
        self._root = _Node()
        for route in routes:
            self._add(route)

    def _add(self, route: GraphRoute) -> None:
        node = self._root
        for part in route.pattern.split("/"):
            if part.startswith("{"):
                if node.wildcard is None:
                    node.wildcard = (part[1:-1], _Node())
                node = node.wildcard[1]
            else:
                node = node.literals.setdefault(part.lower(), _Node())
        node.routes[route.method] = route

    def find(self, parts: list[str]) -> tuple[dict[str, GraphRoute], dict[str, str]] | None:
        """The methods known for this path, and what stood for the placeholders."""
        return self._walk(self._root, parts, 0)

    def _walk(self, node: _Node, parts: list[str], at: int) -> tuple[dict[str, GraphRoute], dict[str, str]] | None:
        if at == len(parts):
            return (node.routes, {}) if node.routes else None
        literal = node.literals.get(parts[at].lower())
        if literal is not None and (found := self._walk(literal, parts, at + 1)):
            return found
        if node.wildcard is not None and (found := self._walk(node.wildcard[1], parts, at + 1)):
            found[1][node.wildcard[0]] = parts[at]
            return found
        return None
