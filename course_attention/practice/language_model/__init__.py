"""Practice of notebook 10."""
