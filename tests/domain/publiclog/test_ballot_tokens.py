"""The tokens on a ballot that replace a name, with published vectors."""

from __future__ import annotations

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.publiclog import canonical, leaves, merkle
from jara.domain.publiclog.ballots import nonce_hash, roll_root, tracker, voter_token

KEY = bytes(range(32))
NONCE = bytes(range(16))
MEMBER = "018f3c1e-7b5a-7000-8000-000000000001"
VOTER = "1443e2a092eca5c37b47d6d02e0fd3f816eefddb0f72ca98ad3eda3c37969ccb"
NONCE_HASH = "b2446f1b75e72076e778c6d540ced5d2aa0f7805ac530b227450955b459692b7"


def test_the_published_vectors_hold() -> None:
    """Voter, nonce hash, ballot leaf, root and tracker have their published values."""
    assert voter_token(KEY, "prop_01", MEMBER) == VOTER
    assert nonce_hash("prop_01", NONCE) == NONCE_HASH

    ballot = merkle.leaf_hash(
        canonical.encode(leaves.ballot_leaf("prop_01", VOTER, "up", NONCE_HASH))
    )
    genesis = merkle.leaf_hash(canonical.encode(leaves.genesis_leaf("jara.example/log")))
    root = merkle.tree_root([genesis, ballot])

    assert ballot.hex() == "8ca78d61ae144b2b5d6b57cd96a3c285d85d7a9d1720598f0afe3c5cb9ef092c"
    assert root.hex() == "1dc596ae97501a97f7dda02da5562910a98c980a690788e714fa1ea019e8ceab"
    assert tracker(ballot) == "RSTY-2YNO-CRFS"


def test_nobody_is_the_same_voter_twice() -> None:
    """Another proposal, member or key gives another voter token."""
    others = {
        voter_token(KEY, "prop_02", MEMBER),
        voter_token(KEY, "prop_01", "other"),
        voter_token(bytes(32), "prop_01", MEMBER),
        voter_token(KEY, "prop_01", MEMBER),
    }

    assert len(others) == 4


def test_short_keys_and_nonces_are_refused() -> None:
    """Short keys and nonces are refused because they can be guessed."""
    with pytest.raises(InvalidInput, match="ballot key has 32 bytes, not 31"):
        voter_token(KEY[1:], "prop_01", MEMBER)
    with pytest.raises(InvalidInput, match="nonce has 16 bytes, not 17"):
        nonce_hash("prop_01", NONCE + b"\0")


def test_the_root_of_a_roll_is_over_its_voters_as_text() -> None:
    """Each voter is one leaf, hashed as text; an empty roll has the empty root."""
    voters = ["aa", "bb", "cc"]

    expected = merkle.tree_root(merkle.leaf_hash(voter.encode()) for voter in voters)
    assert expected.hex() == roll_root(voters)
    assert merkle.EMPTY_ROOT.hex() == roll_root([])


@pytest.mark.parametrize("voters", [["bb", "aa"], ["aa", "aa"]])
def test_a_roll_is_sorted_and_distinct(voters: list[str]) -> None:
    """Sorting gives one root for one set of voters; an unsorted or repeated roll is refused."""
    with pytest.raises(InvalidInput, match="sorted and distinct"):
        roll_root(voters)
