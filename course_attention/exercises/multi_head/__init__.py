"""The exercises of the topic multi head: a file for each, and what they share."""
