"""The schema as text: what the migrations add up to, in an order that does not depend on history."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import psycopg

from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate

SCHEMAS = "('postroom', 'bo_airflow', 'padealing')"
PARTS = {
    "tables": f"""
        SELECT n.nspname || '.' || c.relname, string_agg(format('    %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                 CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
                 CASE WHEN a.attidentity <> '' THEN ' GENERATED AS IDENTITY' ELSE '' END,
                 coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')), E'\\n' ORDER BY a.attnum)
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
         WHERE n.nspname IN {SCHEMAS} AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1 ORDER BY 1""",
    "constraints": f"""
        SELECT conrelid::regclass || '.' || conname, '    ' || pg_get_constraintdef(k.oid)
          FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname IN {SCHEMAS} AND NOT c.relispartition AND k.contype <> 'n' ORDER BY 1""",
    "indexes": f"""
        SELECT schemaname || '.' || indexname, '    ' || indexdef FROM pg_indexes i
          JOIN pg_class c ON c.relname = i.tablename AND c.relnamespace = i.schemaname::regnamespace
         WHERE schemaname IN {SCHEMAS} AND NOT c.relispartition ORDER BY 1""",
    "policies": f"""
        SELECT schemaname || '.' || tablename || '.' || policyname,
               format('    TO %s FOR %s USING %s CHECK %s', array_to_string(roles, ', '), cmd, qual, with_check)
          FROM pg_policies WHERE schemaname IN {SCHEMAS} ORDER BY 1""",
    "triggers": f"""
        SELECT c.oid::regclass || '.' || t.tgname, '    ' || pg_get_triggerdef(t.oid)
          FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname IN {SCHEMAS} AND NOT t.tgisinternal AND NOT c.relispartition ORDER BY 1""",
    "functions": f"""
        SELECT p.oid::regprocedure::text, pg_get_functiondef(p.oid)
          FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname IN {SCHEMAS} ORDER BY 1""",
    "grants": f"""
        SELECT c.oid::regclass || ' to ' || a.grantee::regrole, '    ' || string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type)
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
         WHERE n.nspname IN {SCHEMAS} AND c.relkind IN ('r', 'p') AND a.grantee::regrole::text IN ('postroom_app', 'postroom_desk')
         GROUP BY 1 ORDER BY 1""",
}


def dump(dsn: str) -> str:
    """Read from the catalogue, so that it equals what is there and not what we meant."""
    lines = ["-- Made by `make schema` from the migrations; compared in a test. Not to be edited."]
    with psycopg.connect(dsn, autocommit=True, options="-c search_path=pg_catalog") as connection:
        for heading, query in PARTS.items():
            lines.append(f"\n-- {heading}\n")
            for name, text in connection.execute(query.encode()).fetchall():
                lines.append(f"{name}\n{text}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


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
