"""Accounts at the bank: which one of the books each is, and files with several or without one."""

from datetime import date

import pytest

from jara.domain.bank.statement import Statement, account_number
from jara.domain.errors import Conflict, InvalidInput, NotFound, UnknownAccount
from jara.records.bank import BankAccount
from jara.services.bank.accounts import AccountChoice, list_accounts, remove_account, set_account
from jara.services.bank.importing import BankOutcome, import_statements
from jara.services.context import Context
from jara.services.operations.import_undo import undo_import
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.services.bank.bank_books import take, waiting

SAVINGS = "GB33BUKB20201555555555"
MAY = a_statement(a_line(1000, "GIFT", day=4))
OTHER = a_statement(a_line(12, "INTEREST", day=31), account=SAVINGS)._replace(line=9)
FOREIGN = a_statement(account=SAVINGS)._replace(line=9, currency="CAD")
NAMELESS = a_statement(a_line(1000, "GIFT", day=4), account="")


@pytest.fixture(autouse=True)
def savings(context: Context) -> None:
    """The books have a second account that holds money."""
    with context.store.write() as work:
        work.book_settings.put_account("assets:savings", kind="assets", meaning="Savings.")


def bring(
    context: Context,
    *statements: Statement,
    ledgers: dict[str, str] | None = None,
    only: tuple[str, ...] = (),
    unnamed: str = "",
    new_account: str | None = None,
    partial: bool = False,
) -> BankOutcome:
    """Import statements with a choice of accounts."""
    choice = AccountChoice(ledgers or {}, only, unnamed)
    return import_statements(
        context, statements, file="f", new_account=new_account, choice=choice, partial=partial
    )


def test_several_accounts_are_added_by_their_numbers(context: Context) -> None:
    """The end of a number is enough; later files need no option."""
    ledgers = {"3000": "assets:bank", "GB33 BUKB 2020 1555 5555 55": "assets:savings"}

    assert bring(context, MAY, OTHER, ledgers=ledgers).added == 2
    assert list_accounts(context) == [
        BankAccount(NUMBER, "assets:bank"),
        BankAccount(SAVINGS, "assets:savings"),
    ]
    assert bring(context, MAY, OTHER).added == 0
    assert bring(context, MAY, OTHER, ledgers=ledgers, new_account="assets:bank").added == 0


def test_unknown_accounts_are_all_named_at_once(context: Context) -> None:
    """One account without a number would be a guess."""
    says = rf".none yet.: {NUMBER} .account, line 1., {SAVINGS} .account, line 9.. Add "
    for ledger in (None, "assets:bank"):
        with pytest.raises(Conflict, match=says):
            bring(context, MAY, OTHER, new_account=ledger)
    with pytest.raises(Conflict, match=f"of the account {NUMBER}, which is not known"):
        bring(context, MAY, OTHER, ledgers={SAVINGS: "assets:savings"})
    with pytest.raises(UnknownAccount):
        bring(context, MAY, ledgers={NUMBER: "assets:nowhere"})
    assert list_accounts(context) == []


def test_unknown_accounts_are_left_out_of_a_partial_import(context: Context) -> None:
    """They are listed, and their lines are not stored."""
    outcome = bring(context, MAY, OTHER, ledgers={NUMBER: "assets:bank"}, partial=True)

    assert (outcome.read, outcome.added, waiting(context)[0][0]) == (1, 1, 1000)
    assert outcome.rejected == ((9, f"the account {SAVINGS} is not known; left out."),)
    with pytest.raises(InvalidInput, match=rf"f holds no statement. Line 9: the account {SAVINGS}"):
        bring(context, OTHER, partial=True)


@pytest.mark.parametrize("other", [OTHER, FOREIGN])
def test_accounts_that_were_not_chosen_are_left_out(context: Context, other: Statement) -> None:
    """With `only`, the rest of the file needs no other option, whatever its currency."""
    outcome = bring(context, MAY, other, only=("3000",), new_account="assets:bank")

    assert (outcome.added, len(list_accounts(context))) == (1, 1)
    assert outcome.left_out == ((9, f"the account {SAVINGS} is not named by --only; left out"),)


def test_an_account_in_another_currency_is_rejected(context: Context) -> None:
    """A partial import leaves it out."""
    says = (9, f"the account {SAVINGS} is in CAD; the books are in USD.")

    refused = bring(context, MAY, FOREIGN, new_account="assets:bank")
    assert (refused.id, refused.rejected, list_accounts(context)) == ("", (says,), [])
    taken = bring(context, MAY, FOREIGN, new_account="assets:bank", partial=True)
    assert (taken.added, taken.rejected, len(list_accounts(context))) == (1, (says,), 1)


def test_an_option_that_means_no_account_of_the_file_is_refused(context: Context) -> None:
    """It is probably mistyped."""
    says = f"The file has no statement of the account 77; it has {NUMBER}"

    with pytest.raises(InvalidInput, match=says):
        bring(context, MAY, only=("77",))
    with pytest.raises(InvalidInput, match=says):
        bring(context, MAY, ledgers={"77": "assets:bank"})


def test_an_account_keeps_its_place_in_the_books(context: Context) -> None:
    """An option that contradicts what is known is refused."""
    take(context, MAY)
    says = f"The account {NUMBER} is 'assets:bank' in the books, not 'assets:savings'"

    with pytest.raises(Conflict, match=says):
        bring(context, MAY, new_account="assets:savings")
    with pytest.raises(Conflict, match=says):
        bring(context, MAY, ledgers={NUMBER: "assets:savings"})


def test_a_statement_without_an_account_needs_its_number(context: Context) -> None:
    """The number must not contradict the file."""
    with pytest.raises(InvalidInput, match=r"in line 1 names no account; say .* --account NUMBER"):
        bring(context, NAMELESS, new_account="assets:bank")
    bring(context, NAMELESS, unnamed="DE89 3704 0044 0532 0130 00", new_account="assets:bank")

    assert [one.number for one in list_accounts(context)] == [NUMBER]
    assert bring(context, NAMELESS, MAY, unnamed="532013000").added == 0
    with pytest.raises(Conflict, match=f"is of the account {SAVINGS}, not {NUMBER}"):
        bring(context, OTHER, unnamed=NUMBER)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("DE89370400440532013000", "37040044/532013000"),
        ("37040044/532013000", "DE89370400440532013000"),
        ("37040044532013000", "DE89370400440532013000"),
        ("37040044532013000", "37040044/0532013000"),
    ],
)
def test_an_account_is_one_by_iban_and_by_bank_code(
    context: Context, first: str, then: str
) -> None:
    """Also if an earlier version stored it without the mark between bank code and number."""
    june = a_statement(
        a_line(5, day=33), opening=1000, first=date(2026, 6, 1), last=date(2026, 6, 30)
    )
    take(context, MAY._replace(account=account_number(first)))

    assert bring(context, june._replace(account=account_number(then))).added == 1
    assert len(list_accounts(context)) == 1


def test_a_wrong_account_is_mended(context: Context) -> None:
    """Undone and imported again with the right account, the contradiction is refused, then set."""
    wrong = import_statements(context, [MAY], file="f", new_account="assets:savings")
    with pytest.raises(Conflict, match=f"Lines of {NUMBER} are imported; .* first: {wrong.id}"):
        set_account(context, NUMBER, "assets:bank")
    undo_import(context, wrong.id, why="the wrong account")
    with pytest.raises(Conflict, match=f"'assets:savings' in the books.*set {NUMBER} assets:bank"):
        take(context, MAY)

    assert set_account(context, NUMBER, "assets:bank") == BankAccount(NUMBER, "assets:bank")
    assert take(context, MAY).added == 1
    assert list_accounts(context) == [BankAccount(NUMBER, "assets:bank")]


def test_a_foreign_account_is_removed(context: Context) -> None:
    """After the undo of a stranger's file its account goes, and its place is free again."""
    theirs = take(context, a_statement(a_line(5), account="GB00000000001"))
    with pytest.raises(Conflict, match="are imported"):
        remove_account(context, "GB00000000001")
    undo_import(context, theirs.id, why="another organisation's file")
    remove_account(context, "0001")

    assert (list_accounts(context), waiting(context)) == ([], [])
    with pytest.raises(NotFound, match="No such bank account"):
        remove_account(context, "0001")
    assert take(context, MAY).added == 1
    set_account(context, "GB00000000001", "assets:savings")
    assert [one.ledger for one in list_accounts(context)] == ["assets:bank", "assets:savings"]


def test_an_account_is_set_before_its_first_statement(context: Context) -> None:
    """Then an import needs no option; each account of the books has one number."""
    set_account(context, "DE89 3704 0044 0532 0130 00", "assets:bank")
    assert set_account(context, "0532013000", "assets:bank").number == NUMBER

    with pytest.raises(Conflict, match=f"'assets:bank' is the account {NUMBER} already"):
        set_account(context, "GB00000000001", "assets:bank")
    assert import_statements(context, [MAY], file="f").added == 1
