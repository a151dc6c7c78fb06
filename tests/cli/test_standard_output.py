"""What a person reads goes to standard output, so that a file which takes it has the whole."""

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell


def test_an_entry_has_its_date_and_description(jara: GivingShell) -> None:
    """They stand above the postings, in the same file."""
    opening = ("--debit", "assets:bank", "--credit", "equity:opening", "--fund", "other")
    words = ("--amount", "10", "--date", "2026-05-04", "--kind", "opening")
    posted = jara.run("ledger", "post", *opening, *words)

    entry = jara.json("ledger", "register", "assets:bank")["entries"][0]["id"]
    shown = jara.run("ledger", "show", entry)

    assert posted[1].splitlines()[0] == f"Posted {entry} on 2026-05-04."
    assert "Date: 2026-05-04\n" in shown[1]
    assert "Description: Opening" in shown[1]
    assert shown[2] == ""


@pytest.mark.parametrize(
    ("words", "heading"),
    [(("policy", "show"), "All splits:\n"), (("operators", "policy", "show"), "Roles:\n")],
)
def test_headings_are_above_their_tables(
    jara: GivingShell, words: tuple[str, ...], heading: str
) -> None:
    """Further tables and their headings are part of the answer."""
    code, out, err = jara.run(*words)

    assert (code, err) == (ExitCode.DONE, "")
    assert heading in out
