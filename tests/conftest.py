"""What every test may use: one real PostgreSQL for the run, a fresh database for each test.

Nothing of the product is imported before a test asks for it: the simulators' tests run without it.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from playwright.async_api import Browser

    from databases import DatabasePool
    from postroom.db.embedded import EmbeddedServer
    from postroom.db.pool import Database
    from postroom.engine.waker import Waker
    from postroom.outside.readers.pool import Readers

TEMPLATE = "postroom_template"
RULES = Path(__file__).parent / "rules"
WORKERS_PER_CORE = 3
MEMORY = Path("/dev/shm")  # a database is made there in a quarter of the time
MEMORY_BYTES = 4_000_000_000
FORGOTTEN_SECONDS = 86_400
GARBAGE = (10_000, 20, 50)  # the collector looks as seldom as in the product (`postroom.memory`)
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",  # it may lie in memory
    "max_connections": "400",  # four or more processes, each with a few databases
    "autovacuum": "off",  # with a few small databases it would be the busiest process
}


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(*GARBAGE)
    if hasattr(config, "workerinput"):
        config.postroom_home = Path(config.workerinput["postroom_home"])
        return
    config.postroom_home = Path(tempfile.mkdtemp(prefix="postroom-tests-", dir=_quickest_folder()))
    config.postroom_home.chmod(0o755)


def _quickest_folder() -> Path | None:
    """In memory, where there is enough of it; None is the usual place. What a killed run left there is taken away."""
    if not os.access(MEMORY, os.W_OK):
        return None
    for left in MEMORY.glob("postroom-tests-*"):
        if time.time() - left.stat().st_mtime > FORGOTTEN_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    return MEMORY if shutil.disk_usage(MEMORY).free > MEMORY_BYTES else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["postroom_home"] = str(node.config.postroom_home)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More processes than cores: more than half of a test is waiting for PostgreSQL, a program, a browser or the clock.
    Pure functions wait for nothing, and each process has to load them."""
    pure = [Path(argument).resolve().is_relative_to(RULES) for argument in config.args]
    return (1 if all(pure) else WORKERS_PER_CORE) * len(os.sched_getaffinity(0))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones are spread over the first half: they mostly wait, so others work beside them, and none is left for the end,
    where it would keep a single process busy while the others are done."""
    long = [item for item in items if item.get_closest_marker("long")]
    short = [item for item in items if not item.get_closest_marker("long")]
    beside = len(short) // (2 * len(long)) if long else 0
    items[:] = [
        each for number, item in enumerate(long) for each in (item, *short[number * beside : (number + 1) * beside])
    ]
    items += short[len(long) * beside :]


def pytest_asyncio_loop_factories() -> dict[str, Any]:
    from warm_connections import SharedLoop

    return {"uvloop": SharedLoop}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """The tests share a loop (`warm_connections.py`), and none sees a task of the one before."""
    yield
    from warm_connections import SharedLoop

    for loop in SharedLoop.open:
        loop.cancel_what_is_left()


def pytest_collection_finish() -> None:
    """What was imported and collected stays for the whole run: no later collection of garbage needs to look at it."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.postroom_home, ignore_errors=True)


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[EmbeddedServer]:
    import psycopg

    from postroom.db.embedded import EmbeddedServer
    from postroom.db.migrate import migrate

    server = EmbeddedServer(request.config.postroom_home / "server", FAST).start()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(1)")
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
            connection.execute(f"CREATE DATABASE {TEMPLATE}_new")
            migrate(server.dsn(f"{TEMPLATE}_new"), login="postroom")
            connection.execute(f"ALTER DATABASE {TEMPLATE}_new RENAME TO {TEMPLATE}")
        connection.execute("SELECT pg_advisory_unlock(1)")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def databases(server: EmbeddedServer) -> Iterator[DatabasePool]:
    import warm_connections
    from databases import DatabasePool

    pool = DatabasePool(server)
    with warm_connections.handed_on():
        yield pool
    pool.close()


@pytest.fixture
def owner_dsn(server: EmbeddedServer, databases: DatabasePool, request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated database without rows; as its owner, who may do anything."""
    with databases.lend(renamed=request.node.get_closest_marker("programs") is not None) as name:
        yield server.dsn(name)


@pytest.fixture
def empty_dsn(server: EmbeddedServer) -> Iterator[str]:
    """A fresh database with nothing in it."""
    import psycopg

    name = f"e_{uuid.uuid4().hex}"
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield server.dsn(name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def _loaded_reader() -> Iterator[None]:
    from loaded_reader import handed_on

    with handed_on():
        yield


@pytest.fixture(scope="session")
def reader() -> Iterator[Readers]:
    """Reads files, for benches without a house."""
    from postroom.outside.readers.pool import Readers

    with Readers(processes=1) as readers:
        yield readers


@pytest.fixture(scope="session")
def product_hasher() -> Iterator[PasswordHasher]:
    """The product's own; in its place tests get one that takes no time, where that takes a fifth of a second of CPU."""
    from argon2 import PasswordHasher

    from postroom.rooms.tenants.commands import people, signin

    own = people.HASHER
    with pytest.MonkeyPatch.context() as patch:
        for module in (people, signin):
            patch.setattr(module, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        signin._nobody.cache_clear()
        yield own
    signin._nobody.cache_clear()


@pytest.fixture(autouse=True)
def _by_words_alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence encoder takes 10 ms a line; only where replies are judged does it make a difference."""
    if "dsn" in request.fixturenames and "replies" not in request.path.as_posix():
        monkeypatch.setattr("postroom.app.house.open_encoder", lambda: None)


@pytest.fixture
def dsn(owner_dsn: str, _loaded_reader: None, product_hasher: PasswordHasher) -> str:
    """The same database, as the running product logs in."""
    return owner_dsn.replace("user=postgres", "user=postroom")


@pytest.fixture
async def db(dsn: str) -> AsyncIterator[Database]:
    from postroom.db.pool import Database

    database = await Database(dsn).open()
    yield database
    await database.close()


@pytest.fixture
async def waker(db: Database) -> AsyncIterator[Waker]:
    from postroom.engine.waker import Waker

    waker = Waker(db)
    await waker.start()
    yield waker
    await waker.stop()


@pytest.fixture(scope="session")
def chromium_address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from needs import need_chromium

    need_chromium()
    from shared_chromium import running
    from shared_services import shared

    with shared(request.config.postroom_home, "chromium", running(tmp_path_factory.mktemp("chromium"))) as address:
        yield address


@pytest.fixture
async def chromium(chromium_address: str) -> AsyncIterator[Browser]:
    """The browser that all tests share; with its contexts a test closes what it did."""
    from shared_chromium import connected

    async with connected(chromium_address) as browser:
        yield browser


@pytest.fixture(autouse=True, scope="session")
def _logs_can_be_captured() -> Iterator[None]:
    """A logger that was used keeps its way out for good, which would hide it from the tests after it."""
    import structlog

    with pytest.MonkeyPatch.context() as patch:
        configure = structlog.configure
        patch.setattr(structlog, "configure", lambda **how: configure(**how | {"cache_logger_on_first_use": False}))
        yield


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # commands write into a pipe here, however wide a terminal is
    for name in list(os.environ):
        if name.startswith(("POSTROOM_", "GRAPH_")) and name != "POSTROOM_ORACLES":
            monkeypatch.delenv(name)
