"""Practice of notebook 09."""
