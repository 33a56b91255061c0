"""Runs a submission's cells and answers in isolation, and carries messages between them and the judge."""
