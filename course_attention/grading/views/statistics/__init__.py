"""Counts what a class knows and mistakes: points, misconceptions, wrong answers without a name, equal answers."""
