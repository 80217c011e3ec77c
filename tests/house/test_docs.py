"""The documents, held against the code: what is described exists, and what exists is described."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import sys
import types
import typing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import psycopg
import pytest
import typer.main
import yaml
from pydantic import AliasChoices, SecretStr

from makers import CHAIN_KEYS, make_tenant, settle
from postroom import cli
from postroom.app.house import READING_PROCESSES
from postroom.engine import audit_chain as seals
from postroom.engine import feed, ledger
from postroom.engine.work import TenantScope
from postroom.nouns import documents, errors, facts
from postroom.outside.readers.wire import ReadLimits
from postroom.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
SOURCE = ROOT / "src" / "postroom"
DEPLOY = ROOT / "deploy"
COMMANDS = typer.main.get_command(cli.app)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
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


def below(command: Any) -> dict[str, Any]:
    """A group's commands. By shape, since Typer brings its own copy of click."""
    return getattr(command, "commands", {})


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


# Reference pages.


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


def counted() -> set[str]:
    """Every metric that the code declares."""
    source = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    return set(re.findall(r"\b(?:Counter|Histogram|Gauge|Tally)\(\s*\"(postroom_\w+)\"", source))


def test_every_metric_is_explained_and_every_explained_metric_exists():
    explained = {head for head in sections(REFERENCE / "metrics.md") if head.startswith("postroom_")}
    assert counted() == explained


# All pages.


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


def spoken(text: str) -> list[str]:
    """Command lines: those in code fences, and those in running text as `postroom …`."""
    lines = [line for _, block in FENCE.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`((?:\S*/)?postroom [^`\n]+)`", FENCE.sub("", text))
    found = []
    for line in lines:
        match = re.match(r"^[\s$]*(?:\w+=\S*\s+)*(?:sudo \S+ |exec )*(?:\S*/)?postroom((?:\s+[^|;&>]+)?)", line)
        if match and "│" not in line and "├" not in line:
            found.append(match[1].split(" #")[0].strip())
    return found


def objection_to(line: str) -> str | None:
    """What is wrong with a command line, or None. Words in capitals, … and [optional] stand for values."""
    command = COMMANDS
    for word in shlex.split(line.replace("…", "")):
        if word == "--help":
            return None
        if word.startswith("--"):
            options = {opt for each in command.params for opt in (*each.opts, *each.secondary_opts)}
            if word.partition("=")[0] not in options:
                return f"{word} is no option of {command.name}"
        elif word in below(command):
            command = below(command)[word]
        elif below(command):
            return f"{word} is no command of {command.name}"
    return None


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


# Decisions.


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


# Deployment.


@pytest.mark.parametrize(
    "path", sorted(DEPLOY.rglob("*.y*ml")), ids=lambda path: str(path.relative_to(ROOT)) if path else ""
)
def test_every_yaml_file_can_be_read(path):
    assert [each for each in yaml.safe_load_all(path.read_text("utf-8")) if each]


def test_what_kubernetes_runs_is_a_command_and_asks_for_health():
    for path in sorted((DEPLOY / "k8s").glob("*.yaml")):
        for thing in filter(None, yaml.safe_load_all(path.read_text("utf-8"))):
            if thing["kind"] not in ("Deployment", "Job"):
                continue
            pod = thing["spec"]["template"]["spec"]
            for container in pod["containers"]:
                assert objection_to(" ".join(container["args"])) is None
                assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert pod["securityContext"]["runAsNonRoot"] is True
    web = next(yaml.safe_load_all((DEPLOY / "k8s" / "serve.yaml").read_text("utf-8")))
    (container,) = web["spec"]["template"]["spec"]["containers"]
    assert "/healthz" == container["livenessProbe"]["httpGet"]["path"]
    assert "/readyz" == container["readinessProbe"]["httpGet"]["path"]


def test_what_compose_runs_are_commands():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    ours = [each for each in services.values() if "build" in each]
    assert len(ours) >= 3
    for each in ours:
        assert objection_to(" ".join(each["command"])) is None


def test_the_dashboard_shows_metrics_that_exist():
    board = json.loads((DEPLOY / "grafana" / "postroom.json").read_text("utf-8"))
    asked = " ".join(target["expr"] for panel in board["panels"] for target in panel.get("targets", []))
    shown = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in re.findall(r"\bpostroom_\w+", asked)}
    assert counted() == shown  # every one, and none that does not exist


def test_alerts_are_on_metrics_that_exist_and_say_what_to_do():
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
    asked = " ".join(rule["expr"] for rule in rules)
    named = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in re.findall(r"\bpostroom_\w+", asked)}
    assert set() == named - counted()
    assert [] == [rule["alert"] for rule in rules if not rule["annotations"].get("do")]


def test_applying_the_folder_again_overwrites_no_secret_and_no_setting():
    things = [
        thing
        for path in sorted((DEPLOY / "k8s").rglob("*.y*ml"))
        for thing in filter(None, yaml.safe_load_all(path.read_text("utf-8")))
    ]
    assert [] == [thing["metadata"]["name"] for thing in things if thing["kind"] in ("Secret", "ConfigMap")]


@pytest.mark.parametrize("part", ["serve", "work"])
def test_a_pod_is_scraped_and_has_room_for_its_reading_processes(part):
    thing = next(yaml.safe_load_all((DEPLOY / "k8s" / f"{part}.yaml").read_text("utf-8")))
    template = thing["spec"]["template"]
    (container,) = template["spec"]["containers"]
    limits, ports = ReadLimits(), {str(port["containerPort"]) for port in container["ports"]}
    readers = READING_PROCESSES * max(limits.megabytes, limits.mail_megabytes)

    assert template["metadata"]["annotations"]["prometheus.io/port"] in ports
    assert int(container["resources"]["limits"]["memory"].removesuffix("Gi")) * 1024 >= readers + 512


def test_the_airflow_example_runs_the_published_statements_to_the_letter():
    tree = ast.parse((DEPLOY / "airflow" / "contract_notes_backstop.py").read_text("utf-8"))
    written = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.targets[0], ast.Name)
    }
    for name in ("CHECK", "CLAIM", "SUCCESS", "FAILED"):
        assert getattr(ledger, name) == written[name]


@pytest.mark.parametrize("path", sorted(DEPLOY.rglob("*.py")), ids=lambda path: path.name)
def test_every_example_is_python(path):
    compile(path.read_text("utf-8"), str(path), "exec")


class Ledger:
    """As much of Airflow's PostgresHook as the example uses, over a connection of its own."""

    def __init__(self, dsn: str) -> None:
        self.connection = psycopg.connect(dsn, autocommit=True)

    def get_first(self, statement: str, parameters: list[Any]) -> Any:
        return self.connection.execute(statement.encode(), parameters).fetchone()

    def run(self, statement: str, parameters: list[Any], handler: Any = None) -> Any:
        cursor = self.connection.execute(statement.encode(), parameters)
        return handler(cursor) if handler else None


@pytest.fixture
def example(monkeypatch):
    """The DAG's module, with just enough of an Airflow around it to be imported."""
    for name in (
        "airflow",
        "airflow.decorators",
        "airflow.exceptions",
        "airflow.models",
        "airflow.operators",
        "airflow.operators.python",
        "airflow.providers",
        "airflow.providers.postgres",
        "airflow.providers.postgres.hooks",
        "airflow.providers.postgres.hooks.postgres",
    ):
        monkeypatch.setitem(sys.modules, name, mock.MagicMock())
    text = (DEPLOY / "airflow" / "contract_notes_backstop.py").read_text("utf-8")
    module = types.ModuleType("contract_notes_backstop")
    exec(compile(text, "contract_notes_backstop.py", "exec"), module.__dict__)
    return module


def test_the_airflow_example_claims_once_retries_what_failed_and_leaves_what_is_done(example, owner_dsn, monkeypatch):
    ours, theirs = Ledger(owner_dsn), Ledger(owner_dsn)
    mailbox = types.SimpleNamespace(address="notes@house.test")
    message = {"id": "AAMk1", "subject": "Note", "receivedDateTime": "2026-03-02T09:00:00Z"}

    def meanwhile(mailbox: Any, message: Any) -> Any:
        assert "somebody else has it" == example.handle(theirs, mailbox, message, "airflow:other")
        raise RuntimeError("The archive is away.")

    monkeypatch.setattr(example, "process", meanwhile)
    assert "failed" == example.handle(ours, mailbox, message, "airflow:one")
    assert ("failed", "The archive is away.") == ours.get_first(
        "SELECT status, error_message FROM bo_airflow.email_ingestion_state WHERE message_id = %s", ["AAMk1"]
    )
    monkeypatch.setattr(example, "process", lambda mailbox, message: (1, 2, ["archive/a.pdf"]))
    assert "success" == example.handle(theirs, mailbox, message, "airflow:two")
    assert "done already" == example.handle(ours, mailbox, message, "airflow:three")
    for each in (ours, theirs):
        each.connection.close()


# What the pages let people run themselves.


async def test_the_checker_in_the_how_to_accepts_an_exported_trail_and_finds_a_changed_fact(
    db, waker, owner_dsn, tmp_path
):
    page = (ROOT / "docs" / "howto" / "verify-the-audit-trail.md").read_text("utf-8")
    checker: dict[str, Any] = {}
    exec(next(block for language, block in FENCE.findall(page) if language == "python"), checker)
    tenant = make_tenant(owner_dsn)
    scope = TenantScope(db, waker, lambda fact: [], tenant, "anna", lambda: datetime.now(UTC))
    for what in ('müde & "quoted"', "\u2028\t\x1f/ 🙂", "plain"):
        async with scope.finish() as tx:
            await scope.tell(tx, facts.SecurityNoted(what=what, source="127.0.0.1"))
    await settle(owner_dsn)
    sealed = await seals.seal(db, CHAIN_KEYS, tenant, datetime.now(UTC))
    told = await feed.read(db, tenant, feed.FeedPosition(0, 0))
    lines = [{"fact": fact.id, "xid": fact.xid, **fact.as_dict(), "digest": fact.digest.hex()} for fact in told]
    trail = tmp_path / "trail.jsonl"

    def export() -> str:
        written = [json.dumps(line, ensure_ascii=False) for line in [*lines, sealed.as_line()]]
        trail.write_text("\n".join(written) + "\n", "utf-8")
        return str(trail)

    assert sealed.link.hex() == checker["check"](export())
    lines[1]["actor"] = "nobody"
    with pytest.raises(AssertionError, match="was changed"):
        checker["check"](export())


async def test_after_a_restore_into_a_younger_server_new_facts_come_after_the_sealed_ones(db, waker, owner_dsn):
    tenant = make_tenant(owner_dsn)
    scope = TenantScope(db, waker, lambda fact: [], tenant, "anna", lambda: datetime.now(UTC))

    async def tell_and_seal() -> None:
        async with scope.finish() as tx:
            await scope.tell(tx, facts.Counted(number=1))
        await settle(owner_dsn)
        assert await seals.seal(db, CHAIN_KEYS, tenant, datetime.now(UTC)) is not None

    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.house SET xid_offset = 1000000")  # the server it was told on was an old one
        await tell_and_seal()
        owner.execute("UPDATE postroom.house SET xid_offset = 0")  # this one counts from a lower number
        for _ in range(2):
            owner.execute((DEPLOY / "after-restore.sql").read_text("utf-8").encode())
    await tell_and_seal()

    report = await seals.verify(db, CHAIN_KEYS, tenant)
    assert (2, 2, []) == (report.facts, report.seals, report.problems)
