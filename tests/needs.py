"""Browsers and services that only some machines have: CI must have them, elsewhere a test says what it wants."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# The same engine without windows takes a fifth less CPU than the browser that a person sees.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


def need(found: object, *, install: str) -> None:
    """Go on if it was found; else fail in CI and skip everywhere else, with the command that installs it."""
    if found:
        return
    missing = f"not installed; to run this test: {install}"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


def need_chromium() -> None:
    need(CHROMIUM, install="apt-get install chromium-headless-shell")


def need_package(folder: Path, package: str) -> None:
    """A package of npm's beside the tests that use it."""
    found = shutil.which("node") and (folder / "node_modules" / package).is_dir()
    need(found, install=f"npm ci --prefix tests/{folder.relative_to(HERE)}")
