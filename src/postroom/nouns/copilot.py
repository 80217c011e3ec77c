"""The copilot at a mailbox: how much it may do, and the states it shows on threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from postroom.nouns.threads import LabelColour, StateLabel

CopilotMode = Literal["off", "labels", "drafts"]
COPILOT_MODES: tuple[CopilotMode, ...] = get_args(CopilotMode)
StateKey = Literal["ready", "needs_review", "error"]
NAMESPACE = "Inbox Copilot"
_SHOWN: dict[StateKey, tuple[str, LabelColour]] = {
    "ready": ("Ready", "green"),
    "needs_review": ("Needs review", "yellow"),
    "error": ("Error", "red"),
}


def state_labels(namespace: str = NAMESPACE) -> Mapping[StateKey, StateLabel]:
    """What each state is called in people's mail programs."""
    return {key: StateLabel(f"{namespace}/{name}", colour) for key, (name, colour) in _SHOWN.items()}


def is_state_label(label: str, namespace: str) -> bool:
    return label.startswith(f"{namespace}/")
