"""Measurements: ratios to a floor, and evals of what is read."""
