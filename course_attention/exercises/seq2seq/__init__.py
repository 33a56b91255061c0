"""The exercises of the topic seq2seq: a file for each, and what they share."""
