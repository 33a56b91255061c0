"""What becomes of the points that a student earned: late rules, and notebooks that are dropped from the total.

Nothing here changes a result file. A result holds the points that the answers earned, and the views apply these rules.

- `late_rules`: the course's due dates, and what each day takes off.
- `late_tables`: reads the rules from TOML tables, and says what is wrong with them.
- `drop`: which notebooks do not count.
- `hand_in_time`: the time in what the LMS or nbgrader says of a submission.
- `kept_rules`: the rules of a folder of results.
- `due_dates`: these rules for the students of a class: whose due date is another.
"""
