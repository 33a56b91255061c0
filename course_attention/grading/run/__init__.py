"""Grades one submission or a class, on this machine or a cluster, and stores the results."""
