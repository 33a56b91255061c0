"""Answers to the exercises of notebook 10, right and wrong, before the judge."""

import pytest

from tests.exercises.judged import *  # noqa: F403 - the same tests for every notebook

pytestmark = pytest.mark.slow
TOPIC = "10_language_model"
