"""Experiments of notebook 06: position encodings compared."""
