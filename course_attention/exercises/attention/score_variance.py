from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="score_variance",
    prompt="What is the variance of q·k, where q and k have 256 independent entries of mean 0 and variance 1?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "The product of two independent entries has mean 0. What is its variance?",
        "The variance of a sum of independent terms is the sum of their variances. How many terms has q·k?",
    ),
    value=256,
    misconceptions={
        "mean-of-a-score": Misconception(
            "That is the mean",
            "A score is as often positive as negative, so its mean is 0. The variance says how far it spreads.",
            (0,),
        ),
        "standard-deviation": Misconception("That is the standard deviation", "The variance is its square.", (16,)),
        "variance-of-one-term": Misconception(
            "That is the variance of one term, or of a scaled score",
            "Each of the terms of q·k has variance 1, and they are independent. The plain sum is asked for.",
            (1,),
        ),
        "already-scaled": Misconception(
            "A division too many",
            "The plain q·k is asked for; nothing has been divided yet, and a sum of more terms spreads further.",
            (1 / 16, 1 / 256),
        ),
        "terms-squared": Misconception(
            "The number of terms is squared",
            "Variances of independent terms add up. Were all terms the same, their sum would spread that far.",
            (65536,),
        ),
        "variances-added": Misconception(
            "The variances of q and k are added",
            "Entries are multiplied: the variance of a product of independent entries of mean 0 is the "
            "product of their variances.",
            (512,),
        ),
    },
)
