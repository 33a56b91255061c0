"""The encyclopedia of misconceptions: what the catalogue and the corpus know of each, put together for a reader.

- `entries`: which misconceptions there are, and in which exercises each can be named.
- `mistaken_code`: code that has one, and the lines that differ from a right answer; never an answer whole.
- `entry_verdict`: what the judge says of that code. `symptoms`: what one sees of it. `copied_test`: a test for it.
- `in_training` and `museum`: what a training run shows of it, and real bugs that it explains. Their texts are data.
- `page_text`, `commands`, `errors`: all of this for a terminal, as `course-attention explain` prints it.
"""
