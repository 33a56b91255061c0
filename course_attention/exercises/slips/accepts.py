"""The answer is a test. It is handed functions, and its score is how well it tells the right ones from the wrong."""

from course_attention.authoring import FunctionTestExercise, Misconception
from course_attention.exercises.slips import candidates

EXERCISE = FunctionTestExercise(
    name="accepts",
    prompt="Test a function that claims to be `attention`: give True where it is right, and False where it is wrong.",
    points=4,
    difficulty=3,
    minutes=40,
    hints=(
        "Begin with one input, random numbers of different sizes, and compare what comes back with what `right` gives. "
        "`torch.allclose` compares numbers that may be rounded in another way. What else is returned beside the "
        "output?",
        "Put your inputs into a list and go through it: without a mask and with one, with a batch, with as many "
        "queries as keys, with scores of ±10,000, with a query that may attend to nothing. Stop with False at the "
        "first one that differs. A function that raises is wrong as well: `try` and `except` catch that.",
        "Two things are left. Give the function copies, and see whether they are still equal to your inputs when it "
        "is done. And ask for gradients: `torch.autograd.grad((output * factors).sum(), (query, key, value), "
        "allow_unused=True)`, with random factors of the output's shape, gives None where none arrives.",
    ),
    argument="attention",
    candidates=candidates.drawn,
    everything_accepted="accepts-everything",
    everything_refused="refuses-everything",
    right_ones_refused="refuses-right-functions",
    raised_instead="raises-instead-of-false",
    misconceptions={
        "accepts-everything": Misconception(
            "Every function is accepted",
            "A test that nothing can fail says nothing. Is there an input for which it gives False? That shapes are "
            "right, or that nothing raises, says little: the wrong functions give numbers of the right shapes too.",
        ),
        "refuses-everything": Misconception(
            "Every function is refused, the right ones as well",
            "Numbers that were computed in another order differ in their last digits, so == is too strict, and so is a "
            "limit that leaves no room for these digits. float32 has about seven. Or does your own code raise, as "
            "`None.clone()` does where there is no mask? Then your `except` gives False. Take the `except` away, and "
            "call your test with your own `attention`.",
        ),
        "refuses-right-functions": Misconception(
            "Most right functions are refused",
            "Try your test on your own `attention`: it should give True. Are True and False exchanged? Is a limit too "
            "strict for the last digits, as == is? Do you ask for weights that sum to 1 in a row that allows nothing? "
            "They are 0 there. Do you hand over what a right function need not take, such as a mask of numbers?",
        ),
        "raises-instead-of-false": Misconception(
            "It raises for a wrong function, where it should give False",
            "An `assert` raises: write `if not …: return False` in its place. A comparison of tensors whose shapes do "
            "not fit raises, too, and so may the function that is tested: call it inside `try`, and give False in "
            "`except`.",
        ),
        candidates.FORMULA: Misconception(
            "It sees no mistake in the formula itself",
            "Without a mask and without a batch there is a right output for every input. Compare with it, on numbers "
            "and sizes that are all different. Inside your test, `attention` is the function that is tested, and "
            "`right` is your own: is anything compared with itself?",
        ),
        candidates.MASK: Misconception(
            "It sees no mistake that shows with a mask alone",
            "Give the function masks in which every row blocks something else.",
        ),
        candidates.WEIGHTS: Misconception(
            "It sees no mistake in the weights",
            "Two things are returned. The output may be right while the weights beside it are not.",
        ),
        candidates.BATCH: Misconception(
            "It sees no mistake that shows in a batch alone",
            "Give the function a batch in which the items differ, with a mask for each item.",
        ),
        candidates.SQUARE: Misconception(
            "It sees no mistake that shows with as many queries as keys",
            "In self-attention there are as many of one as of the other, and the queries are not the keys.",
        ),
        candidates.LARGE_SCORES: Misconception(
            "It sees no mistake that shows with large scores alone",
            "Which scores are too large for `exp`? Multiply the queries by a thousand. And NaN is neither larger "
            "nor smaller than a limit: a comparison with > lets it pass.",
        ),
        candidates.NOTHING_ALLOWED: Misconception(
            "It sees no mistake for a query that may attend to nothing",
            "In the course such a query gets weights of 0 and an output of 0. Give the function a mask with an empty "
            "row. If the mask was made before the test is called, a function may have changed it: clone it for each "
            "call. NaN is neither larger nor smaller than a limit: a comparison with > lets it pass.",
        ),
        candidates.GRADIENTS: Misconception(
            "It sees no gradient that is missing",
            "A model with this function would give the same numbers, and a part of it would never learn. Ask for the "
            "gradient of the output with respect to each input.",
        ),
        candidates.INPUTS: Misconception(
            "It does not see that an input was changed",
            "The numbers that come back are right, and the caller's own tensors are others afterwards. Compare the "
            "inputs with what they were. Each call needs copies of its own, of the mask as well: a function that was "
            "called before may have changed what you hand on.",
        ),
    },
)
