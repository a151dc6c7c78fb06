"""Counting votes, and the laws of the count."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.documents import to_document
from jara.domain.errors import InvalidInput
from jara.domain.voting.tally import (
    Choice,
    Measure,
    Share,
    Tally,
    VoteRule,
    change_rule,
    parse_choice,
    percent_number,
    read_rule,
)
from jara.jara_verify import passes_by

HALF = VoteRule()


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


RULES = st.integers(1, 20).flatmap(
    lambda den: st.builds(VoteRule, num=st.integers(1, den), den=st.just(den))
)
"""Shares of the roll, as in 0.2.0."""

SHARES = st.integers(1, 12).flatmap(
    lambda den: st.builds(Share, num=st.integers(1, den), den=st.just(den))
)
ANY_RULES = st.integers(2, 12).flatmap(
    lambda den: st.builds(
        VoteRule,
        num=st.integers(1, den - 1),
        den=st.just(den),
        of=st.sampled_from(Measure),
        more=st.booleans(),
        quorum=st.none() | SHARES,
    )
)


def by_the_law(rule: VoteRule, votes: list[str]) -> bool:
    """Read the by-law over the list of members: "yes", "no", or "" for one who did not vote."""
    voters = [vote for vote in votes if vote]
    among = voters if rule.of is Measure.VOTES else votes
    if not among:
        return False
    share = Fraction(among.count("yes"), len(among))
    least = Fraction(rule.num, rule.den)
    if share < least or (rule.more and share == least):
        return False
    quorum = rule.quorum
    return quorum is None or Fraction(len(voters), len(votes)) >= Fraction(quorum.num, quorum.den)


@given(votes=st.lists(st.sampled_from(("yes", "no", "")), max_size=60), rule=ANY_RULES)
def test_a_vote_passes_as_the_by_law_says(votes: list[str], rule: VoteRule) -> None:
    """The rule agrees with an independent reading of it, for server and verifier."""
    tally = Tally(yes=votes.count("yes"), no=votes.count("no"), roll=len(votes))
    passes = by_the_law(rule, votes)

    assert rule.passes(tally) is passes
    assert passes_by(rule.document(), tally.yes, tally.no, tally.roll) is passes


@given(votes=st.lists(st.sampled_from(("yes", "no", "")), min_size=1, max_size=40), rule=ANY_RULES)
def test_needed_is_the_fewest_more_yes_by_any_rule(votes: list[str], rule: VoteRule) -> None:
    """Trying one more yes after the other gives the same number."""
    tally = Tally(yes=votes.count("yes"), no=votes.count("no"), roll=len(votes))
    more = 0
    while not rule.passes(replace(tally, yes=tally.yes + more)):
        more += 1

    assert rule.needed(tally) == more


@given(rule=ANY_RULES)
def test_a_stored_rule_is_read_again(rule: VoteRule) -> None:
    """The document of a rule, in the log and in JSON, has all of it."""
    assert read_rule(rule.document()) == rule == read_rule(to_document(rule))


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    """Draw a tally of any size."""
    roll = draw(st.integers(0, 10**6))
    yes = draw(st.integers(0, roll))
    return Tally(yes=yes, no=draw(st.integers(0, roll - yes)), roll=roll)


@given(tally=tallies(), rule=RULES)
def test_one_more_yes_never_turns_pass_into_fail(tally: Tally, rule: VoteRule) -> None:
    """One more yes never turns a pass into a rejection, and reduces the number needed by one."""
    if tally.not_voted:
        more = replace(tally, yes=tally.yes + 1)

        assert rule.passes(more) >= rule.passes(tally)
        assert rule.needed(more) == max(0, rule.needed(tally) - 1)


@given(tally=tallies(), rule=RULES)
def test_needed_is_the_fewest_yes_that_pass(tally: Tally, rule: VoteRule) -> None:
    """With the needed number of yes votes the proposal passes; with one fewer it does not."""
    needed = rule.needed(tally)
    share = Fraction(rule.num, rule.den) * tally.roll

    assert (needed == 0) is rule.passes(tally)
    assert tally.yes + needed >= share
    assert needed == 0 or tally.roll == 0 or tally.yes + needed - 1 < share


@given(tally=tallies())
def test_bar_reads_half_exactly_when_it_passes(tally: Tally) -> None:
    """Rounded down, the bar shows 50.0 or more if and only if the proposal passes."""
    assert (tally.yes_tenths(HALF) >= 500) is HALF.passes(tally)
    assert tally.yes_tenths(HALF) + tally.no_tenths(HALF) <= 1000


@given(tally=tallies(), rule=RULES, data=st.data())
def test_a_certain_result_never_reverses(tally: Tally, rule: VoteRule, data: st.DataObject) -> None:
    """Enough yes votes stay enough; if too few voters remain, no votes of theirs pass it."""
    yes = data.draw(st.integers(0, tally.not_voted))
    no = data.draw(st.integers(0, tally.not_voted - yes))
    later = replace(tally, yes=tally.yes + yes, no=tally.no + no)

    if rule.passes(tally):
        assert rule.passes(later)
    if rule.needed(tally) > tally.not_voted:
        assert not rule.passes(later)


@given(tally=tallies(), rule=RULES)
def test_an_uncertain_vote_can_go_both_ways(tally: Tally, rule: VoteRule) -> None:
    """Otherwise the remaining voters can pass it or stop it."""
    if 0 < rule.needed(tally) <= tally.not_voted:
        assert rule.passes(replace(tally, yes=tally.yes + tally.not_voted))
        assert not rule.passes(replace(tally, no=tally.no + tally.not_voted))


def test_a_rule_changes_in_the_parts_that_are_typed() -> None:
    """The others stay; ``none`` takes the quorum away, and nothing typed is refused."""
    rule = change_rule(HALF, passes="more than 2/3", quorum="1/5")

    assert rule == VoteRule(2, 3, HALF.of, more=True, quorum=Share(1, 5))
    assert change_rule(rule, of=Measure.VOTES, quorum="none") == VoteRule(
        2, 3, Measure.VOTES, more=True
    )
    with pytest.raises(InvalidInput, match="Say what changes"):
        change_rule(rule)
