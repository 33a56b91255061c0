"""Practice of notebook 00."""
