"""Practice of notebook 02."""
