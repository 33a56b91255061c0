"""Decides which submissions are graded, and has workers do it: processes of this machine, or a Dask cluster."""
