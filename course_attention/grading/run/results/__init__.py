"""Makes, writes and reads the result files, and the fingerprints that say whether a result is current."""
