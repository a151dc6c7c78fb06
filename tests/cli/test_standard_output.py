"""What a person reads goes to standard output, so that a file which takes it has the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal with an organisation."""
    return GivingShell(tmp_path, monkeypatch, capsys)


def test_an_entry_has_its_date_and_description(shell: GivingShell) -> None:
    """They stand above the postings, in the same file."""
    opening = ("--debit", "assets:bank", "--credit", "equity:opening", "--fund", "other")
    words = ("--amount", "10", "--date", "2026-05-04", "--kind", "opening")
    posted = shell.run("ledger", "post", *opening, *words)

    entry = shell.json("ledger", "register", "assets:bank")["entries"][0]["id"]
    shown = shell.run("ledger", "show", entry)

    assert posted[1].splitlines()[0] == f"Posted {entry} on 2026-05-04."
    assert "Date: 2026-05-04\n" in shown[1]
    assert "Description: Opening" in shown[1]
    assert shown[2] == ""


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        (("policy", "show"), "All splits:\n"),
        (("operators", "policy", "show"), "Roles:\n"),
    ],
)
def test_headings_stand_above_their_tables(
    shell: GivingShell, words: tuple[str, ...], heading: str
) -> None:
    """Further tables and their headings are part of the answer."""
    code, out, err = shell.run(*words)

    assert (code, err) == (ExitCode.DONE, "")
    assert heading in out
