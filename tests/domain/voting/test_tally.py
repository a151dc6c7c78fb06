"""Counting votes."""

from fractions import Fraction
from typing import Any

import pytest

from jara.documents import to_document
from jara.domain.errors import InvalidInput
from jara.domain.voting.tally import (
    Choice,
    Measure,
    Share,
    Tally,
    VoteRule,
    parse_choice,
    percent_number,
)

HALF = VoteRule()


@pytest.mark.parametrize(
    ("yes", "roll", "passes", "needed"),
    [
        (0, 0, False, 1),
        (0, 1, False, 1),
        (1, 1, True, 0),
        (1, 2, True, 0),
        (1, 3, False, 1),
        (2, 3, True, 0),
        (49, 100, False, 1),
        (50, 100, True, 0),
        (50, 101, False, 1),
        (7, 200, False, 93),
    ],
)
def test_half_of_the_roll_must_say_yes(yes: int, roll: int, passes: bool, needed: int) -> None:
    """At least 50 % of the roll must vote yes; an empty roll passes nothing (spec §9)."""
    tally = Tally(yes=yes, no=0, roll=roll)

    assert (passes, needed) == (HALF.passes(tally), HALF.needed(tally))


def test_tally_equals_an_independent_count() -> None:
    """For rolls of up to 200 and every count of yes, exact fractions give the same result."""
    cases = 0
    for roll in range(201):
        for yes in range(roll + 1):
            share = Fraction(yes, roll) if roll else Fraction(0)
            tally = Tally(yes=yes, no=roll - yes, roll=roll)
            cases += 1

            assert HALF.passes(tally) is (share >= Fraction(1, 2))
            assert HALF.passes(tally) is (tally.yes_tenths(HALF) >= 500)
            assert tally.yes_tenths(HALF) == int(share * 1000)
            assert HALF.needed(tally) == next(
                more for more in range(roll + 2) if roll == 0 or 2 * (yes + more) >= roll
            ) + (roll == 0)

    assert cases == 20_301


def test_another_rule_is_applied_as_stored() -> None:
    """Two thirds of nine are six, of ten seven."""
    rule = VoteRule(2, 3)

    assert rule.passes(Tally(yes=6, no=0, roll=9))
    assert not rule.passes(Tally(yes=6, no=0, roll=10))
    assert rule.needed(Tally(yes=6, no=0, roll=10)) == 1


def test_a_tie_fails_where_more_than_half_of_the_votes_is_needed() -> None:
    """Two to two fails, three to two passes, and the bars show shares of the votes."""
    rule, tie = VoteRule(1, 2, Measure.VOTES, more=True), Tally(yes=2, no=2, roll=40)

    assert (rule.passes(tie), rule.needed(tie), tie.yes_tenths(rule)) == (False, 1, 500)
    assert rule.passes(Tally(yes=3, no=2, roll=40))
    assert not rule.passes(Tally(yes=0, no=0, roll=40))


def test_a_quorum_is_a_share_of_the_roll() -> None:
    """Seven of 34 are a fifth; six yes alone do not reach it, one no more does."""
    rule = VoteRule(1, 2, Measure.VOTES, more=True, quorum=Share(1, 5))

    assert not rule.passes(Tally(yes=6, no=0, roll=34))
    assert rule.needed(Tally(yes=6, no=0, roll=34)) == 1
    assert rule.passes(Tally(yes=6, no=1, roll=34))


def test_more_ballots_than_the_roll_have_shares_of_all_ballots() -> None:
    """Voters who lapsed can outnumber today's roll; the shares stay within 100 percent."""
    tally = Tally(yes=3, no=1, roll=2)

    assert (tally.yes_tenths(HALF), tally.no_tenths(HALF), tally.not_voted) == (750, 250, 0)


@pytest.mark.parametrize("counts", [{"yes": -1}, {"no": -1}, {"roll": -1}, {"void": -1}])
def test_negative_counts_are_refused(counts: dict[str, Any]) -> None:
    """A negative count is refused."""
    with pytest.raises(InvalidInput):
        Tally(**({"yes": 0, "no": 0, "roll": 3} | counts))


def test_percent_is_shown_with_one_decimal_rounded_down() -> None:
    """A third is 33.3 percent, two thirds 66.6."""
    tally = Tally(yes=1, no=2, roll=3)

    assert [percent_number(t) for t in (tally.yes_tenths(HALF), tally.no_tenths(HALF))] == [
        33.3,
        66.6,
    ]
    assert [str(percent_number(t)) for t in range(1001)] == [
        f"{t // 10}.{t % 10}" for t in range(1001)
    ]


def test_document_has_the_keys_of_the_contract() -> None:
    """The command line, the website and the reports show one document."""
    tally = Tally(yes=3, no=1, void=1, roll=7)

    assert to_document(tally.counts(HALF, final=False)) == {
        "yes": 3,
        "no": 1,
        "void": 1,
        "roll": 7,
        "notVoted": 3,
        "needed": 1,
        "upvotePercentage": 42.8,
        "downvotePercentage": 14.2,
        "rule": {"num": 1, "den": 2, "of": "roll"},
        "passes": False,
        "final": False,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("upvote", Choice.UP), ("downvote", Choice.DOWN), ("up", Choice.UP), ("down", Choice.DOWN)],
)
def test_choice_has_two_spellings(text: str, expected: Choice) -> None:
    """The API says upvote (spec §3), the public log says up."""
    assert expected is parse_choice(text)


@pytest.mark.parametrize("text", ["", "yes", "Upvote", "upvote ", "upvotevote"])
def test_any_other_choice_is_refused(text: str) -> None:
    """An unknown choice is an error."""
    with pytest.raises(InvalidInput, match=r"use up or down \(upvote or downvote\)"):
        parse_choice(text)


@pytest.mark.parametrize("choice", Choice)
def test_choice_survives_the_wire(choice: Choice) -> None:
    """A choice reads back from its API spelling."""
    assert choice is parse_choice(choice.wire)
