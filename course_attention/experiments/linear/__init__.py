"""Experiments of notebook 12: recall from a memory of fixed size."""
