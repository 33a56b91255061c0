"""Practice of notebook 03."""
