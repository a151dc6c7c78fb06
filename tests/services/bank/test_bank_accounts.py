"""Accounts at the bank: which account of the books each is, and how a mistake is mended."""

import pytest

from jara.domain.errors import Conflict, NotFound
from jara.records.bank import BankAccount
from jara.services.bank.accounts import list_accounts, remove_account, set_account
from jara.services.bank.importing import import_statements
from jara.services.context import Context
from jara.services.operations.import_undo import undo_import
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.services.bank.bank_books import take, waiting

MAY = a_statement(a_line(1000, "GIFT ADA", day=4), opening=100)
SAVINGS = "assets:savings"


@pytest.fixture
def savings(context: Context) -> Context:
    """An organisation with a second account in the books."""
    with context.store.write() as work:
        work.book_settings.put_account(SAVINGS, kind="assets", meaning="Savings.")
    return context


def test_a_wrong_account_is_mended(savings: Context) -> None:
    """Undone and imported again with the right account, the contradiction is refused, then set."""
    wrong = import_statements(savings, [MAY], file="f", new_account=SAVINGS)
    with pytest.raises(Conflict, match=f"Lines of {NUMBER} are imported; .* first: {wrong.id}"):
        set_account(savings, NUMBER, "assets:bank")
    undo_import(savings, wrong.id, why="the wrong account")
    with pytest.raises(Conflict, match=f"'{SAVINGS}' in the books.*set {NUMBER} assets:bank"):
        take(savings, MAY)

    assert set_account(savings, NUMBER, "assets:bank") == BankAccount(NUMBER, "assets:bank")
    assert take(savings, MAY).added == 1
    assert list_accounts(savings) == [BankAccount(NUMBER, "assets:bank")]


def test_a_foreign_account_is_removed(savings: Context) -> None:
    """After the undo of a stranger's file its account goes, and its place is free again."""
    theirs = take(savings, a_statement(a_line(5), account="GB00000000001"))
    with pytest.raises(Conflict, match="are imported"):
        remove_account(savings, "GB00000000001")
    undo_import(savings, theirs.id, why="another organisation's file")
    remove_account(savings, "0001")

    assert (list_accounts(savings), waiting(savings)) == ([], [])
    with pytest.raises(NotFound, match="No such bank account"):
        remove_account(savings, "0001")
    assert take(savings, MAY).added == 1
    set_account(savings, "GB00000000001", SAVINGS)
    assert [one.ledger for one in list_accounts(savings)] == ["assets:bank", SAVINGS]


def test_an_account_is_set_before_its_first_statement(savings: Context) -> None:
    """Then an import needs no option; each account of the books has one number."""
    set_account(savings, "DE89 3704 0044 0532 0130 00", "assets:bank")
    assert set_account(savings, "0532013000", "assets:bank").number == NUMBER

    with pytest.raises(Conflict, match=f"'assets:bank' is the account {NUMBER} already"):
        set_account(savings, "GB00000000001", "assets:bank")
    assert import_statements(savings, [MAY], file="f").added == 1
