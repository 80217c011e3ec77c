"""Documents, trades, orders and invoices in the database."""
