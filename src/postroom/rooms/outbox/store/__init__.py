"""Proposals, approvals, and what was sent, in the database."""
