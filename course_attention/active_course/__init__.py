"""Which course is taught: the package's own, or one that an instructor keeps in a folder of their own.

Everything that depends on it asks `active()`: which notebooks there are, what each asks, and what an exercise is worth.
A process has one active course, which is chosen before anything asks for it.
"""

from course_attention.active_course.choice import MARKER, VARIABLE, active, choose, workspace
from course_attention.active_course.course import Course
from course_attention.active_course.route import in_core
from course_attention.active_course.settings import CourseError, Settings

__all__ = ["MARKER", "VARIABLE", "Course", "CourseError", "Settings", "active", "choose", "in_core", "workspace"]
