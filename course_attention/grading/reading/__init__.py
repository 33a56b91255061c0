"""From the files that students hand in to their answers: finding notebooks, repairing damage, matching cells."""
