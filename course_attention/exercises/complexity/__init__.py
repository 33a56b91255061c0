"""The exercises of the topic complexity: a file for each, and what they share."""
