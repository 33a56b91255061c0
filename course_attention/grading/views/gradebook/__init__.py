"""nbgrader's own gradebook, filled through its API: formgrader shows it, and `nbgrader export` writes it out.

The gradebook is the instructor's. What was entered in it by hand stays (manual scores, extra credit, manual comments,
the points of a cell that is there already), and nothing is removed from it. A submission that is not graded has no
score, and formgrader lists it among those that need a manual grade.

- `filling`: fill a gradebook with the results of a class.
- `database`: open the gradebook, or say why it cannot be opened.
- `students`, `notebooks`: enter a student's results, and find or enter the cells that they belong to.
- `marks`: a result's scores, messages and time as nbgrader has them.
"""

from course_attention.grading.views.gradebook.database import NoGradebook, check
from course_attention.grading.views.gradebook.filling import write_gradebook

__all__ = ["NoGradebook", "check", "write_gradebook"]
