"""The exercises of the topic beyond text: a file for each."""
