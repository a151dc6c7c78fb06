"""The electoral roll."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.voting.tally import ElectoralRoll, make_roll

NAMES = st.frozensets(st.sampled_from("abcdefgh"))


def test_the_roll_has_changemakers_and_voters() -> None:
    """A voter who has left stays on the roll."""
    roll = make_roll("prop_01", changemakers=["c", "a"], voted=["b", "a"])

    assert roll == ElectoralRoll("prop_01", ("a", "b", "c"))
    assert len(roll) == 3


@pytest.mark.parametrize("electors", [("b", "a"), ("a", "a")])
def test_roll_is_sorted_and_names_each_elector_once(electors: tuple[str, ...]) -> None:
    """The roll is sorted, since its Merkle root depends on the order."""
    with pytest.raises(InvalidInput, match="not sorted, or names an elector twice"):
        ElectoralRoll("prop_01", electors)


@given(changemakers=NAMES, voted=NAMES)
def test_roll_holds_everyone_it_must_and_nobody_else(
    changemakers: frozenset[str], voted: frozenset[str]
) -> None:
    """An elector is a changemaker, or has a ballot that counts."""
    roll = make_roll("prop_01", changemakers=changemakers, voted=voted)

    for name in "abcdefgh":
        belongs = name in changemakers or name in voted

        assert belongs is (name in roll.electors)
