"""Secrets at rest: sealed with our own key for the database, or kept in AWS SSM Parameter Store."""

from __future__ import annotations

from postroom.outside.keys.encryption import Sealer, about
from postroom.outside.keys.keyring import load_sealer

__all__ = ["Sealer", "about", "load_sealer"]
