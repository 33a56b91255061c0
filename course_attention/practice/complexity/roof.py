"""The roofline: a computation is limited by the processor, or by the bytes that arrive."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def roof(intensity, peak, bandwidth):
    """Take the smaller of two limits: what the processor can do, and what can be done with the bytes that arrive."""
    return min(peak, intensity * bandwidth)


def larger_limit(intensity, peak, bandwidth):
    return max(peak, intensity * bandwidth)


def without_peak(intensity, peak, bandwidth):
    return intensity * bandwidth


def peak_alone(intensity, peak, bandwidth):
    return peak


def bytes_in_place_of_work(intensity, peak, bandwidth):
    return min(peak, bandwidth)


def divided(intensity, peak, bandwidth):
    return min(peak, bandwidth / intensity)


def intensity_times_peak(intensity, peak, bandwidth):
    return min(intensity * peak, bandwidth)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a machine on either side of its roof, then drawn ones."""
    machine = "100 multiply–adds a second and 10 bytes a second at most"
    yield Trial(
        f"{machine}; 2 multiply–adds for each byte",
        {"intensity": 2, "peak": 100, "bandwidth": 10},
        20,
        says="In one second 10 bytes arrive, and with each of them 2 multiply–adds can be done: 20.",
    )
    yield Trial(
        f"{machine}; 50 multiply–adds for each byte",
        {"intensity": 50, "peak": 100, "bandwidth": 10},
        100,
        says="With the 10 bytes that arrive in a second, 500 multiply–adds could be done. The processor does only 100.",
    )
    intensity, peak, bandwidth = (9 * torch.rand(3, generator=generator) + 1).tolist()
    for factor in (0.1, 10.0):
        yield Trial(
            "drawn numbers",
            {"intensity": factor * intensity, "peak": 5 * peak, "bandwidth": bandwidth},
            says="A computation has to keep to both limits.",
        )


PRACTICE = Practice(
    name="roof",
    prompt="The largest number of multiply–adds a second, at a given intensity.",
    minutes=3,
    hints=(
        "Think of one second. `bandwidth` bytes arrive in it. How many multiply–adds can be done with them?",
        "The processor does no more than `peak`. Which of the two limits counts?",
    ),
    given=roof,
    trials=trials,
    returns=("multiply–adds a second",),
    misconceptions={
        "roof-larger": Misconception(
            "The larger of the two limits is taken",
            "A computation has to keep to both limits, so the smaller one counts.",
            (larger_limit,),
        ),
        "roof-no-peak": Misconception(
            "The peak of the processor is ignored",
            "However many bytes arrive, the processor does no more than `peak` multiply–adds in a second.",
            (without_peak,),
        ),
        "roof-peak-only": Misconception(
            "The bytes are ignored",
            "A processor that waits for bytes does nothing. With few multiply–adds for each byte, the bandwidth is the "
            "limit.",
            (peak_alone,),
        ),
        "roof-bytes": Misconception(
            "Bytes are compared with multiply–adds",
            "The bandwidth counts bytes. With each byte `intensity` multiply–adds are done, so multiply.",
            (bytes_in_place_of_work, intensity_times_peak),
        ),
        "roof-divided": Misconception(
            "The bandwidth is divided by the intensity",
            "The more is done with each byte, the more is done in a second: multiply.",
            (divided,),
        ),
    },
)
