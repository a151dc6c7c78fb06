"""Laws of the count."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from jara.documents import to_document
from jara.domain.voting.tally import Measure, Share, Tally, VoteRule, read_rule
from jara.jara_verify import passes_by

HALF = VoteRule()

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
