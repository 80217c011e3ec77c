"""A pipeline's name stands in one place of the code, and the database agrees with it."""

from __future__ import annotations

from pathlib import Path

import psycopg

from postroom.mail.words import pipeline_words
from postroom.nouns.pipelines import PIPELINES

SOURCE = Path(__file__).parents[2] / "src" / "postroom"
MAY_NAME_THEM = {
    "nouns/pipelines.py",
    "engine/ledger.py",  # published statements, to the letter
    "doors/api/messages.py",  # an example for readers of the API
}


def test_a_pipelines_name_stands_in_one_place():
    naming = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if any(name in file.read_text("utf-8") for name in PIPELINES)
    }

    assert MAY_NAME_THEM == naming


def test_a_new_mailbox_takes_part_in_every_pipeline(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        default = owner.execute(
            "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum "
            "WHERE d.adrelid = 'postroom.mailbox'::regclass AND a.attname = 'pipelines'"
        ).fetchone()[0]

    assert f"'{{{','.join(PIPELINES)}}}'::text[]" == default


def test_every_pipeline_has_words_it_is_known_by():
    for name in PIPELINES:
        assert pipeline_words((name,)).pattern != pipeline_words(()).pattern
