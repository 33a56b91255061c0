"""What the author of a course of one's own is given: a beginning, and a command that says what is not yet right.

- `new_course`: writes a small course, and exercises in it, from `template/`.
- `verify`: tries what the author has written, exercise by exercise and notebook by notebook.
- `computation`: an oracle or a variant in the place of an answer. `finding`: a line of what `verify` prints.
"""
