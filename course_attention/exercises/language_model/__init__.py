"""The exercises of the topic language_model: a file for each, and what they share."""
