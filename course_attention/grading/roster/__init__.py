"""The class list of the LMS, and which student on it each folder of submissions belongs to.

- `table`: a CSV file as it came, so that it can be given back with nothing else changed.
- `columns`: what a column of a class list says of a student.
- `class_list`: reads Canvas's, Moodle's and Gradescope's own exports, and plain tables.
- `moodle_times`: the times in Moodle's grading worksheet.
- `origins`: what the LMS's file names say of whose a folder of submissions is.
- `matching`: finds each folder's student. What is ambiguous is named, and never guessed.
- `enrolment`: everybody on the list with what they handed in, and what belongs to nobody on it.
"""
