"""Gradescope's autograder: the zip that is uploaded there, and what runs in it for each submission.

- `archive`: the zip, with the course in it.
- `in_container`: grades one submission and writes the `results.json` that Gradescope reads.
- `commands`: both as they are typed.
- `templates/`: `setup.sh`, which installs what the course needs, and `run_autograder`, which Gradescope calls.
"""
