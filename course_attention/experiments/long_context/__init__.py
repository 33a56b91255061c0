"""Experiments of notebook 11: lists in which the asked name may be missing."""
