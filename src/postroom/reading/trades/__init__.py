"""Trades: quantities, prices, sums, days and securities, one contract note or a whole statement of them."""
