"""Practice of notebook 13."""
