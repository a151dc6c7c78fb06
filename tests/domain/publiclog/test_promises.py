"""Receipts as promises: the bytes that are signed, and what a sealed ballot contains."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog.ballots import (
    PACKED_BYTES,
    Ballot,
    box_token,
    count_ways,
    unpack_ballot,
    voter_token,
)
from jara.domain.publiclog.promises import promise_bytes

KEY = bytes(range(32))
TOKENS = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_a_promise_is_canonical_json_of_four_fields() -> None:
    """Another program makes the same bytes from a receipt."""
    due = datetime(2026, 12, 14, 16, tzinfo=UTC)

    assert promise_bytes("prop_01", "ab" * 32, due) == (
        b'{"leaf":"' + b"ab" * 32 + b'","listed_by":"2026-12-14T16:00:00Z",'
        b'"proposal":"prop_01","t":"jara/v1/promise"}'
    )


def test_the_number_in_the_log_is_not_that_of_the_box() -> None:
    """Only the key of the vote links the two."""
    assert box_token(KEY, "prop_01", "m") != voter_token(KEY, "prop_01", "m")


@given(TOKENS, TOKENS, st.sampled_from(("up", "down")), st.sampled_from(PaymentWay))
def test_every_ballot_has_the_same_length(
    voter: str, mark: str, choice: str, way: PaymentWay
) -> None:
    """Its length tells nothing of the choice or the way to pay; reading it gives it back."""
    ballot = Ballot(voter, mark, choice, way)

    assert len(ballot.pack()) == PACKED_BYTES
    assert unpack_ballot(ballot.pack()) == ballot


@pytest.mark.parametrize(
    "data", [b"", bytes(65), bytes(67), bytes(64) + b"\2\0", b"\0" * 65 + b"\4"]
)
def test_other_bytes_are_no_ballot(data: bytes) -> None:
    """A wrong length or an unknown mark is refused."""
    with pytest.raises(InvalidInput):
        unpack_ballot(data)


def test_every_way_to_pay_is_counted() -> None:
    """A way that nobody used is counted as zero."""
    ways = [PaymentWay.CASH, PaymentWay.CARD, PaymentWay.CASH]

    assert count_ways(ways) == {"card": 1, "cash": 2, "mobile": 0, "transfer": 0}
