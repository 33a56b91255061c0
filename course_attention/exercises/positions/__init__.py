"""The exercises of the topic positions: a file for each, and what they share."""
