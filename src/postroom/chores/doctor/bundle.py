"""A support bundle: what helps whoever helps, without anything that is nobody's business."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from postroom import __version__
from postroom.app.house import House
from postroom.chores.doctor.findings import Finding
from postroom.engine import queue as lanes
from postroom.rooms.tenants import store as tenants

_ADDRESS = re.compile(r"[^\s/@:,;<>()\"']+@[^\s/@:,;<>()\"']+\w")


async def bundle(house: House, findings: Sequence[Finding], to: Path) -> None:
    """A zip for whoever helps: no secrets, no subjects, no bodies; addresses as fingerprints."""
    depths = [
        {"state": each.state, "jobs": each.jobs, "oldest_s": each.oldest} for each in await lanes.depths(house.db)
    ]
    failed = []
    for tenant in await tenants.all_tenants(house.db):
        async with house.scope(tenant.tenant_id, "doctor").read() as tx:
            failed += [
                {
                    "kind": each.kind,
                    "outcome": each.outcome,
                    "class": each.error_class,
                    "code": each.error_code,
                    "at": each.finished_at.isoformat(),
                }
                for each in await lanes.attempts(tx, failed=True, most=200)
            ]
    parts = {
        "findings.json": [{name: hide(str(value)) for name, value in asdict(each).items()} for each in findings],
        "settings.json": {name: _shown(value) for name, value in house.settings},
        "jobs.json": depths,
        "failed_attempts.json": failed,
        "machine.json": {"postroom": __version__, "python": platform.python_version(), "system": platform.platform()},
    }
    _write(parts, to)


def _write(parts: dict[str, Any], to: Path) -> None:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, json.dumps(content, indent=2, default=str))


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return "(set, not shown)"
    return hide(str(value)) if value is not None else None


def hide(text: str) -> str:
    """The same address is the same fingerprint everywhere in the bundle."""
    return _ADDRESS.sub(lambda found: f"address-{hashlib.sha256(found[0].lower().encode()).hexdigest()[:8]}", text)
