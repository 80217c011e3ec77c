"""The people whose trades the notes are about: staff who deal through outside brokers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealHolder:
    user: str
    name: str
    street: str
    city: str
    country: str
    account: str

    def address(self, *, country: bool = False) -> list[str]:
        return [self.name, self.street, self.city] + ([self.country] if country else [])


HOLDERS = {
    "de": DealHolder(
        "kbrandt", "Katharina Brandt", "Eppendorfer Weg 114", "20259 Hamburg", "Deutschland", "4471 0932 15"
    ),
    "en": DealHolder(
        "rwhitlock", "Rosalind Whitlock", "27 Camden Square", "London NW1 9XA", "United Kingdom", "TV-208841"
    ),
    "fr": DealHolder("ldeburna", "Laurent Deburna", "18 rue des Martyrs", "75009 Paris", "France", "00047 3310925"),
    "it": DealHolder(
        "gmarchetti", "Giulia Marchetti", "Via Solferino 22", "20121 Milano MI", "Italia", "0308/77412-06"
    ),
    "es": DealHolder(
        "ioteiza", "Iñaki Oteiza", "Calle de Serrano 61, 3.º B", "28006 Madrid", "España", "8820-114-0093"
    ),
    "nl": DealHolder(
        "svdberg",
        "Sanne van den Berg",
        "Prinsengracht 402-2",
        "1016 JC Amsterdam",
        "Nederland",
        "21.88.04.117",
    ),
    "sv": DealHolder(
        "elindqvist",
        "Elsa Lindqvist",
        "Hornsgatan 78 lgh 1302",
        "118 21 Stockholm",
        "Sverige",
        "5512-338 094",
    ),
    "ch": DealHolder("mzellweger", "Moritz Zellweger", "Kreuzstrasse 9", "8008 Zürich", "Schweiz", "Z 117.402.55"),
    "us": DealHolder("tokafor", "Tobias Okafor", "Lindenstraße 40", "10969 Berlin", "Germany", "KD-5530-1187"),
    "lu": DealHolder("amoreau", "Amélie Moreau", "12 rue du Fossé", "L-1536 Luxembourg", "Luxembourg", "0091-774-2"),
}
