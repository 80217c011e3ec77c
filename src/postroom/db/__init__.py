"""PostgreSQL: our own server when none is named, tenant transactions, named queries, migrations."""
