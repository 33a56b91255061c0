"""Practice of notebook 07."""
