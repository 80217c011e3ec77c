"""The API as it is served, for agents to ask."""

from doors.api.conftest import api as api
