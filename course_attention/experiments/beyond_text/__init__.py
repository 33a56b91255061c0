"""Data of notebook 11: handwritten digits, and made-up recordings with their text."""
