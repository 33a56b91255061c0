"""A student's results in a gradebook: the submissions, with a grade and a comment for each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course_attention.grading.views.gradebook.marks import assignment_of, marks, same_score, submitted_at
from course_attention.grading.views.gradebook.notebooks import Notebook, Notebooks
from course_attention.grading.views.results import StoredResult

if TYPE_CHECKING:
    from nbgrader.api import Grade, Gradebook, SubmittedAssignment
    from sqlalchemy import URL


class Students:
    """Adds students to a gradebook. Of the gradebook's content it keeps the notebooks' cells and nothing else."""

    def __init__(self, gradebook: Gradebook, url: URL) -> None:
        self._gradebook = gradebook
        self._notebooks = Notebooks(gradebook, url)

    def add(self, student: str, own: Sequence[StoredResult]) -> None:
        """Add or update one student. A file that is none of the course's notebooks has no place in a gradebook."""
        self._gradebook.update_or_create_student(student)
        for one in own:
            if one.record["max_score"] is not None:
                self._add(one)
        self._gradebook.db.commit()
        self._gradebook.db.expunge_all()

    def _add(self, one: StoredResult) -> None:
        from nbgrader.api import Comment, Grade, SubmittedNotebook

        record = one.record
        scores, messages = marks(record)
        notebook = self._notebooks.of(record)
        submission = self._submission(record, notebook)
        known = (one for one in submission.notebooks if one.notebook_id == notebook.id)
        submitted = next(known, None) or SubmittedNotebook(notebook_id=notebook.id, assignment=submission)
        self._gradebook.db.add(submitted)
        if one.lateness is not None and one.points is not None:
            submitted.late_submission_penalty = round(record["score"] - one.points, 2)
        grades = {grade.cell_id: grade for grade in submitted.grades}
        for name, (cell, points) in notebook.graded.items():
            grade = grades.get(cell) or Grade(cell_id=cell, notebook=submitted)
            if name in scores:
                score = scores[name]
                _enter(grade, None if score is None else round(score * points, 2))
        comments = {comment.cell_id: comment for comment in submitted.comments}
        for name, cell in notebook.commented.items():
            comment = comments.get(cell) or Comment(cell_id=cell, notebook=submitted)
            comment.auto_comment = messages.get(name, comment.auto_comment)
        self._gradebook.db.add_all([*submitted.grades, *submitted.comments])

    def _submission(self, record: Mapping[str, Any], notebook: Notebook) -> SubmittedAssignment:
        from nbgrader.api import MissingEntry, SubmittedAssignment

        student = record["student"]
        try:
            submission = self._gradebook.find_submission(assignment_of(record), student)
        except MissingEntry:
            submission = SubmittedAssignment(assignment_id=notebook.assignment_id, student_id=student)
            self._gradebook.db.add(submission)
        submission.timestamp = submitted_at(record["submitted"]) or submission.timestamp
        return submission


def _enter(grade: Grade, score: float | None) -> None:
    """Enter a score as nbgrader does: where a person has graded before, a new score asks for another look."""
    if not same_score(grade.auto_score, score):
        grade.auto_score = score
        grade.needs_manual_grade = score is None or grade.manual_score is not None
