"""What a column of a class list says of a student, by the name that the column has."""

import re
from collections.abc import Sequence

# An ID of one kind is compared with IDs of the same kind alone: Canvas's user 101 is not the student number 101.
ID_KINDS = {
    "canvas_id": ("canvas user id",),
    "participant": (),  # Moodle's number of a participant in one assignment, see `class_list`
    "student_id": (
        *("id", "student id", "sid", "id number", "idnumber", "number", "student number", "matriculation number"),
        *("sis id", "sis user id", "user id", "identifier"),
    ),
    "login": ("username", "user name", "login", "login id", "sis login id", "github", "github username"),
    "email": ("email", "e mail", "email address", "e mail address", "mail"),
}  # fmt: skip
_OTHER_KINDS = {
    "name": ("name", "full name", "fullname", "student", "student name"),
    "first_name": ("first name", "firstname", "given name", "forename"),
    "last_name": ("last name", "lastname", "surname", "family name"),
    "section": ("section", "sections", "section name", "group", "groups", "class", "tutorial"),
    "team": ("team", "group name"),  # of students who hand in together
    "excused": ("excused",),
    "status": ("status",),
    "role": ("role",),
}
_KIND_OF = {name: kind for kind, names in {**ID_KINDS, **_OTHER_KINDS}.items() for name in names}


def kinds(header: Sequence[str]) -> list[str]:
    """Say what each column is, "" where it is nothing that a class list needs.

    Example:
        >>> kinds(["First name", "last_name", "E-Mail", "Shoe size"])
        ['first_name', 'last_name', 'email', '']
    """
    return [_KIND_OF.get(" ".join(re.sub(r"[\W_]+", " ", name.casefold()).split()), "") for name in header]
