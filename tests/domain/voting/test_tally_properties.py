"""Laws of the count."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.voting.tally import Tally, VoteRule

RULES = st.integers(1, 20).flatmap(
    lambda den: st.builds(VoteRule, num=st.integers(1, den), den=st.just(den))
)


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
    assert (tally.yes_tenths >= 500) is VoteRule().passes(tally)
    assert tally.yes_tenths + tally.no_tenths <= 1000


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
