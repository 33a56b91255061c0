"""What a notebook's cells call.

- `check`: judges an answer, shows its card, and hands back a function that works. `points`: what the check earned.
- `hint`: shows the next hint. `progress`: shows which exercises are passed. `device`: where to compute.
- `predict`: asks before the result exists. `show`: shows a figure with its description.
- `mine`: a student's own function, out of the module that grows from what `check` has passed.
- `explore_attention`, `explore_multi_head`, `explore_masking`, `explore_positions`: pictures that a reader can change.
- `answer_cell`, `obstacles`: what became of an answer's cell, and the card for it. `watch`: an answer that takes long.
- `explorer`, `naming`, `records`, `predictions`, `workspace_file`: what the others are made from.
"""

from course_attention.lesson.check import check, points
from course_attention.lesson.device import device
from course_attention.lesson.hints import hint
from course_attention.lesson.library import mine
from course_attention.lesson.predict import predict
from course_attention.lesson.progress import progress
from course_attention.lesson.show import show

__all__ = ["check", "device", "hint", "mine", "points", "predict", "progress", "show"]
