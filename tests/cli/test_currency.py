"""``jara init --currency``: one setting, fixed by the first use of the books."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in an empty folder; return status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        status = execute(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def document(result: tuple[int, str, str]) -> Any:
    """Return the JSON of a command that must have succeeded."""
    status, out, err = result
    assert (status, err) == (0, "")
    return json.loads(out)


def test_the_currency_is_chosen_at_the_start(run: Run) -> None:
    """`init --currency cad` answers CAD, and so does `organisation show`; the default is USD."""
    made = json.loads(run("init", "--currency", "cad", "--json")[1])

    assert made["currency"] == "CAD"
    assert document(run("organisation", "show", "--json"))["currency"] == "CAD"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("JPY", "JPY is not divided into hundredths"),
        ("BHD", "BHD is not divided into hundredths"),
        ("MGA", "MGA is not divided into hundredths"),
        ("dollars", "'DOLLARS' is not a currency of ISO 4217"),
        ("", "'' is not a currency of ISO 4217"),
    ],
)
def test_a_currency_that_books_cannot_have_is_refused(run: Run, code: str, says: str) -> None:
    """The sentence says why, and nothing is created."""
    status, _, err = run("init", "--currency", code)

    assert status == ExitCode.USAGE
    assert says in err
    assert [path.name for path in Path().iterdir()] == []


def test_unused_books_get_another_currency(run: Run) -> None:
    """Until the first use `organisation set --currency` corrects it; the log keeps both."""
    run("init", "--currency", "CAD")

    assert document(run("organisation", "set", "--currency", "EUR", "--json"))["currency"] == "EUR"

    assert "€10.00" in run("split", "€10")[1]


def test_the_first_entry_fixes_the_currency(run: Run) -> None:
    """Another currency is refused afterwards, and the message says what to do instead."""
    run("init", "--currency", "CAD")
    posted = ("--debit", "assets:bank", "--credit", "equity:opening", "--fund", "other")
    assert run("ledger", "post", *posted, "--amount", "CA$12.50")[0] == ExitCode.DONE

    status, _, err = run("organisation", "set", "--currency", "USD")

    assert status == ExitCode.CONFLICT
    assert "There are entries in CAD, so the currency stays CAD" in err
    assert "jara init --currency USD" in err
    assert document(run("organisation", "show", "--json"))["currency"] == "CAD"
