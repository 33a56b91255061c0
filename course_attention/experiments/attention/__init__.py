"""Data and measurements of notebook 02: a directory of cities, spoken words, a measured curve, the scale."""
