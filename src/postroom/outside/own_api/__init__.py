"""Our own JSON API, asked from another process with a key."""

from postroom.outside.own_api.client import ApiClient, open_session

__all__ = ["ApiClient", "open_session"]
