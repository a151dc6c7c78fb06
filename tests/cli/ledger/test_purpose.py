"""Money promised to projects leaves by a voted payout, or by a transfer with its reason."""

import json

import pytest

from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell

OPENING = (
    *("ledger", "post", "--kind", "opening"),
    *("--posting", "assets:bank projects 100", "--posting", "equity:opening projects -100"),
    *("--posting", "assets:bank staff 50", "--posting", "equity:opening staff -50"),
)
HEADER = "entry,date,description,account,fund,amount,reference\n"


def rows_of(account: str) -> str:
    """Return a ledger file with a payment of $10 out of `projects`."""
    pair = ((account, "10.00"), ("assets:bank", "-10.00"))
    return HEADER + "".join(f"a,2026-11-02,,{one},projects,{sum_},\n" for one, sum_ in pair)


@pytest.fixture
def opened(shell: Shell) -> Shell:
    """Return a terminal whose bank holds money of projects and of staff."""
    shell.json(*OPENING)
    shell.json("ledger", "accounts", "add", "expenses:staff:pension", "--meaning", "Pensions")
    shell.json("ledger", "accounts", "add", "equity:other", "--meaning", "Other")
    return shell


@pytest.mark.parametrize(
    ("account", "fund"),
    [
        ("expenses:staff", "staff"),
        ("expenses:staff:pension", "staff"),
        ("expenses:marketing", "marketing"),
        ("expenses:operations", "other"),
        ("expenses:fees:bank", "other"),
        ("equity:other", "other"),
    ],
)
def test_another_purpose_is_refused_by_every_way_in(opened: Shell, account: str, fund: str) -> None:
    """Posting, importing and booking a bank line refuse it, and name the fund and the transfer."""
    pair = ("--debit", account, "--credit", "assets:bank", "--fund", "projects")
    status, out, err = opened.run("ledger", "post", *pair, "--amount", "10")
    assert (status, out) == (ExitCode.USAGE, "")
    assert f"jara ledger transfer projects {fund} 10.00 --why" in err

    opened.write("rows.csv", rows_of(account))
    status, out, _ = opened.run("ledger", "import", "rows.csv", "--json")
    told = json.loads(out)
    assert (status == ExitCode.DONE, told["posted"]) == (False, 0)
    assert "jara ledger transfer projects" in told["rejected"][0]["message"]
    assert len(opened.json("ledger", "register", "assets:bank")["entries"]) == 1


def test_a_transfer_out_of_projects_has_its_reason(opened: Shell) -> None:
    """Without a reason it is refused, also as an entry by hand; other funds need none."""
    words = ("ledger", "transfer", "projects", "staff", "10")
    status, _, err = opened.run(*words)
    assert (status, "needs its reason" in err) == (ExitCode.USAGE, True)
    postings = [
        "assets:bank projects -10", "equity:transfers projects 10",
        "assets:bank staff 10", "equity:transfers staff -10",
    ]  # fmt: skip
    by_hand = [word for one in postings for word in ("--posting", one)]
    status, _, err = opened.run("ledger", "post", *by_hand)
    assert (status, "needs its reason" in err) == (ExitCode.USAGE, True)

    reason = ("--description", "The board decided it")
    assert opened.run(*words, *reason)[0] == ExitCode.DONE
    assert opened.run("ledger", "post", *by_hand, *reason)[0] == ExitCode.DONE
    assert opened.run("ledger", "transfer", "staff", "other", "5")[0] == ExitCode.DONE
    pair = ("--debit", "expenses:staff", "--credit", "assets:bank", "--fund", "staff")
    assert opened.run("ledger", "post", *pair, "--amount", "60", *reason)[0] == ExitCode.DONE


def test_money_that_a_vote_promised_needs_no_reason(opened: Shell) -> None:
    """A file of former books commits money of `projects`; the vote is the reason."""
    rows = (
        ("equity:transfers", "projects", "10.00"), ("assets:bank", "projects", "-10.00"),
        ("assets:bank", "committed", "10.00"), ("equity:transfers", "committed", "-10.00"),
    )  # fmt: skip
    opened.write("rows.csv", HEADER + "".join(
        f"a,2026-11-02,,{account},{fund},{cents},prop_1\n" for account, fund, cents in rows
    ))  # fmt: skip

    assert opened.json("ledger", "import", "rows.csv")["posted"] == 1
