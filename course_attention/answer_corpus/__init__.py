"""Answers of which it is known what they are: right ones in many styles, and wrong ones, each with its misconception.

`tests/corpus` holds them, and the wheel brings them along. They are read as texts and never run.

- `corpus`: all answers to an exercise.
- `corpus_answer`: one of them. `corpus_file`, `text_change`: how a file of them is read.
"""
