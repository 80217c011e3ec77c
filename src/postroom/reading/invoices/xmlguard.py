"""XML from strangers as a plain tree: no document types, no entities, nothing fetched, nothing endless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from xml.parsers import expat

_LONGEST = 20 * 1024 * 1024
_DEEPEST = 60
_MOST_NODES = 250_000
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,12})?|\.\d{1,12})")


class BadXml(ValueError):
    """Not well-formed, or it asks for more than data."""


@dataclass(slots=True)
class XmlNode:
    """An element by its local name; namespaces differ between versions that mean the same."""

    name: str
    attributes: dict[str, str]
    children: list[XmlNode] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()

    def all(self, path: str) -> Iterator[XmlNode]:
        """Every node at `A/B/C` below this one."""
        name, _, rest = path.partition("/")
        for child in self.children:
            if child.name == name:
                if rest:
                    yield from child.all(rest)
                else:
                    yield child

    def first(self, *paths: str) -> str:
        """The text of the first node that has any, trying the paths in turn."""
        return next((node.text for path in paths for node in self.all(path) if node.text), "")

    def below(self, *names: str) -> Iterator[XmlNode]:
        """Nodes of these names, however deep."""
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.below(*names)


class _Tree:
    def __init__(self) -> None:
        self.root: XmlNode | None = None
        self.open: list[XmlNode] = []
        self.count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= _DEEPEST or self.count > _MOST_NODES:
            raise BadXml("The XML nests deeper or holds more than any invoice does.")
        node = XmlNode(name.rpartition("}")[2], {key.rpartition("}")[2]: text for key, text in attributes.items()})
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def end(self, _name: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        if self.open:
            self.open[-1].parts.append(text)


def parse(content: bytes) -> XmlNode:
    """The root of a document that is data and nothing else."""
    if len(content) > _LONGEST:
        raise BadXml(f"The XML is larger than {_LONGEST // (1024 * 1024)} MB.")
    tree = _Tree()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.data
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(content.lstrip(b"\x00 \t\r\n"), True)  # noqa: FBT003 - expat takes it by position only
    except BadXml:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # the latter for encodings that are none
        raise BadXml(f"The XML is not well-formed: {error}.") from error
    if tree.root is None:
        raise BadXml("The XML is empty.")
    return tree.root


def number(text: str) -> Decimal | None:
    """Plain decimals only: an exponent would make a number of a million digits."""
    text = text.strip()
    return Decimal(text) if text.isascii() and _NUMBER.fullmatch(text) else None


def _refuse(*_: object) -> int:
    raise BadXml("The XML declares a document type or entities; e-invoices never do.")
