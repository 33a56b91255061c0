"""Experiments of notebook 07: attention that costs less."""
