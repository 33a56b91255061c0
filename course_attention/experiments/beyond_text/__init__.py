"""Data of notebook 13: handwritten digits, and made-up recordings with their text."""
