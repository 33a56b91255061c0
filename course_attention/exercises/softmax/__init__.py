"""The exercises of the topic softmax: a file for each, and what they share."""
