"""Practice of notebook 14."""
