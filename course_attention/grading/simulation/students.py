"""The students: what they are called, how strong they are, and what they hand in."""

from dataclasses import dataclass, field
from random import Random

# Names as they come: from many scripts, and with what makes trouble in a table, a page or a file's name.
NAMES = (
    "Okafor, Adaeze",
    'Jane "JJ" Doe',
    "=Bobby Tables",
    "王小明",
    "Seán O'Brien",
    "أحمد الزهراني",
    "Дарья Иванова",
    "नेहा शर्मा",
    "Łukasz Żółć",
    "김민준",
    "@home.student",
    "Ελένη Παπαδοπούλου",
    "יעל כהן",
    "-Dash Dashwood",
    "Nguyễn Thị Ánh",
    "<b>Ines & Co",
    "佐藤 花子",
    "José Ángel Muñoz",
    "ประภา สุขใจ",
    "+Plus One",
    "Zoë Müller-Weiß",
    "ნინო ბერიძე",
    "தமிழ்ச்செல்வி",
    "O’Neill & Søn",
    "Արամ Պետրոսյան",
    "mkowalski2",
    "ዓለም ተስፋዬ",
    "Ömer Çelik",
    "Smith; DROP TABLE",
    "Þórunn Jónsdóttir",
)


@dataclass
class Student:
    """A student.

    Attributes:
        name: also the folder's.
        strength: 0 to 1: how likely an answer is right.
        notebooks: those that are handed in.
        mistaken: ids of the misconceptions shown so far; whoever holds one is likely to show it again.
    """

    name: str
    strength: float
    notebooks: list[str]
    mistaken: list[str] = field(default_factory=list)


def draw_students(count: int, stems: tuple[str, ...], seed: int) -> list[Student]:
    """So many students, the same for the same seed."""
    return [_student(number, stems, Random(f"{seed}/student {number}")) for number in range(count)]


def _student(number: int, stems: tuple[str, ...], random: Random) -> Student:
    turn, place = divmod(number, len(NAMES))
    name = f"{NAMES[place]} {turn + 1}" if turn else NAMES[place]
    strength = random.betavariate(2.5, 1.5)
    stays = random.random() < 0.4 + 0.6 * strength
    last = len(stems) if stays else random.randint(1, len(stems))
    notebooks = [stem for stem in stems[:last] if random.random() < 0.97]
    return Student(name, strength, notebooks or [stems[0]])
