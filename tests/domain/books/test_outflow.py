"""What an entry takes out, as the program and the verifier count it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.outflow import FIRST_ACCOUNTS, PROVIDER_KINDS, outflow_of
from jara.domain.publiclog.leaves import entry_leaf

ACCOUNTS = (
    "assets:bank",
    "assets:stripe",
    "assets:in-transit",
    "assets:mallory",
    "expenses:grants:school",
    "expenses:fees",
    "expenses:fees:bank",
    "income:gifts",
    "income:grants",
    "liabilities:suspense",
    "equity:transfers",
)


def an_entry(kind: EntryKind, *pairs: tuple[str, int], source: str = "bank") -> JournalEntry:
    """Return an entry of one fund, balanced by an asset account."""
    rest = -sum(cents for _, cents in pairs)
    balance = [(f"assets:{source}", rest)] if rest else []
    postings = tuple(Posting(name, Fund.OTHER, cents) for name, cents in [*pairs, *balance])
    return JournalEntry(date(2026, 11, 20), kind, "An entry", postings)


@pytest.mark.parametrize("kind", EntryKind)
@pytest.mark.parametrize(
    "account",
    ["expenses:grants:school", "expenses:fees", "income:gifts", "liabilities:suspense",
     "equity:opening", "assets:mallory"],
)  # fmt: skip
def test_money_out_of_the_bank_counts_under_every_label(kind: EntryKind, account: str) -> None:
    """The kind of an entry changes nothing."""
    assert outflow_of(an_entry(kind, (account, 500)), FIRST_ACCOUNTS).paid == {account: 500}


@pytest.mark.parametrize("kind", sorted(PROVIDER_KINDS))
@pytest.mark.parametrize(
    ("account", "counts"),
    [
        ("expenses:fees", False),
        ("expenses:fees:tax", False),
        ("income:pledges", False),
        ("liabilities:suspense", False),
        ("assets:bank", False),
        ("expenses:fees:bank", True),
        ("expenses:grants:school", True),
        ("liabilities:loan", True),
        ("income:grants", True),
        ("assets:mallory", True),
    ],
)
def test_what_the_provider_takes_does_not_count(
    kind: EntryKind, account: str, counts: bool
) -> None:
    """Fees, refunds and disputes lower the account at the provider without an operator."""
    entry = an_entry(kind, (account, 500), source="stripe")

    assert outflow_of(entry, FIRST_ACCOUNTS).paid == ({account: 500} if counts else {})


def test_what_an_operator_says_about_the_provider_counts() -> None:
    """The same entry from a file that a person wrote counts, but for fees of payments."""
    fee = an_entry(EntryKind.FEE, ("expenses:fees", 500), source="stripe")
    payment = an_entry(
        EntryKind.PLEDGE, ("expenses:fees", 59), ("income:pledges", -1000), source="stripe"
    )

    assert outflow_of(fee, FIRST_ACCOUNTS, is_of_provider=False).cents == 500
    assert outflow_of(payment, FIRST_ACCOUNTS, is_of_provider=False).cents == 0


def test_money_that_arrives_at_a_new_account_is_not_out() -> None:
    """A gift on an account that is not ours yet takes nothing from ours; moving it on counts."""
    gift = an_entry(EntryKind.MANUAL, ("income:gifts", -500), source="mallory")
    moved = an_entry(EntryKind.TRANSFER, ("assets:other", 500), source="mallory")

    assert outflow_of(gift, FIRST_ACCOUNTS).paid == {}
    assert outflow_of(moved, FIRST_ACCOUNTS).paid == {"assets:other": 500}
    assert outflow_of(gift, FIRST_ACCOUNTS | {"assets:mallory"}).paid == {}


def test_a_transfer_pays_nobody() -> None:
    """Amounts that an account receives and gives within one entry cancel out."""
    entry = an_entry(EntryKind.TRANSFER, ("equity:transfers", 500), ("equity:transfers", -500))

    assert outflow_of(entry, FIRST_ACCOUNTS).paid == {}


@given(
    kind=st.sampled_from(EntryKind),
    pairs=st.lists(
        st.tuples(st.sampled_from(ACCOUNTS), st.integers(-500, 500).filter(bool)), min_size=1
    ),
    source=st.sampled_from(["bank", "stripe", "mallory"]),
)
def test_the_verifier_counts_the_same(
    kind: EntryKind, pairs: list[tuple[str, int]], source: str
) -> None:
    """The two programs share no code, and agree on every entry."""
    entry = an_entry(kind, *pairs, source=source)

    leaf = entry_leaf(entry, bytes(16))
    assert outflow_of(entry, FIRST_ACCOUNTS).paid == jara_verify.outflow(
        leaf, sorted(FIRST_ACCOUNTS)
    )


@given(
    kind=st.sampled_from(EntryKind),
    pairs=st.lists(
        st.tuples(st.sampled_from(ACCOUNTS), st.integers(-500, 500).filter(bool)), min_size=1
    ),
)
def test_no_entry_lowers_our_money_uncounted(kind: EntryKind, pairs: list[tuple[str, int]]) -> None:
    """Law: what counts is at least what our accounts have less, whatever the entry is called."""
    entry = an_entry(kind, *pairs)
    ours = sum(p.cents for p in entry.postings if p.account in FIRST_ACCOUNTS)

    assert outflow_of(entry, FIRST_ACCOUNTS, is_of_provider=False).cents >= -ours


def test_old_limits_are_judged_by_their_own_rule() -> None:
    """Logs whose limits name no accounts are checked as when they were written."""
    kinds = {"expense": 500, "fee": 0, "reversal": 0, "return": 0, "manual": 500}

    for kind, cents in kinds.items():
        entry = an_entry(EntryKind(kind), ("expenses:fees", 500))
        assert sum(jara_verify.paid_out(entry_leaf(entry, bytes(16))).values()) == cents
