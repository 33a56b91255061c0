"""Tries whether this machine can grade: a right answer in each new sandbox, and each of its promises when asked."""
