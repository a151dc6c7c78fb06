"""Money out: payments, transfers, commitments, and what counts towards the limits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.outflow import FIRST_ACCOUNTS, PROVIDER_KINDS, outflow_of
from jara.domain.books.spending import (
    Spending,
    grant_entry,
    opening_entry,
    require_available,
    require_purpose,
    returned_entry,
    spending_entry,
    transfer_entry,
)
from jara.domain.errors import FundOverdrawn, InvalidInput, JaraError
from jara.domain.publiclog.leaves import entry_leaf
from tests.rows import DAY, as_written, parts_of

SALARY = Spending("expenses:staff", Fund.STAFF, 500, note="March, A. Mensah")


@pytest.mark.parametrize(
    ("account", "kind"),
    [
        ("expenses:projects:wells", EntryKind.DISBURSEMENT),
        ("expenses:grants:school", EntryKind.DISBURSEMENT),
        ("expenses:donations:clinic", EntryKind.DISBURSEMENT),
        ("expenses:staff", EntryKind.SALARY),
        ("expenses:marketing", EntryKind.EXPENSE),
        ("expenses:operations", EntryKind.EXPENSE),
    ],
)
def test_an_expense_is_booked_on_its_account(account: str, kind: EntryKind) -> None:
    """Payments leave the bank from one fund; the operator's words stay outside the log."""
    entry = spending_entry(DAY, SALARY._replace(account=account), available_cents=500)

    assert as_written(entry) == f"{account} s +500 · assets:bank s -500"
    assert (entry.kind, entry.note) == (kind, "March, A. Mensah")
    assert "Mensah" not in entry.description


def test_a_fund_cannot_spend_more_than_it_has() -> None:
    """The refusal names the fund, its balance and the requested amount."""
    with pytest.raises(FundOverdrawn, match=r"fund 'staff' has \$4.99; \$5.00 was requested"):
        spending_entry(DAY, SALARY, available_cents=499)
    with pytest.raises(FundOverdrawn, match=r"has -\$0.10; \$0.01 was requested"):
        require_available(Fund.OTHER, available_cents=-10, asked_cents=1)


@pytest.mark.parametrize(
    ("spending", "message"),
    [
        (SALARY._replace(account="income:gifts"), "not an expense account"),
        (SALARY._replace(cents=0), "the minimum is"),
        (SALARY._replace(cents=-5), "the minimum is"),
    ],
)
def test_an_invalid_payment_is_refused(spending: Spending, message: str) -> None:
    """Only a positive amount on an expense account can be paid."""
    with pytest.raises(InvalidInput, match=message):
        spending_entry(DAY, spending, available_cents=500)


@pytest.mark.parametrize(
    ("received", "expected"),
    [
        (390, "assets:bank c +390 · expenses:projects:wells c -400 · expenses:fx c +10"),
        (410, "assets:bank c +410 · expenses:projects:wells c -400 · expenses:fx c -10"),
        (400, "assets:bank c +400 · expenses:projects:wells c -400"),
    ],
)
def test_a_return_by_a_payee_is_booked_at_cost(received: int, expected: str) -> None:
    """The cost returns through its own account, the difference of rates to expenses:fx."""
    tranche = Spending("expenses:projects:wells", Fund.COMMITTED, 400, reference="prop_01")

    entry = returned_entry(DAY, tranche, received_cents=received, of=5)

    assert as_written(entry) == expected
    assert (entry.kind, entry.of, entry.reference) == (EntryKind.RETURN, 5, "prop_01")
    assert entry.reverses is None


@pytest.mark.parametrize(("cost", "received"), [(0, 5), (5, 0), (-5, 5), (5, -5)])
def test_nothing_cannot_be_returned(cost: int, received: int) -> None:
    """Both the cost and the returned amount are at least one cent."""
    with pytest.raises(InvalidInput, match="the minimum is"):
        returned_entry(DAY, SALARY._replace(cents=cost), received_cents=received)


def test_a_transfer_keeps_each_fund_in_balance() -> None:
    """Each account gives to the other fund what it takes from the first."""
    entry = transfer_entry(
        DAY,
        source=Fund.OTHER,
        target=Fund.STAFF,
        draws=[("assets:bank", 30), ("assets:stripe", 20)],
        note="to cover March",
    )

    assert as_written(entry) == (
        "equity:transfers o +50 · assets:bank o -30 · assets:stripe o -20 · "
        "assets:bank s +30 · assets:stripe s +20 · equity:transfers s -50"
    )
    assert (entry.kind, entry.source) == (EntryKind.TRANSFER, "operator")


def test_a_fund_cannot_give_to_itself() -> None:
    """A transfer needs two funds."""
    with pytest.raises(InvalidInput, match="needs two funds; both are 'staff'"):
        transfer_entry(DAY, source=Fund.STAFF, target=Fund.STAFF, draws=[("assets:bank", 1)])


def test_a_grant_is_income_of_the_funds_it_is_for() -> None:
    """A received grant is booked at the bank in its funds."""
    entry = grant_entry(DAY, parts_of(500, 0, 0, 20))

    assert as_written(entry) == "assets:bank p +500 o +20 · income:grants p -500 o -20"


def test_opening_balances_are_booked_against_equity() -> None:
    """Opening assets and debts are booked against equity, per fund."""
    entry = opening_entry(
        DAY,
        {
            ("assets:bank", Fund.PROJECTS): 900,
            ("assets:stripe", Fund.PROJECTS): 100,
            ("assets:bank", Fund.OTHER): 50,
            ("liabilities:suspense", Fund.OTHER): -20,
            ("assets:stripe", Fund.STAFF): 0,
        },
    )

    assert as_written(entry) == (
        "assets:bank p +900 · assets:stripe p +100 · assets:bank o +50 · "
        "liabilities:suspense o -20 · equity:opening p -1000 o -30"
    )
    with pytest.raises(InvalidInput, match="'income:gifts' cannot have an opening balance"):
        opening_entry(DAY, {("income:gifts", Fund.OTHER): 5})


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


def an_entry(
    kind: EntryKind,
    *pairs: tuple[str, int],
    source: str = "bank",
    others: Mapping[Fund, Sequence[tuple[str, int]]] = MappingProxyType({}),
) -> JournalEntry:
    """Return an entry whose funds are balanced by an asset account; pairs are of `other`."""
    postings = []
    for fund, rows in {Fund.OTHER: pairs, **others}.items():
        rest = -sum(cents for _, cents in rows)
        balance = [(f"assets:{source}", rest)] if rest else []
        postings += [Posting(name, fund, cents) for name, cents in [*rows, *balance]]
    return JournalEntry(date(2026, 11, 20), kind, "An entry", tuple(postings))


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
def test_fees_and_refunds_of_the_provider_do_not_count(
    kind: EntryKind, account: str, counts: bool
) -> None:
    """Fees, refunds and disputes lower the account at the provider without an operator."""
    entry = an_entry(kind, (account, 500), source="stripe")

    assert outflow_of(entry, FIRST_ACCOUNTS).paid == ({account: 500} if counts else {})


def test_a_manual_entry_about_the_provider_counts_towards_limits() -> None:
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


def test_a_transfer_within_an_entry_does_not_count() -> None:
    """Amounts that an account receives and gives within one entry cancel out."""
    entry = an_entry(EntryKind.TRANSFER, ("equity:transfers", 500), ("equity:transfers", -500))

    assert outflow_of(entry, FIRST_ACCOUNTS).paid == {}


rows = st.lists(
    st.tuples(st.sampled_from(ACCOUNTS), st.integers(-500, 500).filter(bool)), min_size=1
)


def test_what_leaves_a_decided_fund_counts() -> None:
    """A transfer out of `projects`, a release and a payment charged to another fund count."""

    def taken(*moves: tuple[Fund, str, int]) -> dict[str, int]:
        others = {fund: [(account, cents)] for fund, account, cents in moves}
        entry = an_entry(EntryKind.MANUAL, others=others)
        return outflow_of(entry, FIRST_ACCOUNTS).paid

    out, back = ("equity:transfers", 500), ("equity:transfers", -500)
    school = "expenses:grants:school"
    assert taken((Fund.PROJECTS, *out), (Fund.STAFF, *back)) == {"equity:transfers": 500}
    assert taken((Fund.COMMITTED, *out), (Fund.PROJECTS, *back)) == {"equity:transfers": 500}
    assert taken((Fund.PROJECTS, school, 500), (Fund.STAFF, school, -500)) == {school: 500}
    assert taken((Fund.PROJECTS, *out), (Fund.COMMITTED, *back)) == {}
    assert taken((Fund.MARKETING, *out), (Fund.STAFF, *back)) == {}


def test_a_transfer_out_of_projects_comes_to_another_fund() -> None:
    """Half of a transfer takes the money out of the books; a reason does not help."""
    half = an_entry(EntryKind.MANUAL, others={Fund.PROJECTS: [("equity:transfers", 500)]})

    with pytest.raises(InvalidInput, match=r"The transfer takes \$5.00 that no fund gets"):
        require_purpose(replace(half, note="Salaries"), {Fund.OTHER: 1})


@given(
    kind=st.sampled_from(EntryKind),
    others=st.dictionaries(st.sampled_from(Fund), rows, min_size=1),
    source=st.sampled_from(["bank", "stripe", "mallory"]),
)
def test_the_verifier_counts_the_same(
    kind: EntryKind, others: dict[Fund, list[tuple[str, int]]], source: str
) -> None:
    """The two programs share no code, and agree on every entry."""
    entry = an_entry(kind, others=others, source=source)

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


WELLS = Commitment("prop_01", goal=500)


@pytest.mark.parametrize(
    ("free", "expected"), [(1000, 500), (500, 500), (320, 320), (0, 0), (-40, 0)]
)
def test_a_passed_proposal_holds_free_money_and_queues_the_rest(free: int, expected: int) -> None:
    """A passed proposal holds as much of its goal as the projects fund has free."""
    assert WELLS.to_hold(free) == expected


def test_the_queue_is_topped_up_to_the_goal() -> None:
    """Held and paid amounts both count towards the goal."""
    some = WELLS.hold(320).pay(120)

    assert some == Commitment("prop_01", 500, held=200, paid=120)
    assert some.to_hold(10_000) == 180


def test_more_than_the_goal_lacks_is_not_held() -> None:
    """Holding beyond the goal is refused."""
    with pytest.raises(InvalidInput, match=r"\$5.01 is more than the proposal prop_01 still lacks"):
        WELLS.hold(501)


def test_a_payout_stays_within_the_proposals_money() -> None:
    """A refused payout or release names the amount held and the amount asked for."""
    for step in (WELLS.hold(300).pay, WELLS.hold(300).release):
        with pytest.raises(
            FundOverdrawn, match=r"\$3.00 is held for .*prop_01; \$4.00 was requested"
        ):
            step(400)


def test_released_money_reduces_the_goal() -> None:
    """A released part reduces the amount that can still be held."""
    assert WELLS.hold(500).pay(400).release(100).to_hold(10_000) == 0
    assert WELLS.hold(450).release(100).to_hold(10_000) == 50


def test_a_proposal_given_up_leaves_the_queue() -> None:
    """Releasing everything gives up both the held and the queued amount."""
    given_up = WELLS.hold(300).pay(100).release_all()

    assert given_up == Commitment("prop_01", 500, held=0, paid=100, released=400)
    assert given_up.to_hold(10_000) == 0


def test_a_return_by_a_payee_is_held_again() -> None:
    """The cost reduces the paid amount; the returned amount, at its own rate, is held."""
    paid = WELLS.hold(500).pay(400)

    assert paid.take_back(cost_cents=400, received_cents=390) == Commitment(
        "prop_01", 500, held=490, paid=0
    )
    with pytest.raises(InvalidInput, match=r"\$4.01 cannot come back .* was paid \$4.00"):
        paid.take_back(cost_cents=401, received_cents=401)


@pytest.mark.parametrize("cents", [0, -1])
def test_every_step_moves_something(cents: int) -> None:
    """Zero or a negative amount cannot be held, paid, released or returned."""
    full = WELLS.hold(400).pay(100)
    for step in (full.hold, full.pay, full.release):
        with pytest.raises(InvalidInput, match="cannot be moved"):
            step(cents)
    for cost, received in ((cents, 1), (1, cents)):
        with pytest.raises(InvalidInput, match="cannot be moved"):
            full.take_back(cost_cents=cost, received_cents=received)


steps = st.tuples(st.sampled_from(["hold", "pay", "release", "all"]), st.integers(-5, 400))


@given(goal=st.integers(1, 1000), moves=st.lists(steps, max_size=30))
def test_commitment_law_the_goal_is_never_exceeded(goal: int, moves: list[tuple[str, int]]) -> None:
    """No figure ever falls below 0; held, paid and released together never exceed the goal."""
    row = Commitment("prop_01", goal)
    for name, cents in moves:
        try:
            row = row.release_all() if name == "all" else getattr(row, name)(cents)
        except JaraError:
            continue

        assert min(row.held, row.paid, row.released) >= 0
        assert row.held + row.paid + row.released <= goal
