"""The grader: whose work it is, run safely, worth how much."""
