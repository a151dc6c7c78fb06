"""``jara payments ways``, ``promise`` and ``receive``, run as a user types them."""

import json
from pathlib import Path

import pytest

from jara.domain.control.ways_in import WAYS_ACTION
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock

ADA = "ada@example.org"


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal with a member who confirmed the address and has no pledge."""
    stop_clock(monkeypatch)
    return with_member(tmp_path, monkeypatch, capsys)


def with_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """Return the shell of the fixture, with the clock as it is."""
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    person = ("--firstname", "Ada", "--lastname", "Mensah", "--country", "Ghana")
    shell.done(
        "members", "add", *person, "--email", ADA, "--password-stdin", typed="correct horse\n"
    )
    shell.confirm(ADA)
    return shell


def test_with_a_limit_cash_waits_for_another_operator(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`receive` books the payment and exits with 6; its vote comes with the approval."""
    shell.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    reference = shell.json("payments", "promise", ADA, "10", "--way", "transfer")["reference"]
    for name in ("tester", "kofi"):
        shell.done("operators", "add", name)
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "5000")
    ways = ("payments", "ways", "set", "transfer", "--account", "assets:bank", "--details", "X")
    assert shell.run(*ways)[0] == ExitCode.WAITING
    assert shell.json("payments", "ways", "list")[0]["details"] == ""
    status, out, _ = shell.run("payments", "receive", reference, "10", "--json")
    booked = json.loads(out)
    assert (status, booked["cents"]) == (ExitCode.WAITING, 1000)
    assert shell.json("members", "show", ADA)["mayVote"] is False
    status, _, err = shell.run("payments", "receive", reference, "10", "--yes")
    assert "jara approvals approve appr_" in err

    monkeypatch.setenv("JARA_OPERATOR", "kofi")
    shown = shell.done("approvals", "show", booked["approval"])
    assert f"$10.00  2026-11-20, Ada Mensah <{ADA}>: bank transfer" in shown
    # The order is by time: acts of one second are in any order.
    waiting = shell.json("approvals", "list")
    [ways_waiting] = [one for one in waiting if one["action"] == WAYS_ACTION]
    details = shell.done("approvals", "show", ways_waiting["id"])
    assert "Value       details X, ledger assets:bank, takes euro no, way transfer" in details
    shell.done("approvals", "approve", booked["approval"], "--yes")
    assert shell.json("members", "show", ADA)["mayVote"] is True


def test_cash_is_received_and_given_back(shell: GivingShell) -> None:
    """Cash is found by reference or address, and each receipt is accepted once."""
    shell.done("ledger", "accounts", "add", "assets:cash", "--meaning", "Cash")
    shell.done("payments", "ways", "set", "cash", "--account", "assets:cash", "--details", "Here")
    assert shell.json("payments", "ways", "list") == [
        {"way": "cash", "account": "assets:cash", "details": "Here"}
    ]
    reference = shell.json("payments", "promise", ADA, "10", "--way", "cash")["reference"]
    misread = reference.replace(reference[-1], "2" if reference[-1] != "2" else "3")
    status, _, err = shell.run("payments", "receive", misread, "10")
    assert (status, "; a character may be wrong." in err) == (ExitCode.NOT_FOUND, True)
    paid = shell.json("payments", "receive", reference, "10", "--id", "118", "--date", "yesterday")
    assert (paid["date"], paid["way"]) == ("2026-11-19", "cash")
    assert shell.run("payments", "receive", reference, "10", "--id", "118")[0] == ExitCode.CONFLICT
    words = ("payments", "refund", paid["id"], "--why", "agreed", "--yes")
    status, out, err = shell.run(*words, "--amount", "4", "--from", "assets:bank", "--json")
    entry = shell.json("ledger", "show", json.loads(out)["id"])
    assert (status, "warning: 'assets:bank' has -$4.00 now" in err) == (ExitCode.DONE, True)
    assert {row["account"] for row in entry["postings"] if row["cents"] < 0} == {"assets:bank"}
    status, _, err = shell.run(*words)
    assert (status, err) == (ExitCode.DONE, "")

    assert shell.json("members", "show", ADA)["mayVote"] is False
    assert shell.json("payments", "ways", "remove", "cash") == {"removed": "cash"}


def test_late_pledges_are_listed_with_their_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The start page names the command for late payers; payments by card are never late."""
    clock = stop_clock(monkeypatch)
    now, clock.at = clock.at, clock.at.replace(month=10, day=12)
    shell = with_member(tmp_path, monkeypatch, capsys)
    shell.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    assert "Paid by" not in shell.done("members", "show", ADA)
    reference = shell.json("payments", "promise", ADA, "10")["reference"]
    shell.done("payments", "receive", reference, "10")
    clock.at = now
    shell.done("run", "daily")

    assert "1 late transfer " in shell.done()
    listed = shell.done("pledges", "list", "--state", "past_due", "--way", "transfer")
    assert f"2026-11-12  transfer  {reference}" in listed
    assert shell.json("pledges", "list", "--state", "past_due", "--way", "card") == []
    assert reference in shell.done("members", "show", ADA)


def test_a_year_of_statements_is_written(shell: GivingShell) -> None:
    """Sample statements are written in each format; those in US dollars can be imported."""
    shell.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    files = shell.json("samples", "bank", "s", "--year", "2025", "--payers", "1")
    assert len(files) == 9
    words = ("bank", "import", "--new-account", "assets:bank")
    read = [shell.json(*words, row["file"])["added"] for row in files[:6]]

    assert read == [26, 0, 0, 0, 0, 0]
    assert [row["file"] for row in files[4:6]] == ["s/bank.csv", "s/bank-overlap.csv"]
    for row in files[6:]:
        assert "the amount is in EUR, not USD." in shell.run(*words, row["file"])[2]
    assert shell.run("samples", "bank", "s", "--payers", "9")[0] == ExitCode.USAGE
    status, _, err = shell.run("samples", "bank", "s", "--year", "this-year")
    assert (status, "is not over yet" in err) == (ExitCode.USAGE, True)


def test_transfers_name_an_account(shell: GivingShell) -> None:
    """A way of transfer shows the holder, and whether payers get a QR code for euros."""
    words = ("payments", "ways", "set", "transfer", "--account", "assets:bank")
    iban = "DE89 3704 0044 0532 0130 00"
    (made,) = shell.json(*words, "--iban", iban, "--holder", "Jara e.V.", "--euro")

    assert {"iban": iban, "holder": "Jara e.V.", "euro": True}.items() <= made.items()
    assert iban in shell.done("payments", "ways", "list")
    status, _, err = shell.run(*words, "--iban", "DE89 1111", "--euro")
    assert (status, "'DE89 1111' is not an IBAN" in err) == (ExitCode.USAGE, True)
