"""The leaves of the public log: their exact fields."""

from datetime import UTC, date, datetime
from functools import partial
from hashlib import sha256

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, Posting
from jara.domain.errors import InvalidInput
from jara.domain.publiclog import canonical, leaves, merkle
from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting.tally import Tally
from tests.domain.voting.voting_builders import a_proposal

SALT = bytes(range(16))
ENTRY = JournalEntry(
    date(2026, 1, 31),
    EntryKind.DISBURSEMENT,
    "Payout for wells",
    (
        Posting("expenses:projects:wells", Fund.COMMITTED, 40_000),
        Posting("assets:bank", Fund.COMMITTED, -40_000),
    ),
)


def test_the_genesis_has_its_published_hash() -> None:
    """The first leaf names the log."""
    data = canonical.encode(leaves.genesis_leaf("jara.example/log"))

    assert data == b'{"name":"jara.example/log","t":"jara/v1/genesis","v":1}'
    assert (
        merkle.leaf_hash(data).hex()
        == "50fc19b4e25f9056c3c950f11cfde013fb6cc77d2dc3af13a7d98d4cf456d493"
    )


def test_an_entry_without_extras_has_six_fields() -> None:
    """Absent fields are left out, since canonical JSON has no null."""
    assert leaves.entry_leaf(ENTRY, SALT) == {
        "t": "jara/v1/entry",
        "day": "2026-01-31",
        "kind": "disbursement",
        "description": "Payout for wells",
        "postings": [
            ["expenses:projects:wells", "committed", 40_000],
            ["assets:bank", "committed", -40_000],
        ],
        "salt": "000102030405060708090a0b0c0d0e0f",
    }


def test_an_entry_with_all_extras_hides_the_outside_id_and_the_person() -> None:
    """Member, source and note are left out; the outside id is hashed with the salt."""
    entry = JournalEntry(
        ENTRY.day,
        ENTRY.kind,
        ENTRY.description,
        ENTRY.postings,
        reference="prop_01",
        external_id="txn_1",
        member_key="k",
        reverses=7,
        of=3,
        true_day=date(2025, 12, 31),
        foreign=Foreign("KES", 5_160_000, "129.00"),
        note="to Mary",
    )

    leaf = leaves.entry_leaf(entry, SALT)

    assert (
        leaves.entry_leaf(ENTRY, SALT)
        | {
            "proposal": "prop_01",
            "ref": sha256(SALT + b"txn_1").hexdigest(),
            "reverses": 7,
            "of": 3,
            "true_day": "2025-12-31",
            "foreign": {"currency": "KES", "amount": 5_160_000, "rate": "129.00"},
        }
        == leaf
    )


def test_the_other_leaves_have_the_fields_of_their_type() -> None:
    """Each type of leaf has exactly the listed fields."""
    proposal = a_proposal(id="p", endDate="2026-02-01T01:59:59+02:00", fundingGoalCents=500)

    assert leaves.policy_leaf(DEFAULT_POLICY) == {
        "t": "jara/v1/policy",
        "from": "2000-01-01",
        "weights": {"projects": 80, "staff": 7, "marketing": 9, "other": 4},
        "fee_weights": {"projects": 0, "staff": 7, "marketing": 9, "other": 4},
    }
    assert leaves.proposal_open_leaf(proposal) == {
        "t": "jara/v1/proposal_open",
        "proposal": "p",
        "content_hash": leaves.content_hash(proposal),
        "ends": "2026-01-31T23:59:59Z",
        "rule": {"num": 1, "den": 2, "of": "roll"},
        "goal_cents": 500,
    }
    assert leaves.ballot_leaf("p", "v", "up", "n") == {
        "t": "jara/v1/ballot",
        "proposal": "p",
        "voter": "v",
        "choice": "up",
        "nonce_hash": "n",
    }
    assert leaves.promise_key_leaf(bytes(32)) == {"t": "jara/v1/promise_key", "key": "00" * 32}
    assert leaves.proposal_withdraw_leaf("p", "r", 4, 7) == {
        "t": "jara/v1/proposal_withdraw",
        "proposal": "p",
        "reason": "r",
        "last_index": 4,
        "ballots": 7,
    }
    assert leaves.proposal_close_leaf(
        "p", Tally(yes=2, no=1, roll=3), roll_root="ab", passed=True, last_index=9
    ) == {
        "t": "jara/v1/proposal_close",
        "proposal": "p",
        "roll_size": 3,
        "roll_root": "ab",
        "yes": 2,
        "no": 1,
        "void": 0,
        "passed": True,
        "last_index": 9,
    }


def test_a_close_names_dropped_ballots_and_ways_to_pay_since_ballots_are_sealed() -> None:
    """Optional fields are left out where there is no value, but an empty list is a value."""
    close = partial(
        leaves.proposal_close_leaf,
        "p",
        Tally(yes=1, no=0, roll=3),
        roll_root="ab",
        passed=False,
        last_index=9,
    )
    ways = {"card": 1, "cash": 0, "mobile": 0, "transfer": 0}

    assert close(dropped=[], ways=ways) == close() | {"dropped": [], "ways": ways}


def test_a_ballot_says_up_or_down() -> None:
    """A ballot with another choice is refused."""
    with pytest.raises(InvalidInput, match="'upvote' is not a choice"):
        leaves.ballot_leaf("p", "v", "upvote", "n")


def test_an_instant_needs_a_time_zone() -> None:
    """An instant without a time zone is refused, since a vote's end would be unclear."""
    with pytest.raises(InvalidInput, match="no time zone"):
        leaves.instant_text(datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None))


def test_only_entries_are_for_contributors_alone() -> None:
    """Entries are for contributors only; votes and policies are public."""
    assert [t for t in LeafType if not leaves.is_public(t)] == [LeafType.ENTRY]


def test_an_entrys_id_is_the_beginning_of_its_hash() -> None:
    """An entry's id is the first sixteen base32 characters of its hash, in lower case."""
    assert leaves.entry_id(bytes(range(32))) == "aaaqeayeaudaocaj"
