"""The exercises of the topic linear: a file for each."""
