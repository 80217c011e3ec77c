"""How the tests open an archive: at a fixed time, with nothing from the environment."""

from datetime import UTC, datetime

from postroom.outside.blobs import Archive, open_blobs

NOW = datetime(2026, 2, 4, 9, 30, tzinfo=UTC)


def opened(url: str, **options: str) -> Archive:
    return open_blobs(url, options=options, now=lambda: NOW)
