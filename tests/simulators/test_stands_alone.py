"""The simulators are a package of their own: they know nothing of the product, and neither do their tests."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = [ROOT / "src" / "postroom_simulators", ROOT / "tests" / "simulators"]
_REFUSAL = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "{package}":
            raise ModuleNotFoundError("{package} is out of bounds here", name=name)

sys.meta_path.insert(0, Refusal())
"""


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("folder", OURS, ids=lambda folder: folder.name)
def test_nothing_imports_the_product(folder):
    found = {
        path.name: name
        for path in folder.rglob("*.py")
        for name in imported(ast.parse(path.read_text()))
        if name.partition(".")[0] == "postroom"
    }

    assert {} == found


def run_without(package: str, tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Python, where importing that package fails."""
    (tmp_path / "sitecustomize.py").write_text(_REFUSAL.format(package=package))
    environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_tests_run_where_the_product_cannot_be_imported(tmp_path):
    one_of_each = ["graph/test_delta.py", "google/test_fields.py", "world/test_server.py"]
    options = ["-q", "-p", "no:cacheprovider"]

    control = run_without("postroom", tmp_path, "-c", "import postroom")
    ran = run_without(
        "postroom", tmp_path, "-m", "pytest", *options, *(f"tests/simulators/{one}" for one in one_of_each)
    )

    assert "postroom is out of bounds here" in control.stderr
    assert 0 == ran.returncode, ran.stdout[-2000:]


@pytest.mark.parametrize("command", ["demo", "simulate"])
def test_without_the_extra_the_commands_say_what_to_install(tmp_path, command):
    ended = run_without("reportlab", tmp_path, "-m", "postroom", command)

    assert 1 == ended.returncode
    assert "pip install 'postroom[simulators]'" in ended.stderr + ended.stdout


def test_a_class_of_the_simulators_is_defined_in_one_module_of_the_whole_repository():
    places = defaultdict(set)
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path.relative_to(ROOT / "src").as_posix())

    twice = {name: found for name, found in places.items() if len(found) > 1}

    assert {} == {
        name: found for name, found in twice.items() if any(one.startswith("postroom_simulators/") for one in found)
    }
