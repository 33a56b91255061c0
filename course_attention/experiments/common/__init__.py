"""Data and settings that the experiments of several topics share."""
