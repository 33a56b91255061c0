"""Experiments of notebook 09: decoding with a cache, shared heads, induction and recall."""
