"""The exercises of the topic real models: a file for each."""
