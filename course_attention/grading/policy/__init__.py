"""Says what an answer may not use, and which answers an instructor should read."""
