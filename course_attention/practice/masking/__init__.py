"""Practice of notebook 05."""
