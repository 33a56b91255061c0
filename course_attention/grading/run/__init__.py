"""Grades submissions: one at a time, as a class, on this machine or a cluster, and stores the results."""
