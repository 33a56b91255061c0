"""Practice of notebook 01."""
