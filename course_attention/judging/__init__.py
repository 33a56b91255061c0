"""Decides whether an answer is right, and which misconception explains it where it is not.

The room is pure: no torch, no files, no processes. An answer is called elsewhere (`execution.protocol.Runner`), and may
live in another process.
"""

from course_attention.judging.dispatch import judge

__all__ = ["judge"]
