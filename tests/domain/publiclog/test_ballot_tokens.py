"""The tokens on a ballot that replace a name, and receipts as promises."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog import ballots, canonical, leaves, merkle
from jara.domain.publiclog.ballots import Ballot, voter_token

KEY = bytes(range(32))
NONCE = bytes(range(16))
MEMBER = "018f3c1e-7b5a-7000-8000-000000000001"
VOTER = "1443e2a092eca5c37b47d6d02e0fd3f816eefddb0f72ca98ad3eda3c37969ccb"
NONCE_HASH = "b2446f1b75e72076e778c6d540ced5d2aa0f7805ac530b227450955b459692b7"


def test_the_published_vectors_hold() -> None:
    """Voter, nonce hash, ballot leaf, root and tracker have their published values."""
    assert voter_token(KEY, "prop_01", MEMBER) == VOTER
    assert ballots.nonce_hash("prop_01", NONCE) == NONCE_HASH

    ballot = merkle.leaf_hash(
        canonical.encode(leaves.ballot_leaf("prop_01", VOTER, "up", NONCE_HASH))
    )
    genesis = merkle.leaf_hash(canonical.encode(leaves.genesis_leaf("jara.example/log")))
    root = merkle.tree_root([genesis, ballot])

    assert ballot.hex() == "8ca78d61ae144b2b5d6b57cd96a3c285d85d7a9d1720598f0afe3c5cb9ef092c"
    assert root.hex() == "1dc596ae97501a97f7dda02da5562910a98c980a690788e714fa1ea019e8ceab"
    assert ballots.tracker(ballot) == "RSTY-2YNO-CRFS"


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
        ballots.nonce_hash("prop_01", NONCE + b"\0")


def test_the_root_of_a_roll_is_over_its_voters_as_text() -> None:
    """Each voter is one leaf, hashed as text; an empty roll has the empty root."""
    voters = ["aa", "bb", "cc"]

    expected = merkle.tree_root(merkle.leaf_hash(voter.encode()) for voter in voters)
    assert expected.hex() == ballots.roll_root(voters)
    assert merkle.EMPTY_ROOT.hex() == ballots.roll_root([])


@pytest.mark.parametrize("voters", [["bb", "aa"], ["aa", "aa"]])
def test_a_roll_is_sorted_and_distinct(voters: list[str]) -> None:
    """Sorting gives one root for one set of voters; an unsorted or repeated roll is refused."""
    with pytest.raises(InvalidInput, match="sorted and distinct"):
        ballots.roll_root(voters)


TOKENS = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_a_promise_is_canonical_json_of_four_fields() -> None:
    """Another program makes the same bytes from a receipt."""
    due = datetime(2026, 12, 14, 16, tzinfo=UTC)

    assert ballots.promise_bytes("prop_01", "ab" * 32, due) == (
        b'{"leaf":"' + b"ab" * 32 + b'","listed_by":"2026-12-14T16:00:00Z",'
        b'"proposal":"prop_01","t":"jara/v1/promise"}'
    )


def test_the_number_in_the_log_is_not_that_of_the_box() -> None:
    """Only the key of the vote links the two."""
    assert ballots.box_token(KEY, "prop_01", "m") != voter_token(KEY, "prop_01", "m")


@given(TOKENS, TOKENS, st.sampled_from(("up", "down")), st.sampled_from(PaymentWay))
def test_every_ballot_has_the_same_length(
    voter: str, mark: str, choice: str, way: PaymentWay
) -> None:
    """Its length tells nothing of the choice or the way to pay; reading it gives it back."""
    ballot = Ballot(voter, mark, choice, way)

    assert len(ballot.pack()) == ballots.PACKED_BYTES
    assert ballots.unpack_ballot(ballot.pack()) == ballot


@pytest.mark.parametrize(
    "data", [b"", bytes(65), bytes(67), bytes(64) + b"\2\0", b"\0" * 65 + b"\5"]
)
def test_malformed_ballot_bytes_are_refused(data: bytes) -> None:
    """A wrong length or an unknown mark is refused."""
    with pytest.raises(InvalidInput):
        ballots.unpack_ballot(data)


def test_every_way_to_pay_is_counted() -> None:
    """A way that nobody used is counted as zero, but for cheques, which older logs do not have."""
    ways = [PaymentWay.CASH, PaymentWay.CARD, PaymentWay.CASH]

    assert ballots.count_ways(ways) == {"card": 1, "cash": 2, "mobile": 0, "transfer": 0}
    assert ballots.count_ways([PaymentWay.CHEQUE])["cheque"] == 1
