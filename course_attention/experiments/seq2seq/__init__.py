"""Experiments of notebook 01: recurrent translation with and without attention."""
