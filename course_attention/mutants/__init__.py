"""Small mechanical changes of a right answer, called mutants, and what the judge makes of them.

- `making`, `changes`: every text that is one change away from an answer.
- `right_answer`: the answer that mutants are made of, such as the package's helper.
- `fates`: whether the judge refuses a mutant, and whether one that it lets pass computes something else.
- `other_cases`, `inputs`: inputs that the judge does not draw, on which that is seen.
- `endless_loops`: ends a mutant that would never end.
"""
