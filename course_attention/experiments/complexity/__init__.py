"""Experiments of notebook 07: costs counted and measured."""
