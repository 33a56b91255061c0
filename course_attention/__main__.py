"""`python -m course_attention` is the command `course-attention`, where the scripts' folder is not on the path."""

import sys

from course_attention.cli import main

if __name__ == "__main__":
    sys.exit(main())
