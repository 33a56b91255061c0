"""How arrays, failing examples and verdicts look: decided once, for the notebook's card and the feedback page.

- `arrays`: which part of an array is shown, and where the first difference is marked. `entries`: with how many digits.
- `color_scale`, `matrix_html`, `matrix_text`: a matrix as an HTML table with colours, and as lines of text.
- `example`: the smallest failing case. `card`: a whole verdict.
- `display`: what a cell displays, and text as HTML paragraphs or wrapped for a terminal. `card_style`: its style sheet.
- `wording`: the words for statuses, points and properties.
"""
