"""People at their mail programs."""

from __future__ import annotations

from collections.abc import Iterator

from postroom_simulators.google import GoogleSim
from postroom_simulators.graph import GraphSim
from postroom_simulators.mail_programs.gmail import GmailProgram
from postroom_simulators.mail_programs.outlook import OutlookProgram
from postroom_simulators.mail_programs.program import FOLDERS, MailProgram, known_folder

__all__ = ["FOLDERS", "GmailProgram", "MailProgram", "OutlookProgram", "all_mail_programs", "known_folder"]


def all_mail_programs(graph: GraphSim, google: GoogleSim) -> Iterator[MailProgram]:
    yield from (OutlookProgram(graph, address) for address in graph.mailboxes)
    yield from (GmailProgram(google, address) for address in google.mailboxes)
