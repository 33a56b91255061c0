"""Practice of notebook 06."""
