"""The helpers that the notebooks build: torch, one file per notebook, in the order taught."""
