"""Decides whether an answer is right, and which idea explains it where it is not.

Pure NumPy: no torch, no files, no processes. The answer is run elsewhere (`execution.protocol.Runner`), and may live in
another process.
"""
