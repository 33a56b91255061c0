"""Experiments of notebook 05: causal models and who can see whom."""
