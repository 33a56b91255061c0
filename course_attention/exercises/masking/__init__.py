"""The exercises of the topic masking: a file for each, and what they share."""
