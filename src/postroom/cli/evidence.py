"""Evidence at the command line: take papers in, list and retire them, ask them, and say how drafts are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from postroom.cli.reply import leads_out
from postroom.cli.shared import TenantName, complain, out, run, scope, show

if TYPE_CHECKING:
    from postroom.rooms.replies.commands import TriedAnswer
    from postroom.rooms.replies.commands.trying import QuotedPassage
    from postroom.rooms.replies.rules.voicing import ReplyPolicy

# Everything heavy is imported inside the commands, so that `postroom --help` does not wait for it.

evidence = typer.Typer(no_args_is_help=True)


@evidence.command("import")
def import_evidence(
    folder: Annotated[Path, typer.Argument(help="With Markdown, text, HTML and PDF files, also in folders below it.")],
    tenant: TenantName = "default",
) -> None:
    """Take in a folder of papers. A file of the same name becomes a new version; the same again changes nothing."""
    from postroom.nouns.errors import BadRequest
    from postroom.rooms.replies import commands

    async def work() -> bool:
        if not folder.is_dir():
            complain(f"{folder} is not a folder; name the one with the papers in it.")
            return False
        new, same, unread = 0, 0, 0
        async with scope(tenant) as (house, who):
            for path in _files(folder):
                name = path.relative_to(folder).as_posix()
                if leads_out(path, folder):
                    complain(f"{name} is a link to a file outside the folder.")
                    unread += 1
                    continue
                try:
                    made = await commands.add_evidence(who, house.outside.reader, name, path.read_bytes())
                except (BadRequest, OSError) as problem:
                    complain(str(problem))
                    unread += 1
                    continue
                new, same = new + made.is_new, same + (not made.is_new)
        out.print(f"{new} new, {same} as before, {unread} not read.", highlight=False)
        return unread == 0

    if not run(work()):
        raise typer.Exit(1)


@evidence.command("list")
def list_evidence(
    retired: Annotated[bool, typer.Option("--retired", help="What was retired, the last one first.")] = False,
    tenant: TenantName = "default",
) -> None:
    """The papers, each in its current version."""
    from postroom.rooms.replies import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await (commands.list_retired(who) if retired else commands.list_evidence(who))
        rows = [
            (each.name, each.version, each.audience, each.language, each.valid_until or "", each.snippets)
            for each in found
        ]
        show(
            "Evidence",
            ["name", "version", "audience", "language", "valid until", "snippets"],
            rows,
            empty="Nothing was retired." if retired else "No papers yet.",
        )

    run(work())


@evidence.command("retire")
def retire_evidence(
    name: Annotated[str, typer.Argument(help="As `postroom evidence list` shows it.")], tenant: TenantName = "default"
) -> None:
    """Draft nothing from a paper any more. Drafts that were written from it keep what they stand on."""
    from postroom.rooms.replies import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await commands.evidence_named(who, name)
            await commands.retire_evidence(who, found.id)
        out.print(f"{name} is retired.", highlight=False)

    run(work())


@evidence.command("restore")
def restore_evidence(
    name: Annotated[str, typer.Argument(help="As `postroom evidence list --retired` shows it.")],
    tenant: TenantName = "default",
) -> None:
    """Draft from a retired paper again."""
    from postroom.rooms.replies import commands

    async def work() -> None:
        async with scope(tenant) as (_, who):
            found = await commands.evidence_named(who, name, retired=True)
            await commands.restore_evidence(who, found.id)
        out.print(f"{name} is in use again.", highlight=False)

    run(work())


@evidence.command("ask")
def ask_evidence(
    question: Annotated[str, typer.Argument(help="As a customer would write it.")], tenant: TenantName = "default"
) -> None:
    """What would be answered, from which paper, and why or why not. Nothing is kept."""
    from postroom.rooms.replies import commands

    async def work() -> TriedAnswer:
        async with scope(tenant) as (opened, who):
            return await commands.ask_evidence(who, question, encoder=opened.outside.encoder)

    for line in _told(run(work())):
        out.print(line, highlight=False, markup=False)


def _told(tried: TriedAnswer) -> list[str]:
    lines = [f"{tried.searched} snippets searched; a chance of {tried.gate:.0%} is asked for."]
    for each in tried.questions:
        lines += ["", each.question, f"  {each.because}"]
        beside = [("also", each.also), ("also", each.third)]
        shown = [("answer", each.answer), ("another paper says", each.conflict), *beside]
        lines += [_quote(title, passage) for title, passage in shown if passage]
        lines += [_quote("near", passage) for passage in each.near if each.answer is None]
    return lines


def _quote(title: str, passage: QuotedPassage) -> str:
    return f"  {title}: {' '.join(passage.lines)} ({passage.source})"


@evidence.command("policy")
def reply_policy(
    gate: Annotated[
        str | None, typer.Option(help="From which chance in percent on something is drafted: 30 to 95, or `house`.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Of every reply: `de`, or `sender` for the sender's.")] = None,
    formality: Annotated[str | None, typer.Option(help="neutral, formal or informal.")] = None,
    thanks: Annotated[bool | None, typer.Option(help="Whether a draft thanks for the mail.")] = None,
    greeting: Annotated[list[str] | None, typer.Option(help="As `en=Dear {name},`; may be repeated.")] = None,
    closing: Annotated[list[str] | None, typer.Option(help="As `en=Kind regards`; may be repeated.")] = None,
    signature: Annotated[str | None, typer.Option(help="Below the closing; empty for none.")] = None,
    tenant: TenantName = "default",
) -> None:
    """How drafts are written: how sure, and in which voice. With an option it is changed; the rest stays."""
    from postroom.rooms.replies import commands

    said: dict[str, Any] = {"formality": formality, "thanks": thanks, "signature": signature}
    changes = {name: value for name, value in said.items() if value is not None}
    if gate is not None:
        changes["gate"] = None if gate == "house" else _share(gate)
    if language is not None:
        changes["language"] = None if language == "sender" else language

    async def work() -> ReplyPolicy:
        async with scope(tenant) as (_, who):
            now = await commands.reply_policy(who)
            if greeting:
                changes["greetings"] = _by_language(now.greetings, greeting)
            if closing:
                changes["closings"] = _by_language(now.closings, closing)
            return await commands.change_reply_policy(who, changes) if changes else now

    held = run(work())
    shown = {**held.told(), "gate": f"{held.gate_now:.0%}", "language": held.language or "the sender's"}
    show("Drafts", ["what", "is"], [(name.replace("_", " "), _said(value)) for name, value in shown.items()], empty="")


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{code}={text}" for code, text in value.items()) or "–"
    return ", ".join(map(str, value)) or "–" if isinstance(value, (list, tuple)) else str(value or "–")


def _share(text: str) -> float:
    try:
        return round(float(text.removesuffix("%")) / 100, 4)
    except ValueError:
        complain(f"{text!r} is no percentage; write a number from 30 to 95, or house.")
        raise typer.Exit(1) from None


def _by_language(now: Mapping[str, str], said: list[str]) -> dict[str, str]:
    """An empty word takes a language's own away."""
    words = {**now, **dict(each.split("=", 1) for each in said if "=" in each)}
    if strange := [each for each in said if "=" not in each]:
        complain(f"{strange[0]!r} names no language; write it as en=words.")
        raise typer.Exit(1)
    return {code: text for code, text in words.items() if text.strip()}


def _files(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
