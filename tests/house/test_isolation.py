"""One tenant never reaches another: held against every table, and against every function of every room's store."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

import postroom.rooms
from makers import make_tenant
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.nouns.ids import TenantId
from postroom.nouns.secrets import Secret

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
# They look before the tenant is known, at the front desk, whose role reaches a few tables and columns by name.
FRONT_DESK = {
    "mailboxes.take_consent",
    "mailboxes.ticketed_consent",
    "mailboxes.subscription_owners",
    "mailboxes.address_owners",
    "mailboxes.covered",
    "subscribers.tenants_with_webhooks",
    "tenants.add_tenant",
    "tenants.tenant_by_name",
    "tenants.all_tenants",
    "tenants.key_holder",
    "tenants.people_to_enter",
    "tenants.session_holder",
    "tenants.take_link",
    "tenants.owner_of_link",
}
DESK_WRITES = {
    *("postroom.job", "postroom.attempt", "postroom.fact"),  # lanes
    "postroom.job_payload",  # old ones are dropped, unread
    *("postroom.notification", "postroom.hint", "postroom.mailbox_push"),  # notifications
    "postroom.provider_wait",  # budgets
    *("postroom.tenant", "postroom.consent", "postroom.signin_try", "postroom.signin_link"),  # who comes in
}


class Cell:
    """A column, as far as filling it goes."""

    def __init__(self, name: str, kind: str, required: bool, generated: bool) -> None:
        self.name, self.kind, self.required, self.generated = name, kind, required, generated


class Catalogue:
    """What the database says of its own tables."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def tenant_tables(self) -> list[str]:
        question = """
            SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
             WHERE n.nspname IN ('postroom', 'padealing', 'bo_airflow') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             ORDER BY 1"""
        return [row[0] for row in self.connection.execute(question).fetchall()]

    def cells(self, table: str) -> list[Cell]:
        question = """
            SELECT a.attname, format_type(a.atttypid, NULL), a.attnotnull AND NOT a.atthasdef,
                   a.attgenerated <> '' OR a.attidentity <> ''
              FROM pg_attribute a WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped"""
        return [Cell(*row) for row in self.connection.execute(question, [table]).fetchall()]

    def parents(self, table: str) -> dict[str, tuple[str, str]]:
        question = """
            SELECT a.attname, k.confrelid::regclass::text, b.attname FROM pg_constraint k
              JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
              JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
             WHERE k.contype = 'f' AND k.conrelid = %s::regclass"""
        return {row[0]: (row[1], row[2]) for row in self.connection.execute(question, [table]).fetchall()}

    def drop_checks(self) -> None:
        """Whose row it is does not hang on what is in it: simple rows will do."""
        question = """
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint k
             WHERE contype = 'c' AND conislocal AND coninhcount = 0 AND conrelid <> 0"""
        for (statement,) in self.connection.execute(question).fetchall():
            if " pg_" not in statement and "information_schema" not in statement:
                self.connection.execute(statement)

    def fill(self, table: str, tenant: UUID, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """One row of this tenant's, as simple as the constraints allow."""
        parents = self.parents(table)
        row: dict[str, Any] = {}
        for cell in self.cells(table):
            if cell.name == "tenant_id":
                row[cell.name] = tenant
            elif cell.generated or not (cell.required or cell.name.endswith("mailbox_id")):
                continue
            elif cell.name in parents and parents[cell.name][0] in known:
                row[cell.name] = known[parents[cell.name][0]][parents[cell.name][1]]
            else:
                row[cell.name] = _plain(cell.kind)
        return self.insert(table, row)

    def forget(self, tenant: UUID) -> None:
        """What the intruder wrote as their own was made of the other's words: it would look like a leak."""
        tables = [table for table in self.tenant_tables() if table != "postroom.tenant"]
        deletes = sql.SQL("; ").join(
            sql.SQL("DELETE FROM {} WHERE tenant_id = {}").format(_table(table), sql.Literal(tenant))
            for table in tables
        )
        quietly = sql.SQL("SET session_replication_role = replica; {}; SET session_replication_role = origin")
        self.connection.execute(quietly.format(deletes))

    def insert(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        names, values = sql.SQL(", ").join(map(sql.Identifier, row)), [_bound(value) for value in row.values()]
        marks = sql.SQL(", ").join([sql.Placeholder()] * len(row))
        statement = sql.SQL("INSERT INTO {} AS made ({}) VALUES ({}) RETURNING to_jsonb(made)")
        found = self.connection.execute(statement.format(_table(table), names, marks), values).fetchone()
        assert found is not None
        return {name: _as_id(value) for name, value in found[0].items()}


def _plain(kind: str) -> Any:
    simple: dict[str, Any] = {
        "uuid": uuid4(),
        "text": f"b-{uuid4().hex}",
        "character varying": f"b-{uuid4().hex}",
        "timestamp with time zone": NOW,
        "date": NOW.date(),
        "bytea": b"\1" * 32,
        "boolean": True,
        "jsonb": {},
        "integer": 1,
        "smallint": 1,
        "bigint": 1,
        "numeric": Decimal(1),
        "double precision": 1.0,
        "interval": timedelta(1),
    }
    return [] if kind.endswith("[]") else simple[kind]


def _as_id(value: Any) -> Any:
    return (
        UUID(value)
        if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value)
        else value
    )


def _bound(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value


def _table(name: str) -> sql.Composable:
    return sql.SQL(".").join(map(sql.Identifier, name.split(".")))


@pytest.fixture
def theirs(owner_dsn: str) -> Iterator[tuple[Catalogue, UUID, UUID, dict[str, dict[str, Any]]]]:
    """Tenant A with nothing, tenant B with a row in every table that carries a tenant."""
    ours, other = make_tenant(owner_dsn), make_tenant(owner_dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        catalogue = Catalogue(owner)
        catalogue.drop_checks()
        known = {"postroom.tenant": {"tenant_id": other}}
        waiting = [table for table in catalogue.tenant_tables() if table != "postroom.tenant"]
        while waiting:  # parents first: what cannot be filled yet is tried again
            troubles, left = {}, []
            for table in waiting:
                try:
                    known[table] = catalogue.fill(table, other, known)
                except psycopg.Error as problem:
                    troubles[table], left = str(problem).splitlines()[0], [*left, table]
            assert len(left) < len(waiting), f"no row could be made for {troubles}"
            waiting = left
        yield catalogue, ours, other, known


def test_no_tenant_reads_changes_deletes_or_plants_rows_of_another(theirs, dsn):
    catalogue, ours, other, known = theirs
    before = _everything(catalogue, other)
    with psycopg.connect(dsn, autocommit=True, options="-c role=postroom_app") as app:
        app.execute(f"SET postroom.tenant = '{ours}'")
        for table, row in known.items():
            assert 0 == _touched(app, "SELECT 1 FROM {}", table, other), table
            assert 0 == _touched(app, "UPDATE {} SET tenant_id = tenant_id", table, other), table
            assert 0 == _touched(app, "DELETE FROM {}", table, other), table
            if table != "postroom.tenant":
                plain = {cell.name for cell in catalogue.cells(table) if not cell.generated}
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    Catalogue(app).insert(table, {name: value for name, value in row.items() if name in plain})

    assert before == _everything(catalogue, other)


def test_without_a_tenant_nothing_is_seen_at_all(theirs, dsn):
    _, _, other, known = theirs
    with psycopg.connect(dsn, autocommit=True, options="-c role=postroom_app") as app:
        for table in known:
            assert 0 == _touched(app, "SELECT 1 FROM {}", table, other), table


def test_the_front_desk_writes_nothing_but_what_was_opened_to_it(theirs, dsn):
    """It acts before the tenant is known, so what it may write is a list that grows on purpose only."""
    question = "SELECT bool_or(has_table_privilege(%s, act)) FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) act"
    with psycopg.connect(dsn, autocommit=True, options="-c role=postroom_desk") as scope:
        may = {table for table in theirs[3] if scope.execute(question, [table]).fetchone() == (True,)}

    assert DESK_WRITES == may


def _touched(app: psycopg.Connection, statement: str, table: str, tenant: UUID) -> int:
    """How many rows of that tenant it reached; what the role may not do at all reaches none."""
    text = sql.SQL(statement + " WHERE tenant_id = %s").format(_table(table))  # type: ignore[arg-type]  # our own literals
    try:
        return app.execute(text, [tenant]).rowcount
    except psycopg.errors.InsufficientPrivilege:
        return 0


def _everything(catalogue: Catalogue, tenant: UUID) -> list[tuple[str, str]]:
    """Every row of a tenant: its table, and itself as text."""
    one = sql.SQL("SELECT {}, t::text FROM {} t WHERE tenant_id = {}")
    each = [one.format(name, _table(name), sql.Literal(tenant)) for name in catalogue.tenant_tables()]
    question = sql.SQL("{} ORDER BY 1, 2").format(sql.SQL(" UNION ALL ").join(each))
    return catalogue.connection.execute(question, prepare=True).fetchall()


# through the rooms


def stores() -> Iterator[tuple[str, Callable[..., Any]]]:
    for found in pkgutil.walk_packages(postroom.rooms.__path__, "postroom.rooms."):
        if re.fullmatch(r"postroom\.rooms\.\w+\.(\w+_)?store(\.\w+)?", found.name):
            module = importlib.import_module(found.name)
            for name, function in vars(module).items():
                if inspect.iscoroutinefunction(function) and function.__module__ == module.__name__ and name[0] != "_":
                    yield f"{found.name.split('.')[2]}.{name}", function


def test_who_looks_before_the_tenant_is_known_is_on_the_list():
    at_the_desk = {
        name
        for name, function in stores()
        if "db" in inspect.signature(function).parameters and "tenant_id" not in inspect.signature(function).parameters
    }

    assert at_the_desk | {"tenants.add_tenant"} == FRONT_DESK


class Intruder:
    """Arguments for any store function, all of them naming what belongs to the other tenant."""

    def __init__(self, tenant: UUID, known: dict[str, dict[str, Any]]) -> None:
        self.tenant = tenant
        self.ids = {
            "MailboxId": known["postroom.mailbox"]["id"],
            "MessageId": known["postroom.message"]["id"],
            "ThreadId": known["postroom.thread"]["id"],
            "DocumentId": known["postroom.document"]["id"],
            "TenantId": tenant,
        }
        self.by_name = {table.rpartition(".")[2]: row for table, row in known.items()}

    def arguments(self, function: Callable[..., Any], tenant: UUID) -> dict[str, Any]:
        hints = typing.get_type_hints(function)
        names = [name for name in inspect.signature(function).parameters if name not in ("tx", "db")]
        return {name: tenant if name == "tenant_id" else self.argument(name, hints[name]) for name in names}

    def argument(self, name: str, kind: Any) -> Any:
        if (named := getattr(kind, "__name__", "")) in self.ids and hasattr(kind, "__supertype__"):
            return self.ids[named]
        if hasattr(kind, "__supertype__"):
            return self.id_named(name) if kind.__supertype__ in (UUID, int) else self.argument(name, kind.__supertype__)
        origin, inside = typing.get_origin(kind), typing.get_args(kind)
        if origin in (typing.Union, types.UnionType):
            return self.argument(name, next(each for each in inside if each is not type(None)))
        if origin is typing.Literal:
            return inside[0]
        if origin is tuple:
            return tuple(self.argument(name, each) for each in inside if each is not ...)
        if kind is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
            return {}
        if origin is not None and inside:
            return [self.argument(name, inside[0])] if origin is not frozenset else frozenset()
        if is_dataclass(kind):
            hints = typing.get_type_hints(kind)
            return kind(**{each.name: self.argument(each.name, hints[each.name]) for each in fields(kind) if each.init})
        plain: dict[Any, Any] = {
            UUID: self.id_named(name), str: self.text_named(name), int: 1, bool: True, bytes: b"\1" * 32, float: 1.0,
            datetime: NOW, date: NOW.date(), Decimal: Decimal(1), timedelta: timedelta(1), Secret: Secret("x"), Any: {},
        }  # fmt: skip
        return plain[kind]

    def id_named(self, name: str) -> Any:
        """`rule_id` is the id of a row in a table whose name ends so."""
        stem = name.removesuffix("_id")
        rows = [row for table, row in self.by_name.items() if table.endswith(stem) and "id" in row]
        return rows[0]["id"] if rows else self.tenant

    def text_named(self, name: str) -> str:
        values = [row[name] for row in self.by_name.values() if isinstance(row.get(name), str)]
        return values[0] if values else "x"


@pytest.fixture
async def opened(dsn) -> AsyncIterator[Database]:
    database = await Database(dsn, size=2, desk_size=2).open()
    yield database
    await database.close()


async def test_no_function_of_any_store_hands_out_or_changes_what_is_anothers(theirs, opened):
    catalogue, ours, other, known = theirs
    intruder, before = Intruder(other, known), _everything(catalogue, other)
    marks = _marks(known, other)
    called = 0
    for name, function in stores():
        if name in FRONT_DESK:
            continue
        for tenant in (other, ours):  # lying about whom it is for, and not
            arguments = intruder.arguments(function, tenant)
            answer = await _call(function, opened, ours, arguments)
            leaked = [mark for mark in marks if mark in repr(answer) and mark not in repr(arguments)]
            assert not leaked, f"{name} handed out {leaked}"
            catalogue.forget(ours)
            called += 1
        assert before == _everything(catalogue, other), f"{name} changed what is another's"

    assert called > 200


def _marks(known: dict[str, dict[str, Any]], tenant: UUID) -> set[str]:
    """What only the other tenant's rows contain."""
    values = {str(value) for row in known.values() for value in row.values() if isinstance(value, UUID | str)}
    return {value for value in values if len(value) >= 32} - {str(tenant)}


async def _call(function: Callable[..., Any], db: Database, ours: UUID, arguments: dict[str, Any]) -> Any:
    try:
        if "db" in inspect.signature(function).parameters:
            return await function(db=db, **{**arguments, "tenant_id": ours})
        async with db.tenant(TenantId(ours)) as tx:
            return await function(tx, **arguments)
    except DatabaseError as problem:
        return f"refused: {problem.sqlstate}"
    except KeyError as unknown:  # what it was to be told beside
        return f"refused: {unknown}"
