"""What runs inside the sandbox: a student's cells and answers. Neither judging nor exercises can be read from here."""
