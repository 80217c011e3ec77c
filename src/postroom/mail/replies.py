"""The sender's new words, told from what the mail program quotes and from the signature."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

QUOTED = re.compile(r"^\s?(?:[A-Za-z]{0,3}>|\|(?:\s|$))")
_EMAIL = r"[^\s<>@]+@[^\s<>@]+"
_TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2}\s?(?:am|pm|uhr)\b|\b(?:19|20)\d\d\b", re.IGNORECASE)
_SHORT_ATTRIBUTION = re.compile(
    r"^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ ,]+\d{1,2}:\d{2})?(?:[ ,]+(?:GMT|UTC)[+-]\d{1,2}:?\d{2})?"
    rf"[ ,]+(?:.{{0,80}}<\s?{_EMAIL}>:?|\S.{{0,60}})$"
)
QUOTE_MARKS = re.compile(r"^(?:\s{0,3}>)+\s?")
_SIGNATURE_MARK = re.compile(r"^(?:--|—|––|_{5,}|-{2}\s)\s*$")
_RULE_LINE = re.compile(r"^[>\s]*[-_=*]{3,}\s*$")
_LABEL = re.compile(r"^[\s>|]*[*_]{0,2}([^\W\d][^:：*]{0,24}?)[*_]{0,2}\s?[:：][*_]{0,2}(?:\s|$)")
_LABELS_OF_A_HEADER = 3  # a blank line below so many ends it; programs that write HTML leave some between
_WRAPPED = 3  # an attribution is broken over at most so many lines
_LONGEST_SIGNATURE = 15
_LONGEST = 400_000  # characters looked at; what lies beyond was not typed today
_LONGEST_NAMING = 60  # characters of one that says no more than who wrote it
_LONGEST_MARK = 300  # characters of a line that announces an old mail


@dataclass(frozen=True, slots=True)
class Parts:
    new: str
    quoted: str
    signature: str


@dataclass(frozen=True, slots=True)
class _Words:
    wrote: re.Pattern[str]
    on: re.Pattern[str]
    labels: dict[str, frozenset[str]]
    original: re.Pattern[str]
    forwarded: re.Pattern[str]
    device: re.Pattern[str]


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


@cache
def _words() -> _Words:
    text = resources.files(__package__).joinpath("replies.toml").read_text("utf-8")
    raw: dict[str, list[str]] = tomllib.loads(text)
    return _Words(
        wrote=re.compile(
            rf"(?:^|[\s>\"»,)]){_any_of(raw['wrote'])}(?=$|[\s:：,\"<(])|{_any_of(raw['wrote_unspaced'])}",
            re.IGNORECASE,
        ),
        on=re.compile(rf"^[\s>*-]*{_any_of(raw['on'])}\b", re.IGNORECASE),
        labels={key: frozenset(raw[key]) for key in ("from", "sent", "to", "subject", "more")},
        original=re.compile(
            rf"^[\s>]*[-_=*]{{2,}}\s*[^-_]{{0,20}}{_any_of(raw['original'])}[^-_]{{0,60}}[-_=*]{{2,}}\s*$",
            re.IGNORECASE,
        ),
        forwarded=re.compile(rf"^[\s>]*{_any_of(raw['forwarded'])}\s?:?\s*$", re.IGNORECASE),
        device=re.compile(
            rf"^\W{{0,3}}{_any_of(raw['device'])}\b.{{0,90}}$|^.{{0,40}}\b{_any_of(raw['machine'])}\b.{{0,40}}$",
            re.IGNORECASE,
        ),
    )


def split_reply(text: str) -> Parts:
    """New words, quoted words, signature. A bare forward speaks through what it forwards."""
    parts = _split(text)
    if parts.new or parts.signature or not parts.quoted or QUOTED.match(parts.quoted):
        return parts
    inner = _split(_below_header_block(parts.quoted))
    return Parts(new=inner.new, quoted=parts.quoted, signature=inner.signature)


def mails_of_chain(text: str) -> list[str]:
    """What each mail of a chain says, the newest first, without quote marks, headers and marked signatures."""
    raw = text[:_LONGEST].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [QUOTE_MARKS.sub("", line).rstrip() for line in raw]
    mails: list[list[str]] = [[]]
    at = 0
    while at < len(lines):
        if span := _announcement(lines, at):
            mails.append([])
            at += span
        else:
            mails[-1].append(lines[at])
            at += 1
    told = (_joined(_without_signature(_without_last_rule(mail))[0]) for mail in mails)
    return [each for each in told if each.strip()]


def _announcement(lines: Sequence[str], at: int) -> int:
    """How many lines from here announce an older mail; 0 if none does."""
    if not _starts_old_mail(lines, at):
        return _attribution(lines, at)
    if not _header_block(lines, at):
        return 1
    below, labels = at, 0
    while below < len(lines):
        line = lines[below]
        if _kind_of_label(line, _words()):
            labels += 1
        elif not (line.startswith((" ", "\t")) or (not line and labels < _LABELS_OF_A_HEADER)):
            break
        below += 1
    return below - at


def _below_header_block(text: str) -> str:
    lines = text.split("\n")
    last_label = max((at for at, line in enumerate(lines[:16]) if _kind_of_label(line, _words())), default=0)
    below = last_label + 1
    while below < len(lines) and lines[below].strip():
        below += 1
    return "\n".join(lines[below:])


def _split(text: str) -> Parts:
    lines = text[:_LONGEST].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept, quoted = _without_quotes([line.rstrip() for line in lines])
    body, signature = _without_signature(kept)
    return Parts(new=_joined(body), quoted=_joined(quoted), signature=_joined(signature))


def _joined(lines: Sequence[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n").rstrip()


def _without_quotes(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    quoted: list[str] = []
    at, said = 0, False
    while at < len(lines):
        if _starts_old_mail(lines, at):
            quoted.extend(lines[at:])
            break
        if span := _attribution(lines, at):
            below = at + span
            if _quote_follows(lines, below) or not said:
                quoted.extend(lines[at:below])
                at = below
                continue
            quoted.extend(lines[at:])
            break
        if QUOTED.match(lines[at]):
            quoted.append(lines[at])
        else:
            kept.append(lines[at])
            said = said or bool(lines[at].strip())
        at += 1
    return _without_last_rule(kept), quoted


def _without_last_rule(kept: list[str]) -> list[str]:
    """The rule that a program draws above the old mail is not the sender's."""
    while kept and (not kept[-1].strip() or _RULE_LINE.match(kept[-1])):
        kept.pop()
    return kept


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    for line in lines[at : at + 4]:
        if line.strip():
            return bool(QUOTED.match(line))
    return False


def _starts_old_mail(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    words = _words()
    if not line.strip() or len(line) > _LONGEST_MARK:
        return False
    return bool(words.original.match(line) or words.forwarded.match(line)) or _header_block(lines, at)


def _header_block(lines: Sequence[str], at: int) -> bool:
    """`From: … Sent: … To: … Subject: …` in any of our languages, in any order, at least three of them."""
    words = _words()
    if _kind_of_label(lines[at], words) not in ("from", "sent", "subject", "to"):
        return False
    kinds: set[str] = set()
    blank = 0
    for line in lines[at : at + 14]:
        if not line.strip("> \t"):
            blank += 1
            if blank > 1 and len(kinds) < 2:
                break
            continue
        if kind := _kind_of_label(line, words):
            kinds.add(kind)
        elif not line.startswith((" ", "\t")) and len(kinds) < 2:
            break
    # "From" alone is a word people write; with a date and another label beside it, it is a header.
    return "from" in kinds and len(kinds & {"sent", "to", "subject"}) >= 2


def _kind_of_label(line: str, words: _Words) -> str:
    match = _LABEL.match(line)
    if match is None:
        return ""
    label = match[1].strip().lower()
    return next((kind for kind, known in words.labels.items() if label in known), "")


def _attribution(lines: Sequence[str], at: int) -> int:
    """How many lines from here say "On …, somebody wrote:"; 0 if they do not."""
    first = lines[at].strip("> \t")
    if not first:
        return 0
    if _SHORT_ATTRIBUTION.match(first) or _names_a_quote(lines, at):
        return 1
    joined = ""
    for span, line in enumerate(lines[at : at + _WRAPPED], start=1):
        if not line.strip("> \t"):
            return 0
        joined = f"{joined} {line.strip('> ' + chr(9))}".strip()
        if _announces(joined):
            return span if span == 1 or _opens_attribution(lines, at, span) else 0
    return 0


def _names_a_quote(lines: Sequence[str], at: int) -> bool:
    """Whether it is "Somebody wrote:", without a time or an address, right above lines that are marked as quoted."""
    line = lines[at].strip()
    if line.startswith(">") or not line.endswith((":", "：")) or len(line) > _LONGEST_NAMING:
        return False
    below = next((each for each in lines[at + 1 : at + 3] if each.strip()), "")
    return below.startswith(">") and bool(_words().wrote.search(line.rstrip(":： ")))


def _opens_attribution(lines: Sequence[str], at: int, span: int) -> bool:
    """Whether the first of several lines belongs to the announcement, or the sender's words end there."""
    words = _words()
    first = lines[at]
    if not (words.on.match(first) or _TIME.search(first) or "<" in first):
        return False
    rest = " ".join(lines[at + 1 : at + span])
    return not (words.on.match(lines[at + 1]) and _announces(rest))


def _announces(line: str) -> bool:
    words = _words()
    if len(line) > _LONGEST_MARK:
        return False
    end = line.rstrip("-— *_\"'>)")
    if not end.endswith((":", "：")) and not line.startswith("---"):
        return bool(_SHORT_ATTRIBUTION.match(line)) and "<" in line
    has_verb = bool(words.wrote.search(end.rstrip(":： ")))
    dated, addressed = bool(_TIME.search(line)), bool(re.search(_EMAIL, line))
    if not has_verb:
        return dated and addressed and line.endswith((">:", ">："))
    return dated or addressed or bool(words.on.match(line))


POSTSCRIPT = re.compile(r"^\W{0,3}(?:(?:p\W?){1,3}s|n\W?b)\b", re.IGNORECASE)


def _without_signature(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    body = list(lines)
    while body and not body[-1].strip():
        body.pop()
    for at in range(_earliest_mark(body), len(body)):
        if _SIGNATURE_MARK.match(body[at]):
            added = next((below for below in range(at, len(body)) if POSTSCRIPT.match(body[below])), len(body))
            return [*body[:at], *body[added:]], body[at:added]
    at = len(body)
    while at and (not body[at - 1].strip() or _words().device.match(body[at - 1])):
        at -= 1
    return body[:at], body[at:]


def _earliest_mark(body: Sequence[str]) -> int:
    """The first line below which no more is written than fits a signature."""
    at, written = len(body), 0
    while at and written <= _LONGEST_SIGNATURE:
        at -= 1
        written += bool(body[at].strip())
    return at
