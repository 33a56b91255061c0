"""Practice of notebook 08."""
