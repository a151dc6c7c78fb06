"""The amount an entry pays out, as the program and the verifier count it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.payouts import paid_out
from jara.domain.publiclog.leaves import entry_leaf

ACCOUNTS = (
    "assets:bank",
    "expenses:grants:school",
    "expenses:fees",
    "expenses:fees:tax",
    "expenses:feesome",
    "income:grants",
    "liabilities:loan",
    "equity:transfers",
)


def an_entry(kind: EntryKind, *pairs: tuple[str, int]) -> JournalEntry:
    """Return an entry of one fund, balanced by the bank."""
    rest = -sum(cents for _, cents in pairs)
    balance = [("assets:bank", rest)] if rest else []
    postings = tuple(Posting(name, Fund.OTHER, cents) for name, cents in [*pairs, *balance])
    return JournalEntry(date(2026, 11, 20), kind, "An entry", postings)


@pytest.mark.parametrize(
    ("kind", "account", "counts"),
    [
        ("expense", "expenses:grants:school", True),
        ("manual", "liabilities:loan", True),
        ("manual", "income:grants", True),
        ("fee", "expenses:fees", False),
        ("fee", "expenses:fees:tax", False),
        ("fee", "expenses:feesome", True),
        ("fee", "expenses:grants:school", True),
        ("refund", "income:grants", False),
        ("reversal", "expenses:grants:school", False),
        ("return", "expenses:grants:school", False),
    ],
)
def test_what_counts_as_paid_out(kind: str, account: str, counts: bool) -> None:
    """Money leaving our accounts counts, unless it follows from another entry."""
    entry = an_entry(EntryKind(kind), (account, 500))

    assert paid_out(entry) == ({account: 500} if counts else {})


def test_a_transfer_pays_nobody() -> None:
    """Amounts that an account receives and gives within one entry cancel out."""
    entry = an_entry(EntryKind.TRANSFER, ("equity:transfers", 500), ("equity:transfers", -500))

    assert paid_out(entry) == {}


@given(
    kind=st.sampled_from(EntryKind),
    pairs=st.lists(
        st.tuples(st.sampled_from(ACCOUNTS), st.integers(-500, 500).filter(bool)), min_size=1
    ),
)
def test_the_verifier_counts_the_same(kind: EntryKind, pairs: list[tuple[str, int]]) -> None:
    """The two programs share no code, and agree on every entry."""
    entry = an_entry(kind, *pairs)

    assert paid_out(entry) == jara_verify.paid_out(entry_leaf(entry, bytes(16)))
