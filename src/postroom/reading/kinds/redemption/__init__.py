"""Repayments, expiries and squeeze-outs: what ends a holding without a sale."""
