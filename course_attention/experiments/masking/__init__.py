"""Experiments of notebook 05: sentences of a small grammar, and receptive fields."""
