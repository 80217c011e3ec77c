"""Webhooks out: posts to addresses that a tenant named, never into our own network."""

from __future__ import annotations

from postroom.outside.webhooks.post import WebhookSession

__all__ = ["WebhookSession"]
