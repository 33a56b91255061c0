"""The exercises of the topic self attention: a file for each, and what they share."""
