"""A transfer between own accounts is booked once; each account's line matches its own leg."""

from datetime import date
from itertools import permutations
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Conflict
from jara.services.bank.accounts import list_accounts
from jara.services.bank.answering import add_rule, book_line, list_waiting
from jara.services.bank.importing import import_statements, settle_again
from jara.services.bank.reconciling import reconcile_bank
from jara.services.books.policies import add_account
from jara.services.context import Context
from jara.services.operations.import_undo import list_imports, undo_import
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import make_organisation
from tests.services.bank.bank_books import compared, open_with, take, waiting
from tests.services.books.ledger_builders import all_entries, give, money_findings

BANK, PAYPAL = "assets:bank", "assets:paypal"
END = date(2026, 5, 31)


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an account at the bank and one at PayPal."""
    context = make_organisation(place)
    add_account(context, PAYPAL, meaning="At PayPal.")
    return context


def at_paypal(*lines: StatementLine) -> Statement:
    """Return PayPal's statement of May."""
    return a_statement(*lines, account="PAYPAL99990001")


GIFT = a_line(8000, "OPEN GIFT", day=10)
OUT = a_line(-5000, "WITHDRAWAL TO BANK", day=20)
IN = a_line(5000, "PAYPAL TRANSFER", day=22)


def take_at(context: Context, statement: Statement, account: str) -> None:
    """Import a statement of an account."""
    import_statements(context, [statement], file=f"{account}.csv", new_account=account)


def balance(context: Context, account: str) -> int:
    """Return what the books have on an account."""
    postings = [p for entry in all_entries(context) for p in entry.postings]
    return sum(p.cents for p in postings if p.account == account)


def line_of(context: Context, cents: int) -> str:
    """Return the id of the waiting line of an amount."""
    return next(one.id for one in list_waiting(context) if one.line.cents == cents)


def rule(context: Context, text: str, direction: Direction, account: str) -> None:
    """Add a rule."""
    add_rule(context, Rule(f"rule_{text[:4]}", direction, account, contains=text, why="Asked for"))


def require_both(context: Context) -> None:
    """Check that the transfer of 50.00 is booked once, and both statements agree with the books."""
    assert waiting(context) == []
    assert (balance(context, BANK), balance(context, PAYPAL)) == (5000, 3000)
    assert money_findings(context) == []
    for account in list_accounts(context):
        found = reconcile_bank(context, END, account=account.number)
        assert (found.difference_cents, found.differences) == (0, ())


@pytest.mark.parametrize("booked", ["bank", "paypal"])
def test_one_match_by_hand_settles_both_lines(context: Context, booked: str) -> None:
    """The line of one account is matched by hand; the other account's line follows at once."""
    take_at(context, at_paypal(GIFT, OUT), PAYPAL)
    book_line(context, line_of(context, 8000), [Part("income:gifts")])
    take_at(context, a_statement(IN), BANK)
    cents, account = (5000, PAYPAL) if booked == "bank" else (-5000, BANK)
    book_line(context, line_of(context, cents), [Part(account)], why="Asked for")

    require_both(context)


@pytest.mark.parametrize("order", list(permutations(["paypal", "bank", "rules"])))
@pytest.mark.parametrize("days", [2, 7])
def test_a_rule_on_each_side_books_it_once(
    context: Context, order: tuple[str, ...], days: int
) -> None:
    """In any order of files and rules, also if the money is on its way for a week."""
    for step in order:
        if step == "paypal":
            take_at(context, at_paypal(GIFT, OUT), PAYPAL)
        elif step == "bank":
            take_at(context, a_statement(a_line(5000, "PAYPAL TRANSFER", day=20 + days)), BANK)
        else:
            rule(context, "WITHDRAWAL", Direction.OUT, BANK)
            rule(context, "PAYPAL TRANSFER", Direction.IN, PAYPAL)
            rule(context, "OPEN GIFT", Direction.IN, "income:gifts")
    settle_again(context)

    require_both(context)


def test_two_equal_transfers_wait_for_a_decision(context: Context) -> None:
    """Two of one amount in a week: nothing is booked twice, and the lines say what fits."""
    rule(context, "WITHDRAWAL", Direction.OUT, BANK)
    rule(context, "PAYPAL TRANSFER", Direction.IN, PAYPAL)
    again = a_line(-5000, "WITHDRAWAL TO BANK", day=21)
    take_at(context, at_paypal(a_line(20_000, "GIFT", day=1), OUT, again), PAYPAL)
    book_line(context, line_of(context, 20_000), [Part("income:gifts")])
    settle_again(context)
    take_at(context, a_statement(IN, a_line(5000, "PAYPAL TRANSFER", day=23)), BANK)

    assert (balance(context, BANK), balance(context, PAYPAL)) == (10_000, 10_000)
    assert [why.startswith("Ambiguous: 2 lines and 2") for _, why in waiting(context)] == [True] * 2
    with pytest.raises(Conflict, match="Several transfers have this amount; say which"):
        book_line(context, line_of(context, 5000), [Part(PAYPAL)])


def test_an_undone_file_leaves_the_other_accounts_line_waiting(context: Context) -> None:
    """The transfer that its line was booked as is reversed; the same file settles both again."""
    rule(context, "PAYPAL TRANSFER", Direction.IN, PAYPAL)
    take_at(context, at_paypal(GIFT, OUT), PAYPAL)
    book_line(context, line_of(context, 8000), [Part("income:gifts")])
    take_at(context, a_statement(IN), BANK)
    newest, _ = list_imports(context)
    undo_import(context, newest.id, why="wrong")
    assert [cents for cents, _ in waiting(context)] == [-5000]
    take_at(context, a_statement(IN), BANK)

    require_both(context)


def paid(context: Context) -> PostedEntry:
    """Pay a grant of 700.00 with a charge of 25.00."""
    give(context, 100_000)
    open_with(context, 200_000)
    payment = Disbursement(Payee.GRANTS, "school", 70_000, day=date(2026, 5, 4), charge_cents=2500)
    posted = disburse(context, payment)
    assert isinstance(posted, PostedEntry)
    return posted


@pytest.mark.parametrize(
    "lines",
    [[(-72_500, "WIRE ABROAD")], [(-70_000, "WIRE ABROAD"), (-2500, "WIRE FEE")]],
    ids=["together", "apart"],
)
def test_a_payment_with_its_charge_is_one_or_two_lines(
    context: Context, lines: list[tuple[int, str]]
) -> None:
    """The bank books 725.00, or 700.00 and 25.00; both are matched without a new entry."""
    paid(context)
    before = len(all_entries(context))
    rows = [a_line(cents, text, day=5) for cents, text in lines]
    settled = take(context, a_statement(*rows, opening=200_000)).settled

    assert (settled.by_entry, settled.waiting) == (len(lines), 0)
    assert len(all_entries(context)) == before
    assert compared(context).difference_cents == 0


def test_a_charge_is_matched_once(context: Context) -> None:
    """A line of the whole and one of the payment cannot both be right: one waits."""
    paid(context)
    rows = [a_line(-72_500, "WIRE ABROAD", day=5), a_line(-70_000, "WIRE ABROAD", day=6)]
    settled = take(context, a_statement(*rows, opening=200_000)).settled

    assert (settled.by_entry, settled.waiting) == (1, 1)
