"""A class that does not exist, with everything known about it: to try a grader, and to see its views filled."""

from course_attention.grading.simulation.class_folder import write_class

__all__ = ["write_class"]
