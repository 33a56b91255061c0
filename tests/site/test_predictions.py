"""Predictions as forms."""

from __future__ import annotations

from course_site.predictions import Asked, asked_in, compared_in, form, result_in


def test_what_is_asked():
    """Questions and choices are read from the code of a cell, also where it builds the text of several pieces."""
    source = 'a = predict("Which " "one?", ["x", "y"])\nb = predict("How many?")'
    assert asked_in(source) == [Asked("a", "Which one?", ("x", "y")), Asked("b", "How many?", ())]
    assert compared_in("a.compare(3)\nb.compare(len(x))") == ["a", "b"]
    assert asked_in("%matplotlib inline") == []


def test_result():
    """What the experiment gave is read from the saved output; elsewhere the page says that it comes later."""
    output = {"data": {"text/plain": "Which?\nYou made no prediction. The experiment\ngave “x”."}}
    assert result_in([output]) == ["“x”"]
    assert "The experiment gave “x”." in form(Asked("a", "Which?", ("x", "y")), 1, "“x”")
    assert "further down" in form(Asked("a", "Which?", ()), 1, None)


def test_form_is_accessible_html():
    """Every control has a label, the question is the legend, and what a notebook says is escaped."""
    made = form(Asked("a", "Is `x` < 1?", ("<b>", "no")), 2, None)
    assert "<legend>What do you expect? Is <code>x</code> &lt; 1?</legend>" in made
    assert made.count("<label>") == 2 and "<b>" not in made
    assert '<label>A number: <input type="text"' in form(Asked("a", "?", ()), 1, None)
