"""Runs a submission's cells and answers in isolation.

The modules here are the judge's side; `worker/` is what runs inside. They exchange plain data over a channel.
"""
