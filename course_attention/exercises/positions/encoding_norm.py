from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="encoding_norm",
    prompt="What is ‖PE(p)‖², the sum of the squares of all channels of an encoding, for d_model = 64?",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Take one pair of channels: the sine and the cosine of one angle. What is the sum of their squares?",
        "How many pairs have 64 channels?",
    ),
    value=32,
    misconceptions={
        "every-channel-one": Misconception(
            "Each channel is counted as 1",
            "No channel stays at 1: a sine is large where its cosine is small. What do the squares of the two make?",
            (64,),
        ),
        "root-taken": Misconception(
            "The root is taken",
            "That is the length, or what the length would be. Its square is asked for.",
            (32**0.5, 8, 5.66, 5.657),
        ),
        "square-taken": Misconception(
            "Squared once too often",
            "The squares of the channels are added up, and their sum is not squared again. Nor is the number of "
            "channels squared.",
            (1024, 4096, 2048),
        ),
        "pairs-miscounted": Misconception(
            "One pair too many or too few is counted",
            "The pairs are numbered from 0. The channels of the last one are 62 and 63. How many pairs are there?",
            (31, 33),
        ),
        "pair-as-two": Misconception(
            "Each pair is counted as more than 1",
            "sin² + cos² of one angle is 1, whatever the angle is. How many angles have 64 channels?",
            (128,),
        ),
        "channels-summed": Misconception(
            "The channels themselves are added up",
            "Numbers of both signs cancel in a sum, or nearly. Each channel is squared first, and no square is "
            "negative.",
            (0,),
        ),
        "unit-length": Misconception(
            "That is the length of one pair",
            "One pair contributes sin² + cos² = 1. How many pairs are there?",
            (1,),
        ),
        "mean-square": Misconception(
            "That is the mean over the channels",
            "The mean square of a channel is right so. The sum over all of them is asked for.",
            (0.5,),
        ),
        "pairs-halved": Misconception(
            "Halved once too often",
            "Each pair contributes 1, not ½: the ½ belongs to each of its two channels.",
            (16,),
        ),
    },
)
