"""``jara ledger import`` of Stripe reports: combined, each item once, nothing guessed."""

import json
from pathlib import Path

from jara_cli.exits import ExitCode
from tests.cli.ledger.ledger_samples import ITEMISED, PAYOUTS, SAMPLES, beginning_of
from tests.cli.voting_shell import Shell


def test_a_balance_history_needs_pledges_or_gifts(shell: Shell) -> None:
    """The balance history needs an option that says whether payments are pledges or gifts."""
    name = beginning_of(str(SAMPLES / "balance_history.csv"), shell, rows=120)

    status, out, err = shell.run("ledger", "import", name, "--json")
    assert (status, json.loads(out)["posted"]) == (ExitCode.USAGE, 0)
    assert "--as pledges" in err
    assert "error: " in err
    assert shell.json("ledger", "import", name, "--as", "pledges")["posted"] == 120


def test_a_bad_line_is_named_in_its_own_file(shell: Shell) -> None:
    """When several files are imported together, errors use the line numbers of each file."""
    lines = Path(PAYOUTS).read_text("utf-8").splitlines(keepends=True)
    lines[2] = lines[2].replace(",0.00,", ",0.0x,", 1)
    broken = "".join(lines)
    (shell.folder / "payouts.csv").write_text(broken, "utf-8")

    charges = beginning_of(ITEMISED, shell)
    status, out, err = shell.run("ledger", "import", charges, "payouts.csv", "--json")

    [rejected] = json.loads(out)["rejected"]
    assert status == ExitCode.USAGE
    assert (rejected["file"], rejected["line"]) == ("payouts.csv", 3)
    assert "error: payouts.csv, line 3: " in err
    assert "holds no payouts" not in err


def test_a_report_without_payouts_is_named(shell: Shell) -> None:
    """The itemised balance change report alone lacks payouts, and the command says so."""
    _, _, err = shell.run("ledger", "import", beginning_of(ITEMISED, shell))

    assert "holds no payouts" in err


def test_refunds_that_came_before_their_payment_are_named(shell: Shell) -> None:
    """Importing February before January names the early refunds; afterwards all is booked."""
    charges = beginning_of(ITEMISED, shell, rows=600)
    head, *lines = (shell.folder / charges).read_text("utf-8").splitlines(keepends=True)
    refunds = [line for line in lines if ",refund," in line]
    (shell.folder / "refunds.csv").write_text(head + "".join(refunds), "utf-8")

    status, _, err = shell.run("ledger", "import", "refunds.csv")
    waiting = shell.run("ledger", "verify", "--json")
    listed = shell.json("ledger", "waiting")
    booked = json.loads(shell.run("ledger", "import", charges, "--json")[1])

    assert status == ExitCode.DONE
    assert f"wait for what they undo: {len(refunds)} (refund re_" in err
    assert len(listed) == len(refunds)
    assert all(row["why"].startswith("waits for the payment ") for row in listed)
    assert waiting[0] == ExitCode.NO
    assert len(refunds) == len(json.loads(waiting[1])["findings"])
    assert booked["waiting"] == []
    assert shell.json("ledger", "verify")["ok"]
