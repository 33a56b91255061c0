"""What people read of a graded class: each view is a pure function of the result files.

- `feedback`: a page for each submission. `report`: a page on the class for the instructor.
- `grades`, `canvas`, `moodle`, `gradescope`, `exercises_csv`: grades for spreadsheets and learning platforms.
- `class_list_matches`: whose each folder of submissions is. `feedback_zip`: feedback as an LMS takes it back.
- `exported`, `changes`: the marks that were exported, and whose marks have changed since.
- `gradebook`: nbgrader's own gradebook, filled through its API.
- `results`, `recorded_example`, `class_statistics`, `misconceptions`, `distribution`: what the views are made from.
- `costly_misconceptions`, `unnamed_answers`, `equal_answers`, `new_misconception`: what the report says of the answers.
- `score_reasons`, `student_code`: why an answer earned what it did, and the answer in colours.
- `holders`, `verdicts`: lists of students, and which answers got the same verdict.
- `page`, `spreadsheet`, `wording`: HTML, CSV, and the words that several views share.
- `writing`: all views at once.
"""

from course_attention.grading.views.writing import write_all

__all__ = ["write_all"]
