"""One booking in a paper: where it is told, its days, its direction, its security."""
