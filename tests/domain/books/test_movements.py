"""Every row of the payment provider becomes the one right entry; so does every other way to pay."""

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.documents import to_document
from jara.domain.books.account import STRIPE, Fund
from jara.domain.books.foreign import (
    ForeignSum,
    describe_foreign,
    foreign_payment,
    public_amount,
    sum_foreign,
)
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry
from jara.domain.books.movements import MovementFacts, Payment, entry_from_row
from jara.domain.books.other_ways import Received, payment_entry, refund_entry
from jara.domain.books.provider_row import (
    ChargeKind,
    MovementIdentity,
    ProviderRow,
    RowCategory,
    identity_of,
    outside_id,
)
from jara.domain.currency import format_minor
from jara.domain.errors import InvalidInput
from tests import strategies
from tests.rows import DAY, a_row, as_written, parts_of, posted
from tests.sizes import fewer_examples

FACTS = MovementFacts(DEFAULT_POLICY, member_key="k1")
PAYMENT = Payment(7, "income:gifts", parts_of(800, 70, 90, 40), member_key="k9")


def entry_of(row: ProviderRow, facts: MovementFacts = FACTS) -> JournalEntry:
    """Book a row that produces an entry."""
    entry = entry_from_row(row, facts)
    assert entry is not None
    return entry


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        ("charge", EntryKind.PLEDGE),
        ("refund", EntryKind.REFUND),
        ("refund_failure", EntryKind.REFUND_FAILURE),
        ("dispute", EntryKind.DISPUTE),
        ("dispute_reversal", EntryKind.DISPUTE_REVERSAL),
        ("fee", EntryKind.FEE),
        ("network_cost", EntryKind.FEE),
        ("tax", EntryKind.FEE),
        ("payout", EntryKind.PAYOUT),
        ("payout_reversal", EntryKind.PAYOUT_REVERSAL),
        ("risk_reserved_funds", EntryKind.RESERVE),
        ("topup", EntryKind.TOPUP),
        ("topup_reversal", EntryKind.TOPUP),
        ("unknown", EntryKind.SUSPENSE),
    ],
)
def test_each_category_has_its_kind(category: str, kind: EntryKind) -> None:
    """The entry's kind says what moved the money; its text holds no id and no name."""
    row = a_row(category, -300, raw_category="other_adjustment", email="ama@example.org")

    entry = entry_of(row, replace(FACTS, shares=parts_of(300, 0, 0, 0)))

    assert (
        entry.kind, entry.source, entry.external_id, entry.day
    ) == (kind, "stripe", "txn_1", DAY)  # fmt: skip
    assert "_" not in entry.description
    assert "ama@" not in entry.description
    is_payout = category.startswith("payout")
    assert entry.reference == ("src_1" if is_payout else None)
    assert entry.note == ("other_adjustment" if category == "unknown" else None)


def test_a_charge_without_a_pledge_is_a_gift() -> None:
    """A charge without a pledge is income from gifts and has its giver's key."""
    entry = entry_of(a_row("charge", 2500, charge_kind=ChargeKind.GIFT))

    assert (entry.kind, entry.member_key) == (EntryKind.GIFT, "k1")
    assert as_written(entry) == (
        "assets:stripe p +2000 s +175 m +225 o +100 · income:gifts p -2000 s -175 m -225 o -100"
    )


def test_a_charge_of_unknown_kind_is_refused() -> None:
    """The refusal names the line and the missing information; the kind is never guessed."""
    with pytest.raises(InvalidInput, match=r"line 12: .*use --as pledges or --as gifts"):
        entry_from_row(a_row("charge", 500, charge_kind=None, line=12), FACTS)


@pytest.mark.parametrize(
    ("category", "amount", "expected"),
    [
        ("fee", -100, "expenses:fees s +35 m +45 o +20 · assets:stripe s -35 m -45 o -20"),
        ("network_cost", -20, "expenses:fees s +7 m +9 o +4 · assets:stripe s -7 m -9 o -4"),
        ("tax", -20, "expenses:fees:tax s +7 m +9 o +4 · assets:stripe s -7 m -9 o -4"),
        ("fee", 20, "expenses:fees s -7 m -9 o -4 · assets:stripe s +7 m +9 o +4"),
        ("unknown", 35, "liabilities:suspense o -35 · assets:stripe o +35"),
        ("unknown", -35, "liabilities:suspense o +35 · assets:stripe o -35"),
    ],
)
def test_fees_are_split_and_unknown_movements_wait(
    category: str, amount: int, expected: str
) -> None:
    """Stripe's own fees are split by fee weights; unknown movements wait in suspense."""
    assert as_written(entry_of(a_row(category, amount))) == expected


@pytest.mark.parametrize(
    ("category", "amount", "account"),
    [
        ("risk_reserved_funds", -50, "assets:stripe-reserve"),
        ("topup", 50, "assets:bank"),
        ("topup_reversal", -50, "assets:bank"),
    ],
)
def test_movements_between_our_accounts_follow_the_shares(
    category: str, amount: int, account: str
) -> None:
    """Reserve and top-ups move each fund's share and nothing else."""
    sign = 1 if amount < 0 else -1
    facts = replace(FACTS, shares=parts_of(sign * 40, 0, 0, sign * 10))

    entry = entry_of(a_row(category, amount), facts)

    assert as_written(entry) == (
        f"{account} p {sign * 40:+d} o {sign * 10:+d} · "
        f"assets:stripe p {-sign * 40:+d} o {-sign * 10:+d}"
    )


def test_shares_must_come_to_the_amount() -> None:
    """Shares of another sum are refused with both amounts."""
    facts = replace(FACTS, shares=parts_of(40, 0, 0, 0))
    with pytest.raises(InvalidInput, match=r"shares add up to \$0.40, not \$0.50"):
        entry_from_row(a_row("payout", -50), facts)


def test_the_tax_part_of_a_fee_is_an_expense_of_its_own() -> None:
    """Tax on the fee goes to expenses:fees:tax, by the same weights."""
    entry = entry_of(a_row("charge", 1000, 60, fee_tax=20))

    assert as_written(entry) == (
        "assets:stripe p +800 s +70 m +90 o +40 · income:pledges p -800 s -70 m -90 o -40 · "
        "expenses:fees s +14 m +18 o +8 · expenses:fees:tax s +7 m +9 o +4 · "
        "assets:stripe s -21 m -27 o -12"
    )


def test_partial_refunds_continue_where_the_last_one_ended() -> None:
    """A refund takes the next cents in order, and names the payment and its giver."""
    first = entry_of(a_row("refund", -39), replace(FACTS, payment=PAYMENT))
    second = entry_of(
        a_row("refund", -1), replace(FACTS, payment=replace(PAYMENT, returned_cents=39))
    )
    failed = entry_of(
        a_row("refund_failure", 1), replace(FACTS, payment=replace(PAYMENT, returned_cents=40))
    )

    assert sum(p.cents for p in first.postings if p.account == "income:gifts") == 39
    assert {p.cents for p in second.postings} == {1, -1}
    assert {(p.account, p.fund, -p.cents) for p in failed.postings} == {
        (p.account, p.fund, p.cents) for p in second.postings
    }
    assert [(e.of, e.member_key) for e in (first, second, failed)] == [(7, "k9")] * 3


@pytest.mark.parametrize(
    ("charge_kind", "account"),
    [(ChargeKind.PLEDGE, "income:pledges"), (ChargeKind.GIFT, "income:gifts"),
     (None, "income:gifts")],
)  # fmt: skip
def test_a_refund_of_an_unknown_payment_goes_by_the_policy(
    charge_kind: ChargeKind | None, account: str
) -> None:
    """Without its payment in the books a refund is split as a payment would be."""
    entry = entry_of(a_row("refund", -100, charge_kind=charge_kind))

    assert as_written(entry) == (
        f"{account} p +80 s +7 m +9 o +4 · assets:stripe p -80 s -7 m -9 o -4"
    )
    assert (entry.of, entry.member_key) == (None, "k1")


def test_a_payment_is_read_from_its_entry() -> None:
    """Account, parts and giver come from the posted charge."""
    entry = entry_of(a_row("charge", 1000, 59))

    payment = Payment.of(posted(entry, 4), returned_cents=5)

    assert payment == Payment(4, "income:pledges", parts_of(800, 70, 90, 40), 5, "k1")
    with pytest.raises(InvalidInput, match="is not a payment"):
        Payment.of(posted(entry_of(a_row("fee", -5))), returned_cents=0)


@pytest.mark.parametrize(
    ("changes", "name"),
    [({"line": 3}, "line 3"), ({}, "txn_1"), ({"txn_id": None}, "src_1"),
     ({"txn_id": None, "source_id": None}, "a row without id")],
)  # fmt: skip
def test_another_currency_is_refused_by_name(changes: dict[str, object], name: str) -> None:
    """A row that is not in US dollars is neither booked nor put into suspense."""
    with pytest.raises(InvalidInput, match=f"{name}: the currency is 'cad'"):
        entry_from_row(a_row("charge", 100, currency="cad", **changes), FACTS)


def test_amounts_that_disagree_are_refused() -> None:
    """The net must equal the amount less the fee."""
    with pytest.raises(InvalidInput, match=r"net \$9.00 is not amount \$10.00 less fee \$0.59"):
        entry_from_row(a_row("charge", 1000, 59, net=900), FACTS)


@pytest.mark.parametrize("category", RowCategory)
def test_a_row_of_nothing_books_nothing(category: RowCategory) -> None:
    """The $0 invoice of a changed billing day produces no entry."""
    assert entry_from_row(a_row(category, 0, charge_kind=ChargeKind.PLEDGE), FACTS) is None


def test_a_late_row_goes_to_the_first_open_day() -> None:
    """A movement of a locked year is booked in the next one, with its true day."""
    entry = entry_of(a_row("charge", 500), replace(FACTS, locked_years={2026}))

    assert (entry.day, entry.true_day) == (date(2027, 1, 1), DAY)


@given(row=strategies.provider_rows())
def test_the_balance_changes_by_the_net_amount(row: ProviderRow) -> None:
    """For any row, assets:stripe changes by its net amount and every fund balances."""
    facts = replace(FACTS, shares={Fund.OTHER: -row.amount})

    entry = entry_from_row(row, facts)

    postings = entry.postings if entry else ()
    assert row.net == sum(p.cents for p in postings if p.account == STRIPE)


@pytest.mark.parametrize(
    ("row", "expected", "outside"),
    [
        (a_row("dispute", -5), MovementIdentity(RowCategory.DISPUTE, "src_1"), "txn_1"),
        (
            a_row("charge", 5, txn_id=None, source_id=None, charge_id="ch_1"),
            MovementIdentity(RowCategory.CHARGE, "ch_1"),
            "charge:ch_1",
        ),
        (
            a_row("refund", -5, txn_id=None, charge_id="ch_1", cumulative=400),
            MovementIdentity(RowCategory.REFUND, "ch_1", 400),
            "refund:ch_1:400",
        ),
        (a_row("fee", -5, source_id=None), None, "txn_1"),
        (a_row("refund", -5, source_id=None, charge_id="ch_1"), None, "txn_1"),
    ],
)
def test_a_movement_has_a_second_key(
    row: ProviderRow, expected: MovementIdentity | None, outside: str
) -> None:
    """Category and source, or the cumulated sum, identify a movement besides its transaction id."""
    assert identity_of(row) == expected
    assert outside_id(row) == outside


def test_a_row_without_any_id_is_refused() -> None:
    """A row that cannot be found again could be booked twice."""
    with pytest.raises(InvalidInput, match="line 4: the row has no id"):
        entry_from_row(a_row("fee", -5, txn_id=None, source_id=None, line=4), FACTS)


CASH = "assets:cash"


def received(cents: int, name: str = "received:1") -> Received:
    """Return cash received or refunded on the day of the rows."""
    return Received(date(2026, 3, 5), cents, "cash", CASH, name)


def moved(entry: JournalEntry | None) -> list[tuple[str, str, int]]:
    """Return the postings, with the cash account in place of Stripe."""
    assert entry is not None
    return [
        (CASH if p.account == STRIPE else p.account, p.fund.value, p.cents) for p in entry.postings
    ]


@given(st.integers(1, 10**7), st.lists(st.integers(1, 10**6), max_size=4))
def test_every_way_has_the_law_of_the_card(cents: int, refunds: list[int]) -> None:
    """Cash and card give the same postings, kinds and links for any payment and partial refunds."""
    facts = MovementFacts(policy=DEFAULT_POLICY, member_key="key_1")
    by_card = entry_from_row(a_row("charge", cents), facts)
    in_cash = payment_entry(received(cents), facts)
    assert moved(by_card) == moved(in_cash)
    assert by_card is not None
    assert (in_cash.kind, in_cash.member_key, in_cash.source) == (EntryKind.PLEDGE, "key_1", "cash")

    returned = 0
    for part in refunds:
        if returned + part > cents:
            break
        pair = [
            MovementFacts(
                policy=DEFAULT_POLICY, payment=Payment.of(posted(entry, 7), returned_cents=returned)
            )
            for entry in (by_card, in_cash)
        ]
        card_refund = entry_from_row(a_row("refund", -part, charge_id="src_1"), pair[0])
        cash_refund = refund_entry(received(part, "r"), pair[1])
        assert moved(card_refund) == moved(cash_refund)
        assert (cash_refund.kind, cash_refund.of, cash_refund.member_key) == (
            EntryKind.REFUND,
            7,
            "key_1",
        )
        returned += part


@pytest.mark.parametrize("cents", [0, -5])
def test_nothing_is_no_payment(cents: int) -> None:
    """An amount is at least one cent."""
    with pytest.raises(InvalidInput, match=r"at least .0\.01"):
        payment_entry(received(cents), MovementFacts(policy=DEFAULT_POLICY))
    with pytest.raises(InvalidInput, match=r"at least .0\.01"):
        refund_entry(received(cents), MovementFacts(policy=DEFAULT_POLICY))


SLIP = "bank slip 1182"


def test_the_rate_follows_from_both_amounts() -> None:
    """The rate is computed from the amount received and its cost."""
    made = foreign_payment("KES 464,400", cents=360_000, source=f"  {SLIP} ")

    assert made == Foreign("KES", 46_440_000, "129.00", SLIP)
    assert describe_foreign(made, 360_000) == "KES 464,400 at 129.00"
    assert describe_foreign(made, -360_000) == "-KES 464,400 at 129.00"


@pytest.mark.parametrize(
    ("source", "cents", "words"),
    [
        (None, 100, "'KES 5' needs the source of its rate"),
        ("  ", 100, "'KES 5' needs the source of its rate"),
        ("x" * 121, 100, "has 121 characters; the maximum is 120"),
        (SLIP, 0, "KES 5 for $0.00 has no rate"),
    ],
)
def test_a_rate_needs_a_source_and_a_cost(source: str | None, cents: int, words: str) -> None:
    """The message names the value and the rule."""
    with pytest.raises(InvalidInput, match=re.escape(words)):
        foreign_payment("KES 5", cents=cents, source=source)


def test_everybody_sees_the_amount_and_nobody_the_words() -> None:
    """The source of the rate, an operator's text, is not published; the receipt's hash is."""
    plain = foreign_payment("KES 464,400", cents=360_000, source=SLIP)
    made = plain._replace(receipt="ab" * 32)

    amount = {
        "currency": "KES",
        "amountMinor": -46_440_000,
        "text": "-KES 464,400",
        "rate": "129.00",
    }
    assert to_document(public_amount(made, -360_000)) == {**amount, "receipt": "ab" * 32}
    assert to_document(public_amount(plain, -360_000)) == amount


foreigns = st.builds(
    Foreign, st.sampled_from(["KES", "XOF", "EUR"]), st.integers(1, 10**9), st.just("1.00")
)
payments = st.lists(
    st.tuples(st.none() | foreigns, st.integers(-(10**9), 10**9).filter(bool)), max_size=12
)


@fewer_examples(3)
@given(payments)
def test_sums_equal_their_parts_in_both_currencies(parts: list[tuple[Foreign | None, int]]) -> None:
    """Returned money reduces the sums; payments in dollars are left out."""
    sums = sum_foreign(parts)

    expected = []
    for currency in ("EUR", "KES", "XOF"):
        own = [(f, cents) for f, cents in parts if f is not None and f.currency == currency]
        minor = sum(f.amount_minor if cents > 0 else -f.amount_minor for f, cents in own)
        total = ForeignSum(currency, minor, sum(cents for _, cents in own))
        if minor or total.cents:
            expected.append(total)
    assert list(sums) == expected
    assert [format_minor(s.currency, s.amount_minor) for s in sums] == [
        to_document(total)["text"] for total in sums
    ]


@given(st.lists(st.tuples(st.integers(1, 10**7), st.integers(1, 10**9)), min_size=1, max_size=8))
def test_a_payment_and_its_reversal_come_to_nothing(rows: list[tuple[int, int]]) -> None:
    """A payment and its reversal cancel out in both currencies."""
    paid = [(Foreign("KES", minor, "1.00"), cents) for minor, cents in rows]
    sums = sum_foreign([*paid, *((foreign, -cents) for foreign, cents in paid)])

    assert sums == ()
