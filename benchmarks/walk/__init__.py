"""The whole walk, notification to ledger success, against a bare script that makes the same calls."""
