"""The exercises of the topic transformer: a file for each, and what they share."""
