"""Practice of notebook 12."""
