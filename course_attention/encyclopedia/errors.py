"""What the encyclopedia does not have."""


class NoSuchEntry(LookupError):
    """There is no misconception of this name; the message says which are near."""
