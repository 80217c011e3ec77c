"""Dividends, distributions and coupons: what a security pays while it is held."""
