"""Figures of the notebooks: each function takes arrays, draws them and returns the Axes."""
