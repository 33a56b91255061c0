"""Grades one submission: plans its steps, runs them in the sandbox within a time budget, and judges its answers."""
