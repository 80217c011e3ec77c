"""The documents, held against the code: what is described exists, and what exists is described."""

from __future__ import annotations

import os
import re
import typing
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices, SecretStr

from house.written import COMMANDS, FENCE, ROOT, SOURCE, below, counted, objection_to, spoken
from postroom.nouns import documents, errors, facts
from postroom.settings import PREFIX, Settings

REFERENCE = ROOT / "docs" / "reference"
DEPLOY = ROOT / "deploy"
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    """Every page of ours: nothing that was merely installed."""
    found = []
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if not name.startswith(".") and name not in ("node_modules", "build")]
        found += [Path(folder, name) for name in names if name.endswith(".md")]
    return sorted(found)


def sections(path: Path) -> dict[str, str]:
    """Heading → what stands below it, up to the next."""
    parts = re.split(r"^#{1,4} (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip((head.strip() for head in parts[1::2]), parts[2::2], strict=True))


def anchors(path: Path) -> set[str]:
    """As GitHub makes them."""
    heads = re.findall(r"^#{1,6} (.+)$", FENCE.sub("", path.read_text("utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def leaves(command: Any, path: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
    """Everything that can be run."""
    found = {path: command} if not below(command) or command.invoke_without_command else {}
    for name, each in below(command).items():
        found |= leaves(each, (*path, name))
    return found


def every_error() -> list[type[errors.PostroomError]]:
    return [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.PostroomError)]


def env_name(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def known_settings() -> set[str]:
    names = {env_name(name) for name in Settings.model_fields}
    for field in Settings.model_fields.values():
        if isinstance(field.validation_alias, AliasChoices):
            names |= {str(each) for each in field.validation_alias.choices}
    return names


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_explained_with_its_default(name):
    said = sections(REFERENCE / "settings.md")
    field = Settings.model_fields[name]

    assert env_name(name) in said, f"settings.md lacks ### {env_name(name)}"
    text = said[env_name(name)]
    assert "Default:" in text
    if field.default_factory is None:
        default = field.default
        shown = "none" if default in (None, "") else str(default).lower() if isinstance(default, bool) else str(default)
        assert shown in text, f"the default of {env_name(name)} is {shown}"
    if isinstance(field.validation_alias, AliasChoices):
        assert f"`{name.upper()}`" in text, f"{name.upper()} is accepted bare"
    if SecretStr in (field.annotation, *typing.get_args(field.annotation)):
        assert "Secret." in text


def test_a_setting_without_effect_is_said_to_be_without_effect():
    """Whoever makes use of one takes the sentence out of its page; whoever adds one for later says so."""
    users = [path for path in SOURCE.rglob("*.py") if path != SOURCE / "settings.py"]
    source = "\n".join(path.read_text("utf-8") for path in users)
    idle = {name for name in Settings.model_fields if not re.search(rf"\b(?:settings|ours)\.{name}\b", source)}
    idle -= {"bind", "public_url"}  # through the properties host, port and outside_url
    said = sections(REFERENCE / "settings.md")
    without = {name for name in Settings.model_fields if "without effect" in " ".join(said[env_name(name)].split())}
    assert without == idle


def test_no_setting_is_explained_that_does_not_exist():
    assert {head for head in sections(REFERENCE / "settings.md") if head.startswith(PREFIX)} <= known_settings()


@pytest.mark.parametrize("fact", facts.every_fact(), ids=lambda fact: fact.kind)
def test_every_fact_is_explained_with_its_fields(fact):
    said = sections(REFERENCE / "facts.md")

    assert fact.kind in said, f"facts.md lacks ### {fact.kind}"
    assert f"`{fact.__name__}`" in said[fact.kind]
    missing = [name for name in fact.__struct_fields__ if f"`{name}`" not in said[fact.kind]]
    assert [] == missing


def test_no_fact_is_explained_that_is_never_told():
    kinds = {fact.kind for fact in facts.every_fact()}
    assert {head for head in sections(REFERENCE / "facts.md") if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", head)} == kinds


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.__name__)
def test_every_error_is_explained_with_its_code_class_and_status(error):
    from postroom.doors.http import status_of

    said = sections(REFERENCE / "errors.md")

    assert error.__name__ in said, f"errors.md lacks ### {error.__name__}"
    text = " ".join(said[error.__name__].split())
    assert f"Code `{error.code}`" in text
    assert f"class `{error.error_class}`" in text
    assert f"HTTP {status_of(error('said'))}" in text


def test_every_error_code_and_every_reason_of_an_unreadable_file_is_named():
    text = (REFERENCE / "errors.md").read_text("utf-8")
    reasons = [
        each.reason
        for each in vars(documents).values()
        if isinstance(each, type) and issubclass(each, documents.CannotRead)
    ]
    words = [*typing.get_args(errors.ErrorCode), *typing.get_args(errors.ErrorClass), *reasons]
    assert [] == [word for word in words if f"`{word}`" not in text]


@pytest.mark.parametrize("path", leaves(COMMANDS, ("postroom",)), ids=" ".join)
def test_every_command_is_explained_with_its_options(path):
    said = sections(REFERENCE / "commands.md")
    heading = " ".join(path)

    assert heading in said, f"commands.md lacks ### {heading}"
    command = leaves(COMMANDS, ("postroom",))[path]
    options = [
        word
        for each in command.params
        if each.param_type_name == "option" and each.name != "help"
        for word in (*each.opts, *each.secondary_opts)
        if word.startswith("--")
    ]
    assert [] == [option for option in options if f"`{option}`" not in said[heading]]


def test_every_table_is_named_in_the_database_reference():
    text = (REFERENCE / "database.md").read_text("utf-8")
    schema = (SOURCE / "db" / "schema.sql").read_text("utf-8")
    tables = set(re.findall(r"^CREATE (?:TABLE|VIEW) \w+\.(\w+)", schema, flags=re.MULTILINE))
    assert len(tables) > 40
    assert [] == sorted(table for table in tables if f"`{table}`" not in text and not table.endswith("_default"))


def test_every_metric_is_explained_and_every_explained_metric_exists():
    explained = {head for head in sections(REFERENCE / "metrics.md") if head.startswith("postroom_")}
    assert counted() == explained


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    broken = []
    for target in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = (page.parent / name).resolve() if name else page
        if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            broken.append(target)
    assert [] == broken


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_line_can_be_typed(page):
    wrong = {line: why for line in spoken(page.read_text("utf-8")) if (why := objection_to(line))}
    assert {} == wrong


def test_a_wrong_command_line_would_be_noticed():
    assert ["demo --once"] == spoken("```sh\n$ .venv/bin/postroom demo --once   # all of it\n```")
    assert "is no option" in objection_to("demo --twice")
    assert "is no command" in objection_to("jump")
    assert objection_to("job list --state parked") is None


@pytest.mark.parametrize(
    "page",
    [*pages(), *sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "__pycache__" not in path.parts)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_setting_that_is_named_exists(page):
    text = page.read_text("utf-8")
    named = set(re.findall(r"\bPOSTROOM_[A-Z][A-Z_]*[A-Z]\b", text))
    if page.suffix == ".md":
        blocks = "\n".join(block for _, block in FENCE.findall(text))
        named |= set(re.findall(r"^\s*(?:export )?(GRAPH_[A-Z_]+)=", blocks, flags=re.MULTILINE))
    assert set() == named - known_settings()


def decisions() -> list[Path]:
    return sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


def test_decisions_are_numbered_without_gaps():
    assert [f"{number:04}" for number in range(1, len(decisions()) + 1)] == [path.name[:4] for path in decisions()]


@pytest.mark.parametrize("page", decisions(), ids=lambda page: page.stem)
def test_a_decision_is_one_page_and_ends_with_what_enforces_it(page):
    lines = page.read_text("utf-8").rstrip().splitlines()
    closing = " ".join(lines[max(at for at, line in enumerate(lines) if line.startswith("*Enforced by*")) :])

    assert len(lines) <= 60
    places = re.findall(r"`((?:src|tests|benchmarks|pyproject)[\w./-]*)`", closing)
    assert places, "name the test, contract or constraint by its path"
    assert [] == [place for place in places if not (ROOT / place).exists()]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_every_file_that_is_named_exists(page):
    text = (ROOT / page).read_text("utf-8")
    named = set(re.findall(r"`((?:[\w-]+/)+[\w.-]+\.(?:py|sql|toml|md))`", text))
    assert named
    missing = [name for name in sorted(named) if not any((base / name).exists() for base in (ROOT, SOURCE))]
    assert [] == missing


def test_the_architecture_fits_in_a_sitting():
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()) <= 250


def test_every_picture_is_shown_on_a_page_and_every_shown_one_is_there():
    shown = {
        (page.parent / place).resolve()
        for page in pages()
        for place in re.findall(r"!\[[^\]]*\]\(([^)\s:]+)\)", page.read_text("utf-8"))
    }

    assert set((ROOT / "docs" / "screens").iterdir()) == {path for path in shown if path.parent.name == "screens"}
    assert [] == [path for path in shown if not path.exists()]
