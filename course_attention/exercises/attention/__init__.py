"""The exercises of the topic attention: a file for each, and what they share."""
