"""What marks a paper or a part of it as internal, in ten languages, and what only sounds so."""

from __future__ import annotations

import pytest

from postroom.rooms.replies.rules.papers import Paper, read_paper

RATE = "The rate is 70 EUR."
MARKING_LINES = [
    "Staff-only document",
    "For staff use only.",
    "Not for external use.",
    "NOT FOR DISTRIBUTION",
    "Nur für den internen Dienstgebrauch!",
    "Internes Dokument",
    "Interner Leitfaden",
    "Nicht an Kunden weitergeben",
    "Réservé à l'équipe",
    "Uso exclusivo del personal",
    "Wyłącznie dla personelu",
    "Bara för personal",
    "Kun for ansatte",
    "This document is for internal use only and must never be given to guests, agents, travel companies or anybody else outside the house.",
    "For colleagues only.",
    "À usage interne",
    "Internal",
    "**Internal only**",
    "Confidential",
    "Vertraulich",
    "Streng vertraulich",
    "INTERN Mahnwesen",
    "Riservato al personale",
    "Alleen voor medewerkers",
    "Apenas para funcionários",
    "Tylko dla pracowników",
    "Endast för personal",
    "Kun til internt brug",
    "Do not share with guests.",
    "Strictly internal",
    "Nur für Mitarbeiter",
    "Nur für den Gebrauch im Büro.",
    "Solo para empleados",
    "Nicht für Kunden bestimmt",
    "For the front desk team only",
    "Intern – nicht für Gäste",
    "Confidential – staff only",
    "Ne pas diffuser",
    "Wewnętrzne",
    "Poufne",
    "Fortroligt",
    "Documento interno",
    "Uso interno",
    "Voor intern gebruik",
    "Só para uso interno",
    "Solo per uso interno",
    "Internal document, version 3 of March 2026",
]
OTHER_LINES = [
    "Internal stairs lead to the roof.",
    "Our department of internal medicine",
    "Our staff are happy to help.",
    "All data are kept confidential.",
    "The pool bar is for staff only on Mondays and costs nothing.",
    "Do not share your password with anyone.",
    "The staff only speak English and German at night.",
    "Piscina interna riscaldata",
    "Parking",
    "The internal wifi is called GUEST and works.",
    "Car park B is for staff only.",
    "Please do not give your key to visitors.",
    "We treat your data as strictly confidential.",
    "Das Personal hilft Ihnen gern.",
    "Notre équipe vous accueille.",
    "Call our team.",
    "Nasz personel chętnie pomoże.",
    "Ask our staff only after 8:00.",
    "Our doctors for internal medicine are here from Monday to Friday.",
]
MARKING_HEADINGS = [
    "Internal notes",
    "Staff only",
    "Nur intern",
    "For internal use only – do not quote",
    "Internal",
    "INTERN",
    "Interne Hinweise",
    "Notes internes",
    "Notas internas",
    "Note interne",
    "Interne notities",
    "Notatki wewnętrzne",
    "Interna anteckningar",
    "Interne noter",
    "Internal rates",
    "Interne Preise",
    "Réservé au personnel",
    "For staff",
    "Staff notes",
    "Für Mitarbeiter",
    "Pour l'équipe",
    "Internal: corporate rates",
    "Rates (internal)",
    "Prices – internal",
    "Not for guests",
    "Confidential",
    "Vertraulich",
    "Confidential price list",
    "Hinweise für das Team",
    "Sólo para el personal",
    "Solo per lo staff",
    "Dla pracowników",
    "Nur fürs Team",
]
OTHER_HEADINGS = [
    "Internal medicine",
    "Internal stairs",
    "Innere Medizin",
    "Médecine interne",
    "Medicina interna",
    "Piscina interna",
    "Our staff",
    "Staff and contact",
    "Meet the team",
    "Internship",
    "International payments",
    "Internet",
    "Vertraulichkeit",
    "Confidentiality",
    "Interne geneeskunde",
    "Choroby wewnętrzne",
    "Parcheggio interno",
    "Internal flights",
    "Personal training",
    "Personal data",
    "Interna medicinkliniken",
    "For teams",
    "Team events",
    "Privat parken",
    "Reserved seats",
    "Posti riservati",
]
MARKING_FIELDS = [
    "audience: staff only",
    "audience: Internal use only",
    "audience: [internal]",
    "visibility: private",
    "internal: true",
    "confidential: yes",
    "classification: internal",
    "access: restricted",
    "audience:\n  - staff",
    "intern: ja",
    "public: false",
    "Zielgruppe: Mitarbeiter",
    "staff_only: true",
    "tags: [prices, internal]",
    "vertraulich: ja",
    "interne: oui",
    'access: "staff"',
    "audience: nur intern",
]
OTHER_FIELDS = [
    "audience: public",
    "internal: false",
    "audience: guests",
    "public: true",
    "status: published",
    "author: staff",
    "tags: [team, prices]",
    "confidential: no",
    "visibility: public",
    "title: Staff are happy to help",
    "category: internal medicine",
    "description: The internal stairs",
    "contact: Internal Medicine",
    "audience: public, staff",
]
MARKING_FOLDERS = [
    "internal-docs",
    "staff only",
    "01 internal",
    "_internal",
    "Nur intern",
    "Intern_2026",
    "internal",
    "Internal",
    "interne Dokumente",
    "documentos internos",
    "dokumenty wewnętrzne",
    "team internal",
    "Vertraulich 2026",
    "nur-fuer-mitarbeiter",
    "01_Interne",
]
OTHER_FOLDERS = [
    "internal-medicine",
    "international",
    "internet",
    "personal training",
    "staffing",
    "interior",
    "Innere Medizin",
    "medicina-interna",
    "private-customers",
    "team-events",
]
MARKED_PAGES = [
    "<html><body><h1>Rates</h1><p>The rate is 70 EUR.</p><footer>For internal use only</footer></body></html>",
    "<html><body><!-- internal --><h1>Rates</h1><p>The rate is 70 EUR.</p></body></html>",
    "<html><meta name='audience' content='staff'><body><h1>Rates</h1><p>The rate is 70 EUR.</p></body></html>",
    "<!-- internal only --><html><body><p>The rate is 70 EUR.</p></body></html>",
    "<html><body><p>The rate is 70 EUR.</p><div class='footer'>Intern – nicht für Kunden</div></body></html>",
]
OTHER_PAGES = [
    "<html><body><h1>Rates</h1><p>The rate is 70 EUR.</p><footer>Our staff are happy to help. Confidentiality. Imprint</footer></body></html>",
    "<html><body><!-- internal link checker --><h1>Rates</h1><p>The rate is 70 EUR.</p></body></html>",
]


def words(paper: Paper) -> list[str]:
    return [line.text for snippet in paper.snippets for line in snippet.lines]


@pytest.mark.parametrize(
    ("line", "expected"),
    [*((each, "internal") for each in MARKING_LINES), *((each, "public") for each in OTHER_LINES)],
)
def test_a_line_at_the_top_says_it_of_the_paper(line: str, expected: str) -> None:
    assert expected == read_paper("a.md", f"# Rates\n\n{line}\n\n{RATE}", "markdown").audience


@pytest.mark.parametrize("heading", MARKING_HEADINGS)
def test_what_stands_below_an_internal_heading_is_no_evidence(heading: str) -> None:
    text = f"# House\n\nWelcome.\n\n## {heading}\n\n{RATE}\n\n### More\n\nAlso 60 EUR.\n\n## Pool\n\nIt is open.\n"
    paper = read_paper("a.md", text, "markdown")
    assert ("public", ["Welcome.", "It is open."]) == (paper.audience, words(paper))


@pytest.mark.parametrize("heading", OTHER_HEADINGS)
def test_a_heading_that_only_sounds_so_hides_nothing(heading: str) -> None:
    paper = read_paper("a.md", f"# {heading}\n\n{RATE}\n\n## {heading}\n\nThe pool is open.", "markdown")
    assert ("public", [RATE, "The pool is open."]) == (paper.audience, words(paper))


@pytest.mark.parametrize(
    ("field", "expected"),
    [*((each, "internal") for each in MARKING_FIELDS), *((each, "public") for each in OTHER_FIELDS)],
)
def test_a_field_says_it_of_the_paper(field: str, expected: str) -> None:
    assert (
        expected == read_paper("a.md", f"---\ndate: 2026-01-01\n{field}\n---\n# Rates\n\n{RATE}", "markdown").audience
    )


@pytest.mark.parametrize(
    ("folder", "expected"),
    [*((each, "internal") for each in MARKING_FOLDERS), *((each, "public") for each in OTHER_FOLDERS)],
)
def test_a_folder_says_it_of_its_papers(folder: str, expected: str) -> None:
    assert expected == read_paper(f"{folder}/a.md", f"# Rates\n\n{RATE}", "markdown").audience


@pytest.mark.parametrize(
    ("page", "expected"),
    [*((each, "internal") for each in MARKED_PAGES), *((each, "public") for each in OTHER_PAGES)],
)
def test_a_comment_or_the_foot_says_it_of_a_page(page: str, expected: str) -> None:
    assert expected == read_paper("a.html", page, "html").audience


def test_a_comment_says_it_of_a_markdown_paper_and_a_name_of_a_file() -> None:
    assert "internal" == read_paper("a.md", f"<!-- internal -->\n# Rates\n\n{RATE}", "markdown").audience
    assert "internal" == read_paper("rates-internal.md", f"# Rates\n\n{RATE}", "markdown").audience


def test_a_bold_line_hides_what_follows_and_a_label_or_a_column_its_own() -> None:
    text = (
        "# House\n\nHi.\n\n## Rates\n\nThe rate is 80 EUR.\n\n**Internal only**\n\nFor agents 70 EUR.\n\nOr 60 EUR.\n\n"
        "## Bikes\n\n- One day: 5 EUR\n- Internal: 3 EUR\n\n| bike | price | internal price |\n|---|---|---|\n| e-bike | 9 | 4 |\n\n"
        "## Boats\n\nA boat is 50 EUR.\n\nFor internal use only.\n"
    )
    assert ["Hi.", "The rate is 80 EUR.", "One day: 5 EUR"] == words(read_paper("a.md", text, "markdown"))


def test_typed_text_and_pages_have_internal_sections_too() -> None:
    typed = f"HOUSE\n\nWelcome to us.\n\nInternal notes\n\n{RATE}\n\nPool\n\nIt is open all day.\n"
    page = f"<h1>House</h1><p>Welcome to us.</p><h2>Nur intern</h2><p>{RATE}</p><h2>Pool</h2><p>It is open all day.</p>"
    assert ["Welcome to us.", "It is open all day."] == words(read_paper("a.txt", typed, "text"))
    assert ["Welcome to us.", "It is open all day."] == words(read_paper("a.html", page, "html"))


def test_a_person_who_calls_a_paper_public_leaves_its_internal_sections_hidden() -> None:
    text = f"# INTERNAL\n\nHello.\n\n## Staff only\n\n{RATE}\n"
    paper = read_paper("a.md", text, "markdown", audience="public")
    assert ("public", ["Hello."]) == (paper.audience, words(paper))
