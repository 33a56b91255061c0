"""Experiments of notebook 08: the Transformer trained, taken apart and transferred."""
