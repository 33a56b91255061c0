"""What the attempts of a class say about its exercises, where students handed in that file of their own will.

- `reading`: the files of a folder, a student each.
- `counts`: how many attempts, and what came of the check after a failed one.
- `figures`: attempts until it passed, what followed a named mistake, and which exercises tell students apart.
- `command`: `course-attention attempts`. `learners`: made-up learners whose speed is known, to try it on.
"""
