"""What one mailbox wants kept, as data that a person can edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from fnmatch import fnmatch
from typing import Any, Literal, get_args

from postroom.nouns.confirming import CONFIRMING_MODES, ConfirmingMode
from postroom.nouns.errors import Misconfigured
from postroom.nouns.mail import Address
from postroom.nouns.pipelines import PIPELINES, PipelineName

FileKind = Literal["pdf", "png", "jpeg", "tiff", "e_invoice", "html", "text", "csv", "docx", "xlsx", "office", "unread"]
"""`office` are files of Office programs that cannot be read here, `unread` pictures, archives and encrypted files:
a person is told."""

FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)
MAX_BYTES = 25 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class MailboxRules:
    """A sender is an address (`anna@bank.test`), a domain with what is below it (`bank.test`), or a glob.

    `confirming` says for each pipeline whether it may confirm by itself; one that is not named may.
    """

    allow_senders: tuple[str, ...] = ()
    deny_senders: tuple[str, ...] = ()
    allow_files: tuple[str, ...] = ()
    deny_files: tuple[str, ...] = ()
    kinds: tuple[FileKind, ...] = FILE_KINDS
    attachments_only: bool = False
    max_bytes: int = MAX_BYTES
    confirming: Mapping[PipelineName, ConfirmingMode] = field(default_factory=dict)

    def confirms(self, pipeline: PipelineName) -> ConfirmingMode:
        return self.confirming.get(pipeline, "on")

    def as_json(self) -> dict[str, Any]:
        """As it is stored: what differs from the default."""
        held = {each.name: (getattr(self, each.name), _default(each)) for each in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, (value, default) in held.items()
            if value != default
        }


def _default(each: Field[Any]) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default


def mailbox_rules(stored: Mapping[str, Any]) -> MailboxRules:
    """Rules from stored settings. Raises Misconfigured with the mistake, and what is possible instead."""
    known = {field.name for field in fields(MailboxRules)}
    if unknown := sorted(set(stored) - known):
        raise Misconfigured(f"Unknown mailbox rule {unknown[0]!r}: use one of {', '.join(sorted(known))}.")
    cleaned: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list | tuple) else value for name, value in stored.items()
    }
    if wrong := [name for name in _LISTS if not isinstance(cleaned.get(name, ()), tuple)]:
        raise Misconfigured(f"The mailbox rule {wrong[0]!r} is a list of texts.")
    if strange := sorted(set(cleaned.get("kinds", ())) - set(FILE_KINDS)):
        raise Misconfigured(f"Unknown kind {strange[0]!r}: use some of {', '.join(FILE_KINDS)}.")
    if "confirming" in cleaned:
        cleaned["confirming"] = confirming_modes(cleaned["confirming"])
    return MailboxRules(**cleaned)


def confirming_modes(said: Mapping[Any, str]) -> dict[PipelineName, ConfirmingMode]:
    """As it is kept: only what differs from `on`."""
    if not isinstance(said, Mapping):
        raise Misconfigured("The mailbox rule 'confirming' names a mode for each pipeline.")
    if odd := sorted(set(said) - set(PIPELINES)):
        raise Misconfigured(f"{odd[0]!r} is not a pipeline; choose among {', '.join(PIPELINES)}.")
    if odd := sorted(set(said.values()) - set(CONFIRMING_MODES)):
        raise Misconfigured(f"{odd[0]!r} is no mode of confirming; choose among {', '.join(CONFIRMING_MODES)}.")
    modes: dict[str, Any] = dict(said)
    return {name: modes[name] for name in PIPELINES if modes.get(name, "on") != "on"}


_LISTS = ("allow_senders", "deny_senders", "allow_files", "deny_files", "kinds")


def listed_sender(sender: Address, entries: Iterable[str]) -> str:
    """The entry that covers this sender, or an empty string."""
    for entry in entries:
        wanted = entry.strip().lower()
        if "*" in wanted or "?" in wanted:
            hit = fnmatch(sender.email, wanted if "@" in wanted else f"*@{wanted}")
        elif "@" in wanted.lstrip("@"):
            hit = sender.email == wanted
        else:
            domain = wanted.lstrip("@")
            hit = bool(domain) and (sender.domain == domain or sender.domain.endswith(f".{domain}"))
        if hit:
            return entry
    return ""


def listed_file(filename: str, globs: Iterable[str]) -> str:
    return next((glob for glob in globs if fnmatch(filename.lower(), glob.lower())), "")
