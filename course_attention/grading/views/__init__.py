"""What people read of a graded class: each view is a pure function of the result files.

- `results`: the results of a class, one student at a time, from which the views are made. `wording`: their words.
- `statistics`: what the class knows and mistakes.
- `exports`: tables for spreadsheets and learning platforms, and the marks that were handed on.
- `pages`: the feedback to each student, and the report on the class.
- `gradebook`: nbgrader's own gradebook, filled through its API.
- `writing`: all views at once.
"""

from course_attention.grading.views.writing import write_all

__all__ = ["write_all"]
