"""Practice of notebook 11."""
