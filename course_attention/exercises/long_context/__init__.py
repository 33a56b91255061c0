"""The exercises of the topic long_context: a file for each, and what they share."""
