"""Experiments of notebook 04: tasks that need several heads."""
