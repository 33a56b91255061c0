"""What the notebooks draw: arrays in, Axes out."""
