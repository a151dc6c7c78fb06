"""``jara audit``: what is missing, filters, the sample, signing off; and cash that people see."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock


@pytest.fixture
def shell(stopped_clock: FakeClock, jara: GivingShell) -> GivingShell:
    """A terminal with books that have $500, and two spends: one has its invoice."""
    assert stopped_clock.now().year == 2026
    start = ("--posting", "assets:bank other 500", "--posting", "equity:opening other -500")
    jara.done("ledger", "post", *start, "--kind", "opening", "--why", "Start")
    return jara


def spend(shell: GivingShell, dollars: str, why: str, *more: str) -> str:
    """Post a spend and return its id."""
    words = ("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other")
    posted = shell.json("ledger", "post", *words, "--amount", dollars, "--why", why, *more)
    return str(posted["id"])


def test_an_approval_that_nobody_decided_is_missing(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named until another operator decides."""
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "1000")
    words = ("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other")
    waiting = shell.waits("ledger", "post", *words, "--amount", "20", "--why", "Rent")

    named = json.loads(shell.run("audit", "missing", "--json")[1])
    monkeypatch.setenv("JARA_OPERATOR", "ben")
    shell.done("approvals", "refuse", waiting["id"], "--why", "Paid already")

    assert [(one["what"], one["subject"]) for one in named] == [("decision", waiting["id"])]
    assert shell.json("audit", "missing") == []


def test_entries_are_filtered(shell: GivingShell) -> None:
    """Alone, late, by hand and over a sum hold together."""
    late = spend(shell, "80", "Rent", "--date", "2026-11-13")
    spend(shell, "7", "Stamps")

    found = shell.json("audit", "entries", "--alone", "--late", "--by-hand", "--over", "50")

    (one,) = found
    assert (one["entry"], one["askedBy"], one["daysLate"], one["byHand"]) == (
        *(late, "tester", 7, "posted"),
    )
    assert len(shell.json("audit", "entries")) == 3


def test_the_sample_of_a_closed_year_is_the_same_for_everybody(
    shell: GivingShell, stopped_clock: FakeClock
) -> None:
    """It needs the close and a checkpoint after it; errors are projected, and fail if too large."""
    large, small = spend(shell, "200", "Rent"), spend(shell, "40", "Printer")
    stopped_clock.set(datetime(2027, 1, 5, 12, tzinfo=UTC))
    words = ("audit", "sample", "--year", "2026", "--materiality", "300")
    assert shell.run(*words)[0] == ExitCode.CONFLICT
    shell.done("ledger", "close-year", "2026", "--yes")
    assert "no checkpoint" in shell.run(*words)[2]
    shell.done("proofs", "checkpoint")

    drawn = shell.json(*words)
    spend(shell, "30", "Later", "--date", "2027-01-04")
    shell.done("proofs", "checkpoint")

    assert shell.json(*words) == drawn
    assert (drawn["populationCents"], drawn["entries"]) == (24_000, 2)
    assert drawn["intervalCents"] == 10_000
    assert large in {one["id"] for one in drawn["items"]}
    assert drawn["isCosigned"] is False
    Path("found.csv").write_text(f"Entry,Audited\n{large},150.00\n")
    status, out, _ = shell.run(*words, "--errors", "found.csv")
    assert status == ExitCode.NO
    assert "Projected $50.00, at most $350.00 at a risk of 5 %." in out
    Path("found.csv").write_text("Entry,Audited\nnosuch,150.00\n")
    assert "not in the sample" in shell.run(*words, "--errors", "found.csv")[2]
    assert small


def test_notes_and_an_opinion_are_in_the_bundle(
    shell: GivingShell, stopped_clock: FakeClock, tmp_path: Path
) -> None:
    """A year that was opened again after the opinion shows both."""
    entry = spend(shell, "80", "Rent")
    stopped_clock.set(datetime(2027, 1, 5, 12, tzinfo=UTC))
    shell.done("audit", "note", entry, "No second quote.")
    assert shell.run("audit", "close", "--opinion", "adverse")[0] == ExitCode.CONFLICT
    shell.done("ledger", "close-year", "2026", "--yes")
    shell.done("audit", "close", "--opinion", "unqualified", "--text", "Fair.")
    shell.done("ledger", "open-year", "2026", "--why", "A bill came late")
    shell.done("audit", "bundle", "--year", "2026", "--out", str(tmp_path / "a.zip"))

    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        years = archive.read("years.html").decode()
        log = archive.read("audit-log.html").decode()
    assert "No second quote." in years
    assert "unqualified" in years
    assert "Closed years</h2>\n<p>None." in years
    assert log


def test_a_count_of_cash_is_recorded_with_its_difference(shell: GivingShell) -> None:
    """The books stay; a difference is exit code 1."""
    status, out, _ = shell.run("ledger", "count", "assets:bank", "490", "--coins", "49 x 10")

    assert status == ExitCode.NO
    assert "-$10.00" in out
    assert shell.run("ledger", "count", "assets:bank", "500")[0] == ExitCode.DONE
    assert shell.run("ledger", "count", "income:gifts", "1")[0] != ExitCode.DONE
    assert shell.json("ledger", "balance", "assets:bank")["totalCents"] == 50_000


def test_receipts_of_the_book_have_numbers_without_gaps(shell: GivingShell) -> None:
    """Each payment with --receipt-book gets the next number; others get none."""
    shell.done("ledger", "accounts", "add", "assets:cash", "--meaning", "The box")
    shell.done("payments", "ways", "set", "cash", "--account", "assets:cash")

    numbers = [
        shell.json("payments", "receive", "50", "--from", name, "--way", "cash", *book).get(
            "receiptNumber"
        )
        for name, book in (
            ("Efua Owusu", ["--receipt-book"]),
            ("Kofi Addo", []),
            ("Ama Mensah", ["--receipt-book"]),
        )
    ]

    assert numbers == [1, None, 2]
