"""Named stories told in mail: the same name, start and seed always give the same letters, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from postroom_simulators.scenarios.accounts_payable import accounts_payable
from postroom_simulators.scenarios.client_service import client_service
from postroom_simulators.scenarios.dealing_desk import dealing_desk
from postroom_simulators.scenarios.drip import drip
from postroom_simulators.scenarios.script import PersonAct, Scenario, ScenarioMailbox

SCENARIOS: dict[str, Callable[[datetime, int], Scenario]] = {
    "dealing-desk": dealing_desk,
    "accounts-payable": accounts_payable,
    "client-service": client_service,
}


def scenario(name: str, *, start: datetime, seed: int = 0) -> Scenario:
    if name not in SCENARIOS:
        raise ValueError(f"There is no scenario {name!r}; choose one of {', '.join(SCENARIOS)}.")
    if start.tzinfo is None:
        raise ValueError("A scenario starts at a time with a zone, for example datetime.now(UTC).")
    return SCENARIOS[name](start, seed)


__all__ = ["SCENARIOS", "PersonAct", "Scenario", "ScenarioMailbox", "drip", "scenario"]
