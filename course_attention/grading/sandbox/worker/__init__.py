"""Runs inside the sandbox, beside a student's code. Neither judging nor exercises can be read from here."""
