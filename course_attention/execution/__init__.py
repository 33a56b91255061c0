"""Calls an answer and reports what came. No other room calls a student's code.

`protocol` is what goes in and comes out, as plain data. `local` calls an answer in this process.
Another runner may do it elsewhere, as long as it takes a `Call` and gives an `Outcome`.
"""
