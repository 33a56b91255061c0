"""Grades a class and writes its report; the rooms do it step by step.

- `results`: the result files, and the fingerprints that say whether a result is current.
- `submission`: grades one submission.
- `machine`: tries whether this machine can grade.
- `scheduling`: which submissions are graded, and by which worker.
- `grade_class`, `report_class`: the two commands. `graded_class`: what they return. `results_folder`: where they write.

Each room may import those above it.
"""
