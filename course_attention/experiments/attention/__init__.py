"""Experiments of notebook 02: scores, scaling, normalisers and cross-attention."""
