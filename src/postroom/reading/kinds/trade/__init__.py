"""Purchases and sales: told by contract notes, listed by statements."""
