"""Reads what was handed in: it finds the notebooks, reads damaged ones as far as it can, and finds the answers."""
