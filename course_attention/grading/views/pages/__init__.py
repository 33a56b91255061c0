"""Draws the pages that people read in a browser: the feedback to each student, and the report on the class."""
