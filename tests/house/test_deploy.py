"""What is under deploy/ and what the pages let people run: it can be read, named things exist, and the examples work."""

from __future__ import annotations

import ast
import glob
import json
import re
import sys
import tomllib
import types
from datetime import UTC, datetime
from typing import Any
from unittest import mock

import psycopg
import pytest
import yaml

from house.written import FENCE, ROOT, counted, objection_to
from makers import CHAIN_KEYS, make_tenant, settle
from postroom.app.house import READING_PROCESSES
from postroom.engine import audit_chain as seals
from postroom.engine import feed, ledger
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.outside.readers.wire import ReadLimits

DEPLOY = ROOT / "deploy"


@pytest.mark.parametrize(
    "path", sorted(DEPLOY.rglob("*.y*ml")), ids=lambda path: str(path.relative_to(ROOT)) if path else ""
)
def test_every_yaml_file_can_be_read(path):
    assert [each for each in yaml.safe_load_all(path.read_text("utf-8")) if each]


@pytest.mark.parametrize("package", ["postroom", "postroom_simulators"])
def test_an_installed_package_brings_every_file_that_is_no_code(package):
    """An image is built from a wheel, and a wheel holds only what `package-data` names."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"][package]
    folder = ROOT / "src" / package
    found = [glob.glob(pattern, root_dir=folder, recursive=True) for pattern in named]  # noqa: PTH207  as setuptools looks
    brought = {path for paths in found for path in paths}

    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set() == {path for path in files - brought if not path.endswith((".py", ".pyc"))}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-demo.lock"])
def test_every_installation_brings_the_time_zones_that_browsers_tell(lock):
    """A slim Debian has put Asia/Calcutta and Europe/Kiev aside, which browsers there go by."""
    [pinned] = [line for line in (ROOT / lock).read_text("utf-8").splitlines() if line.startswith("tzdata==")]

    assert ";" not in pinned


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
