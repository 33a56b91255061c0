"""Experiments of notebook 06: a log book to be read, and encodings to be compared."""
