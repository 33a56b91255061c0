"""Runs an answer and reports what came: the only room where a student's code is called.

`protocol` is what goes in and comes out, as plain data. `local` runs an answer in this process; another runner may do
it elsewhere, as long as it takes a `Call` and gives an `Outcome`.
"""
