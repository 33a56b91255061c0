"""Experiments of notebook 00: the softmax."""
