"""The course's notebooks as files: their cells, a student's workspace, merging, and the source of each helper."""
