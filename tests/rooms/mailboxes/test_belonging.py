"""A row of one tenant's never points at another's mailbox: the database says so, whoever writes."""

from __future__ import annotations

import psycopg
import pytest

from house.test_isolation import Catalogue
from makers import make_tenant
from postroom.nouns.ids import new_id

# These outlive their mailbox or are written too often to be checked; each is read under its own tenant only.
BY_VALUE = {"postroom.job", "postroom.attempt", "postroom.fact", "postroom.notification", "postroom.event"}
# The house's own counters carry no tenant.
NO_TENANT = {"postroom.provider_slot", "postroom.provider_quota"}
POINTING = """
    SELECT a.attrelid::regclass::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE a.attname = 'mailbox_id' AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND n.nspname IN ('postroom', 'padealing', 'bo_airflow') ORDER BY 1"""
PAIRED = """
    SELECT convalidated FROM pg_constraint
     WHERE contype = 'f' AND conrelid = %s::regclass AND confrelid = 'postroom.mailbox'::regclass
       AND array_length(conkey, 1) = 2"""


def add_mailbox(owner: psycopg.Connection, tenant) -> object:
    mailbox = new_id()
    owner.execute(
        "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, 'a@b.test', 'imap', 'password')",
        [mailbox, tenant],
    )
    return mailbox


def test_every_table_that_names_a_mailbox_names_it_together_with_the_tenant(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        pointing = {row[0] for row in owner.execute(POINTING).fetchall()}
        paired = {table: owner.execute(PAIRED, [table]).fetchall() for table in pointing}

    assert {table: [(True,)] for table in pointing - BY_VALUE - NO_TENANT} == {
        table: found for table, found in paired.items() if table not in BY_VALUE | NO_TENANT
    }
    assert len(pointing - BY_VALUE - NO_TENANT) >= 11


def test_even_the_owner_cannot_point_a_tenants_row_at_anothers_mailbox(owner_dsn):
    ours, theirs = make_tenant(owner_dsn), make_tenant(owner_dsn)
    refused = []
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        catalogue = Catalogue(owner)
        catalogue.drop_checks()
        mailbox = add_mailbox(owner, theirs)
        tables = [row[0] for row in owner.execute(POINTING).fetchall() if row[0] not in BY_VALUE | NO_TENANT]
        for table in tables:
            known = {"postroom.tenant": {"tenant_id": ours}, "postroom.mailbox": {"id": mailbox, "tenant_id": theirs}}
            with pytest.raises(psycopg.errors.ForeignKeyViolation) as problem:
                catalogue.fill(table, ours, known)
            refused.append(problem.value.diag.constraint_name)

    assert ["mailbox_is_of_the_same_tenant"] * len(tables) == refused


def test_a_mailbox_that_goes_takes_its_rows_along_and_leaves_its_documents(owner_dsn):
    tenant = make_tenant(owner_dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        catalogue = Catalogue(owner)
        catalogue.drop_checks()
        mailbox = add_mailbox(owner, tenant)
        known = {"postroom.tenant": {"tenant_id": tenant}, "postroom.mailbox": {"id": mailbox, "tenant_id": tenant}}
        for table in ("postroom.document", "postroom.message", "postroom.mailbox_token"):
            catalogue.fill(table, tenant, known)

        owner.execute("DELETE FROM postroom.mailbox")

        assert [(tenant, None)] == owner.execute("SELECT tenant_id, mailbox_id FROM postroom.document").fetchall()
        for table in ("message", "mailbox_token"):
            assert (0,) == owner.execute(f"SELECT count(*) FROM postroom.{table}").fetchone()
