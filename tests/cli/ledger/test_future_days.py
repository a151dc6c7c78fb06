"""Tests of future dates: most often the year is a typing error."""

from datetime import timedelta

import pytest

from jara.bootstrap import SystemClock
from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell
from tests.services.books.ledger_builders import all_entries

RENT = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other", "--amount", "12")
SAID = "is more than 7 days ahead"


def ahead(days: int) -> str:
    """Return the date some days after today on the machine's clock."""
    return (SystemClock().now().date() + timedelta(days=days)).isoformat()


@pytest.mark.parametrize(("days", "status"), [(7, ExitCode.DONE), (8, ExitCode.USAGE)])
def test_an_entry_is_dated_at_most_a_week_ahead(shell: Shell, days: int, status: int) -> None:
    """A date more than a week ahead needs `--future`."""
    words = ("ledger", "post", *RENT, "--description", "Grant", "--date", ahead(days))

    found, _, err = shell.run(*words)

    assert status == found, err
    assert (SAID in err) == (status != ExitCode.DONE)
    assert shell.run(*words, "--future")[0] == ExitCode.DONE


def test_other_entries_are_dated_near_too(shell: Shell) -> None:
    """Corrections, transfers and bank charges cannot be dated far ahead either."""
    day = ahead(30)
    made = shell.json("ledger", "post", *RENT, "--description", "Grant")["id"]

    for words in (
        ("reverse", made, "--why", "Twice"),
        ("transfer", "other", "staff", "5"),
        ("bank-charge", "5"),
    ):
        status, _, err = shell.run("ledger", *words, "--date", day)
        assert (status, SAID in err) == (ExitCode.USAGE, True), err

    assert len(all_entries(shell.context())) == 1
