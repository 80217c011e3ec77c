"""Contract notes of made-up brokers: each has its own letterhead, language and conventions."""

from __future__ import annotations

from postroom_simulators.papers.brokers.abroad import kestrel_fx_note, seewald_partial_fills_note
from postroom_simulators.papers.brokers.british import arbour_fund_note, thornbury_note
from postroom_simulators.papers.brokers.german import hansekontor_note, weidenfels_bond_note
from postroom_simulators.papers.brokers.holders import HOLDERS, DealHolder
from postroom_simulators.papers.brokers.northern import malarbanken_note, polderhuis_note
from postroom_simulators.papers.brokers.romance import berault_note, cantabria_note, tiberina_note

NOTES = {
    "hansekontor": hansekontor_note,
    "weidenfels": weidenfels_bond_note,
    "thornbury": thornbury_note,
    "arbour": arbour_fund_note,
    "berault": berault_note,
    "tiberina": tiberina_note,
    "cantabria": cantabria_note,
    "polderhuis": polderhuis_note,
    "malarbanken": malarbanken_note,
    "kestrel": kestrel_fx_note,
    "seewald": seewald_partial_fills_note,
}

__all__ = ["HOLDERS", "NOTES", "DealHolder"]
