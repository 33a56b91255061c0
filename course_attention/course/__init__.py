"""The course's notebooks as files.

It says which cell is what, whose a cell is, and what a cell's source defines. It keeps a student's workspace, merges a
newer course into it, and takes the source of a helper out of the package. Nothing here loads torch.
"""
