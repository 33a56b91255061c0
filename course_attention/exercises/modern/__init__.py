"""The exercises of the topic modern: a file for each, and what they share."""
