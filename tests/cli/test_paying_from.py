"""Money leaves the account that a command names, else the organisation's; below zero warns."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.services.giving.giving_year import make_year

TD = "assets:bank:td"
Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command with ``--json`` on a small organisation's books.

    They have a bank account that is empty, beside the one with all the money.
    """
    make_year(tmp_path / "org", database=tmp_path / "jara.db").store.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JARA_SECRETS_DIR", str(tmp_path / "org" / "secrets"))

    def run_command(*words: str) -> tuple[int, Any, str]:
        status = execute([*words, "--json"])
        captured = capsys.readouterr()
        return status, json.loads(captured.out) if captured.out else None, captured.err

    run_command("ledger", "accounts", "add", TD, "--meaning", "The bank")
    return run_command


def _paid_from(run: Run, entry: str) -> set[str]:
    _, document, _ = run("ledger", "show", entry)
    return {row["account"] for row in document["postings"] if row["cents"] < 0}


def _balance(run: Run, account: str) -> int:
    _, document, _ = run("ledger", "balance", account)
    return int(sum(row["cents"] for row in document["balances"] if row["account"] == account))


PAY = ("projects", "pay", "village-wells", "5", "--yes")
VERBS = (
    PAY,
    (*PAY, "--milestone", "drill", "--bank-charge", "1"),
    ("ledger", "bank-charge", "1.50"),
)


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_payment_leaves_the_account_that_is_named(run: Run, words: tuple[str, ...]) -> None:
    """Without a name it leaves assets:bank; then the chosen default; --from overrides both."""
    _, before, warned = run(*words)
    assert (_paid_from(run, before["id"]), warned) == ({"assets:bank"}, "")

    status, document, _ = run("organisation", "set", "--payment-account", TD)
    assert (status, document["paymentAccount"]) == (ExitCode.DONE, TD)
    assert run("organisation", "show")[1]["paymentAccount"] == TD
    _, by_default, warned = run(*words)
    assert _paid_from(run, by_default["id"]) == {TD}
    assert warned.startswith(f"warning: '{TD}' has -$")
    assert "jara organisation set --payment-account" in warned

    _, named, warned = run(*words, "--from", "assets:bank")
    assert (_paid_from(run, named["id"]), warned) == ({"assets:bank"}, "")


def test_the_same_account_again_is_no_act(run: Run) -> None:
    """The audit log has one change."""
    for _ in range(2):
        assert run("organisation", "set", "--payment-account", TD)[0] == ExitCode.DONE

    acts = [row["action"] for row in run("operators", "log")[1]]
    assert acts.count("organisation.set") == 1


@pytest.mark.parametrize(
    ("account", "status", "message"),
    [
        ("assets:cash", ExitCode.USAGE, "The chart of accounts has no 'assets:cash'"),
        ("assets:stripe", ExitCode.USAGE, "is the payment provider's"),
        ("expenses:staff", ExitCode.USAGE, "holds no money"),
    ],
)
def test_only_an_account_of_our_money_pays(
    run: Run, account: str, status: int, message: str
) -> None:
    """The account is in the chart, holds money, and is not at the payment provider."""
    for words in (
        ("organisation", "set", "--payment-account", account),
        (*PAY, "--from", account),
        ("ledger", "bank-charge", "1", "--from", account),
    ):
        told, document, err = run(*words)
        assert (told, document) == (status, None)
        assert message in err


def test_every_entry_that_overdraws_an_account_warns(run: Run) -> None:
    """Salaries and other entries warn for the account that they take below zero, and no other."""
    staff = ("--debit", "expenses:staff", "--fund", "staff", "--amount", "2", "--why", "Pay")
    status, posted, err = run("ledger", "post", *staff, "--credit", TD)
    assert status == ExitCode.DONE
    assert f"warning: '{TD}' has -$2.00 now." in err
    assert f"reverse {posted['id']}" in err
    assert run("ledger", "post", *staff, "--credit", "assets:bank")[2] == ""
    moved = ("--debit", TD, "--credit", "assets:bank", "--fund", "staff", "--amount", "1")
    assert run("ledger", "post", *moved)[2] == ""


def test_money_comes_back_to_the_account_that_paid(run: Run) -> None:
    """A return is booked where the payment left, whatever the default is by then."""
    _, paid, _ = run(*PAY, "--from", TD)
    assert _balance(run, TD) == -500

    status, _, _ = run("ledger", "return", paid["id"], "2")
    assert (status, _balance(run, TD)) == (ExitCode.DONE, -300)


def test_a_waiting_payment_keeps_its_account(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account that was chosen when it was asked for is shown, and pays when it is approved."""
    monkeypatch.setenv("JARA_OPERATOR", "ada")
    for name in ("ada", "bob"):
        assert run("operators", "add", name)[0] == ExitCode.DONE
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "300")
    run("organisation", "set", "--payment-account", TD)
    (status, waiting, _), (_, another, _) = run(*PAY), run(*PAY)
    assert status == ExitCode.WAITING
    run("organisation", "set", "--payment-account", "assets:bank")
    monkeypatch.setenv("JARA_OPERATOR", "bob")

    _, shown, _ = run("approvals", "show", waiting["approval"])
    assert [row["account"] for row in shown["postings"] if row["cents"] < 0] == [TD]
    both = (waiting["approval"], another["approval"])
    status, _, warned = run("approvals", "approve", *both, "--yes")
    assert (status, _balance(run, TD)) == (ExitCode.DONE, -1000)
    assert warned.count(f"warning: '{TD}' has -$") == 2
