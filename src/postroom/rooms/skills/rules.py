"""The registry: every skill with its authority, which says whether it acts by itself or asks a person first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from postroom.nouns.errors import NotFound

Authority = Literal["JustDoIt", "AskMeFirst"]
SkillExecutor = Literal["llm", "code"]
SkillId = Literal["email-analyse", "email-send", "email-fetch-attachment"]


@dataclass(frozen=True, slots=True)
class Skill:
    """`JustDoIt` leaves nothing behind outside; `AskMeFirst` ends in a proposal, and a person says yes or no."""

    id: SkillId
    description: str
    executor: SkillExecutor
    authority: Authority
    triggers: tuple[str, ...] = ()
    category: str = "integration"


ANALYSE = Skill(
    id="email-analyse",
    description=(
        "Say what a mail is about: summary, intent, urgency, the channel it belongs to, and an answer where papers of "
        "the tenant support one. Reads only; nothing is written, labelled or sent."
    ),
    executor="llm",
    authority="JustDoIt",
    triggers=("email", "EmailMessage"),
)
SEND = Skill(
    id="email-send",
    description=(
        "Propose a mail: a reply in a thread, or a new one. It is never sent by this: a person sees exactly what would "
        "go out, and approves or discards it."
    ),
    executor="code",
    authority="AskMeFirst",
)
FETCH_ATTACHMENT = Skill(
    id="email-fetch-attachment",
    description=(
        "Bring a file of a mail from the mailbox and keep it, so that it can be read or forwarded. The provider sees a "
        "read, nobody else sees anything."
    ),
    executor="code",
    authority="JustDoIt",
)
SKILLS: tuple[Skill, ...] = (ANALYSE, SEND, FETCH_ATTACHMENT)


def skill_called(name: str) -> Skill:
    found = next((each for each in SKILLS if each.id == name), None)
    if found is None:
        raise NotFound(f"There is no skill {name!r}; there are {', '.join(each.id for each in SKILLS)}.")
    return found
