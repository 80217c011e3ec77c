"""The schema as SQL that psql loads into an empty database: what the migrations add up to."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from postroom.db.binaries import find_programs
from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import ROLES, migrate

SCHEMAS = ("postroom", "bo_airflow", "padealing")
BY_DATE = "postroom.(attempt|fact)_[0-9]*"  # partitions, made as time goes by
_ROLES = "\n".join(
    f"    IF to_regrole('{role}') IS NULL THEN CREATE ROLE {role} NOLOGIN NOBYPASSRLS; END IF;" for role in ROLES
)
HEADING = f"""\
-- Made by `make schema` from the migrations; compared with them in a test. Not to be edited.
-- To read, or to load into an empty database: psql --set ON_ERROR_STOP=1 --file schema.sql

DO $$ BEGIN
{_ROLES}
END $$;
SET check_function_bodies = false;
SET client_min_messages = warning;
"""
_NOISE = re.compile(r"^(--.*|\\.*|SET .*|SELECT pg_catalog\.set_config.*)\n", re.MULTILINE)
_BODY = re.compile(r"(AS \$\$.*?\$\$;)", re.DOTALL)


def dump(dsn: str) -> str:
    """As pg_dump reads it from the catalogue, without what differs from one run to the next."""
    text = subprocess.run(  # noqa: S603 - a program we found ourselves
        [
            str(find_programs() / "pg_dump"),
            *("--schema-only", "--no-owner", f"--exclude-table={BY_DATE}"),
            *(f"--schema={name}" for name in SCHEMAS),
            f"--dbname={dsn}",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    parts = [part if part.startswith("AS $$") else _NOISE.sub("", part) for part in _BODY.split(text)]
    return HEADING + re.sub(r"\n{3,}", "\n\n", "\n" + "".join(parts).strip() + "\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        server = EmbeddedServer(home / "home").start()
        try:
            migrate(server.dsn())
            sys.stdout.write(dump(server.dsn()))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
