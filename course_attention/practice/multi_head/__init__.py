"""Practice of notebook 04."""
