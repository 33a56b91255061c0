"""What an answer may not do: use ready-made attention, copy the package, reach into Python's internals."""
