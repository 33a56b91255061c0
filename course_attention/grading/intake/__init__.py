"""What an LMS hands out, brought into the one layout that is graded: `{student}/{notebook}.ipynb`.

- `export`: the files of a folder or a zip, without following links or trusting sizes.
- `layouts`: Canvas, Moodle, Gradescope, GitHub Classroom or plain folders: whose file is this?
- `arrange`: copies each student's notebooks into a folder of their own, the newest version of each.
- `listing`: every file that was found, and what became of it.
"""
