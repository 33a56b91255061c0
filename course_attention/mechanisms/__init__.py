"""The functions that the notebooks teach, one file for each notebook; each uses only what was taught before it."""
