"""Lines that name members: one reference, several, one with a wrong letter, and money out."""

from dataclasses import replace
from datetime import date
from itertools import permutations
from pathlib import Path

import pytest

from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.giving.payment_way import ALPHABET, PaymentWay
from jara.services.bank.answering import add_rule, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.context import Context
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import refund_payment
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.places import NewPlace
from tests.services.bank.bank_books import compared, take, takes_transfers, waiting
from tests.services.bank.test_contributions import promised
from tests.services.bank.test_statement_vouching import voters
from tests.services.books.ledger_builders import all_entries, money_findings
from tests.services.giving.joiners import take_cash


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that accepts transfers, at the end of May."""
    return takes_transfers(place)


def test_two_references_wait_also_from_a_known_account(context: Context) -> None:
    """Two whole references wait, though the account and the beginning of one would be enough."""
    one, two = promised(context, "ada"), promised(context, "bo")
    lines = [
        a_line(1000, f"GIFT {one}", day=4, party_account=NUMBER),
        a_line(1000, f"GIFT {one} AND {two}", day=5, party_account=NUMBER),
    ]
    take(context, a_statement(*lines))

    ((cents, reason),) = waiting(context)
    assert (cents, len(all_entries(context))) == (1000, 1)
    assert f"It names several references: {', '.join(sorted((one, two)))}" in reason


def test_two_references_match_no_entry_and_no_rule(context: Context) -> None:
    """A payment booked by hand for one of the two does not take the line, nor does a rule."""
    one, two = promised(context, "ada"), promised(context, "bo")
    receive(context, one, 1000, day=date(2026, 5, 4))
    add_rule(context, Rule("r", Direction.IN, "income:gifts", contains="TOGETHER"))
    take(context, a_statement(a_line(1000, f"{one} {two} TOGETHER", day=5)))

    assert [cents for cents, _ in waiting(context)] == [1000]


def test_money_out_that_names_a_member_waits(context: Context) -> None:
    """It is no refund: the vote stays, and no rule takes it; a booked refund matches it."""
    reference = promised(context, "ada")
    add_rule(
        context,
        Rule("r", Direction.OUT, "expenses:operations", contains="PURCHASE", why="Asked for"),
    )
    paid = a_line(1000, reference, day=4)
    out = a_line(-1000, f"PURCHASE OF A CARD FOR {reference}", day=9)
    take(context, a_statement(paid, out, last=date(2026, 5, 10)))
    ((_, reason),) = waiting(context)

    assert (voters(context), len(all_entries(context))) == (1, 1)
    assert f"It is money out that names {reference}" in reason
    refund_payment(context, all_entries(context)[0].external_id or "", why="agreed")
    again = take(context, a_statement(opening=0, first=date(2026, 5, 11)))
    assert (again.settled.by_entry, waiting(context)) == (1, [])
    assert compared(context).difference_cents == 0


def returned(cents: int, text: str, *, day: int) -> StatementLine:
    """Return a line that the bank marks as the return of a transfer."""
    return replace(a_line(-cents, text, day=day), is_reversal=True)


def test_a_returned_transfer_refunds_the_newest_payment(context: Context) -> None:
    """The bank marks the return: it refunds the newest payment of its amount up to its day."""
    reference = promised(context, "ada")
    lines = [
        a_line(1000, reference, day=2),
        a_line(1000, reference, day=9),
        returned(1000, f"RETURN {reference}", day=12),
        a_line(1000, reference, day=20),
    ]
    take(context, a_statement(*lines))
    with context.store.read() as work:
        key = work.members.find("ada@example.org").key
        payments = work.payments.of_member(key)

    assert [one.returned_cents for one in payments] == [0, 1000, 0]
    assert money_findings(context) == []


@pytest.mark.parametrize(
    ("day", "gone", "payments"), [(6, True, 1), (2, True, 1), (6, False, 2), (20, True, 2)]
)
def test_a_payment_that_the_bank_moved_to_a_near_day_waits(
    context: Context, day: int, gone: bool, payments: int
) -> None:
    """A later file lacks it on its day: it is no second payment until a person says so."""
    reference = promised(context, "ada")
    paid = a_line(1000, reference, day=4, bank_ref="B1")
    moved = a_line(1000, reference, day=day, bank_ref="B1")
    for lines in ([paid], [moved] if gone else [paid, moved]):
        whole = a_statement(*lines, opening=None, first=date(2026, 5, 1), last=date(2026, 5, 31))
        take(context, whole)

    assert len(all_entries(context)) == payments
    assert [cents for cents, _ in waiting(context)] == [1000] * (2 - payments)
    assert all("of the same or a near day" in reason for _, reason in waiting(context))


def test_a_bounced_refund_is_no_payment(context: Context) -> None:
    """Money out that the bank takes back names the member, who has not paid again."""
    reference = promised(context, "ada")
    back = replace(a_line(1000, f"RETURN {reference}", day=12), is_reversal=True)
    take(context, a_statement(back))
    ((cents, reason),) = waiting(context)

    assert (cents, voters(context), len(all_entries(context))) == (1000, 0, 0)
    assert reason == "The bank reversed a line; match it by hand."


def by_days(*lines: StatementLine) -> Statement:
    """Return a statement without balances of the days of some lines."""
    days = [line.day for line in lines]
    return a_statement(*lines, opening=None, first=min(days), last=max(days))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_files_changes_no_refund(new_place: NewPlace, order: tuple[int, ...]) -> None:
    """While days between payment and return are not imported, the return waits."""
    context = takes_transfers(new_place())
    reference = promised(context, "ada")
    files = [
        by_days(a_line(1000, reference, day=2)),
        by_days(a_line(1000, reference, day=9)),
        by_days(returned(1000, f"RETURN {reference}", day=12)),
    ]
    for place in order:
        take(context, files[place])

    assert [entry.kind for entry in all_entries(context)] == ["pledge", "pledge"]
    assert "import the statements of the days between" in waiting(context)[0][1]
    whole = by_days(a_line(1000, reference, day=2), a_line(1000, reference, day=9),
                    returned(1000, f"RETURN {reference}", day=12))  # fmt: skip
    take(context, whole)
    with context.store.read() as work:
        key = work.members.find("ada@example.org").key
        left = {one.day.day: one.returned_cents for one in work.payments.of_member(key)}
    assert left == {2: 0, 9: 1000}
    context.store.close()


def other_sign(sign: str) -> str:
    """Return another sign of the alphabet."""
    return ALPHABET[(ALPHABET.index(sign) + 5) % len(ALPHABET)]


def test_a_reference_with_one_wrong_letter_names_its_member(context: Context) -> None:
    """A wrong, missing, further or swapped character waits, and the reason names the member."""
    reference = promised(context, "ada")
    plain = reference.replace("-", "")
    add_rule(context, Rule("r", Direction.IN, "income:gifts", contains="GIFT"))
    wrongs = [plain[:n] + other_sign(plain[n]) + plain[n + 1 :] for n in range(1, 8)]
    missing = [plain[:n] + plain[n + 1 :] for n in range(8)]
    more = [plain[:n] + "7" + plain[n:] for n in range(1, 8)]
    swapped = [
        plain[:n] + plain[n + 1] + plain[n] + plain[n + 2 :]
        for n in range(7)
        if plain[n] != plain[n + 1]
    ]
    texts = [*wrongs, *missing, *more, *swapped, "X" + plain[1:]]
    lines = [a_line(1000 + n, f"GIFT {text} thanks") for n, text in enumerate(texts)]
    take(context, a_statement(*lines))

    assert len(texts) == len(waiting(context))
    for _, reason in waiting(context):
        assert f"one character off {reference}" in reason
        assert "if somebody else paid, name them instead" in reason
        assert "Ada Test <ada@example.org>" in reason


def test_a_name_is_not_stored_with_a_reason(context: Context) -> None:
    """Names are looked up when the list is shown, so that an erased member leaves none."""
    reference = promised(context, "ada")
    wrong = reference[:-1] + other_sign(reference[-1])
    take(context, a_statement(a_line(1000, f"GIFT {wrong}")))
    with context.store.read() as work:
        (stored,) = work.bank.waiting(NUMBER)

    assert ("Ada" in stored.reason, "Ada" in list_waiting(context)[0].reason) == (False, True)
    with context.store.write() as work:
        work.members.erase(work.members.find("ada@example.org").id)
    assert list_waiting(context)[0].reason == stored.reason


def test_a_deposit_of_cash_that_is_booked_waits(context: Context) -> None:
    """A payment booked on another account is not booked again when a line names the member."""
    take_cash(context)
    reference = promised(context, "ada")
    promise(context, "ada@example.org", dollars=10, way=PaymentWay.CASH)
    receive(context, reference, 1000, day=date(2026, 5, 4))
    take(context, a_statement(a_line(1000, f"DEPOSIT {reference}", day=5)))

    assert len(all_entries(context)) == 1
    assert "is booked on assets:cash" in waiting(context)[0][1]


def test_cash_of_another_amount_or_month_is_another_payment(context: Context) -> None:
    """A transfer of the member is booked beside it."""
    take_cash(context)
    reference = promised(context, "ada")
    promise(context, "ada@example.org", dollars=10, way=PaymentWay.CASH)
    receive(context, reference, 700, day=date(2026, 5, 4))
    receive(context, reference, 1000, day=date(2026, 5, 25))
    take(context, a_statement(a_line(1000, f"GIFT {reference}", day=5)))

    assert (len(all_entries(context)), waiting(context)) == (3, [])


def test_collective_money_is_never_one_members(context: Context) -> None:
    """Payments that the bank did not divide wait as a whole; no rule and no reference fits."""
    reference = promised(context, "ada")
    add_rule(context, Rule("r", Direction.IN, "income:gifts", contains="GIFT"))
    line = replace(a_line(2800, f"GIFT {reference} two"), is_collective=True)
    import_statements(context, [a_statement(line)], file="f", new_account="assets:bank")

    ((_, reason),) = waiting(context)
    assert "several payments that the bank booked as one" in reason
