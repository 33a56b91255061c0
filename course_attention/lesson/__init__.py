"""What a notebook's cells call.

- `check`: judges an answer, shows its card, and hands back a function that works. `points`: what the check earned.
- `hint`: shows the next hint. `solution`: the course's own answer beside one that passed; `two_answers`: what differs.
- `progress`: shows which exercises are passed. `device`: where to compute.
- `predict`: asks before the result exists. `show`: shows a figure with its description.
- `leave_out_without`: leaves out the cells that need a library which is not installed.
- `defend`: asks what one change of an answer that passed would break.
- `review`: asks about a misconception that was met a day or a week ago.
- `look_back`: what a student's own module holds, and which misconceptions they have met.
- `mine`: a student's own function, out of the module that grows from what `check` has passed. `signed`: whose functions
  are at work.
- `explore_attention`, `explore_multi_head`, `explore_masking`, `explore_positions`: pictures that a reader can change.
- `misconception_page`: where the site explains what a card names.
- `answer_cell`, `obstacles`: what became of an answer's cell, and the card for it. `watch`: an answer that takes long.
- `reviews`, `review_pieces`: when a misconception is asked about again, and with which code.
- `choice`, `defence_card`, `defences`, `own_answer`: the parts of `defend`.
- `checked_notebook`: runs notebooks for `course-attention check`.
- `explorer`, `naming`, `records`, `predictions`, `workspace_file`: what the others are made from.
"""

from course_attention.lesson.check import check, points
from course_attention.lesson.defend import defend
from course_attention.lesson.device import device
from course_attention.lesson.hints import hint
from course_attention.lesson.left_out import leave_out_without
from course_attention.lesson.library import mine
from course_attention.lesson.look_back import look_back
from course_attention.lesson.predict import predict
from course_attention.lesson.progress import progress
from course_attention.lesson.review import review
from course_attention.lesson.show import show
from course_attention.lesson.signing import signed
from course_attention.lesson.solution import solution

__all__ = [
    "check",
    "defend",
    "device",
    "hint",
    "leave_out_without",
    "look_back",
    "mine",
    "points",
    "predict",
    "progress",
    "review",
    "show",
    "signed",
    "solution",
]
