"""The exercise `output_length`: how many results a convolution of a network gives."""

from course_attention.authoring import Misconception, ValueExercise

# 20 numbers and 3 zeros at each end are 26. A kernel of 4 fits at 23 places, and every second one is taken.
output_length = 12

EXERCISES = [
    ValueExercise(
        name="output_length",
        prompt="Count the results of a convolution with zeros at the ends and steps of 2.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=("With zeros at both ends there are 26 numbers.", "The kernel fits at 26 − 4 + 1 places."),
        value=output_length,
        misconceptions={
            "zeros-at-one-end": Misconception(
                "The zeros are counted at one end",
                "They stand at both ends: 3 before the signal and 3 after it.",
                (10,),
            ),
            "first-place-forgotten": Misconception(
                "The first place is not counted",
                "The kernel begins at place 0, and that place counts as well.",
                (11,),
            ),
            "step-ignored": Misconception(
                "The step is not used",
                "The kernel moves by 2 numbers at a time, so that every second place is left out.",
                (23,),
            ),
        },
    )
]
