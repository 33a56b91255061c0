"""Scripts that make the runs that take longer than a notebook may; each one's docstring says what it asks."""
