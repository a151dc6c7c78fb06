"""Exported files: the format that a name decides, and programs that accept them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell
from tests.cli.ledger.ledger_samples import BANK, ITEMISED, PAYOUTS, beginning_of
from tests.cli.voting_shell import Shell
from tests.sizes import IS_FULL


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("books.beancount", "beancount"),
        ("books.BEAN", "beancount"),
        ("books.csv", "csv"),
        ("books.json", "json"),
        ("books.journal", "journal"),
        ("books.txt", "journal"),
        ("books", "journal"),
    ],
)
def test_the_suffix_decides(jara: GivingShell, name: str, form: str) -> None:
    """A file holds what its name promises; without a known suffix it is hledger's journal."""
    jara.done("ledger", "export", "--out", name)

    assert Path(name).read_bytes().decode() == jara.done("ledger", "export", "--format", form)


def test_a_name_that_contradicts_the_format_is_refused(jara: GivingShell) -> None:
    """Nothing is written, and the message names both."""
    status, _, err = jara.run("ledger", "export", "--format", "csv", "--out", "books.beancount")

    assert (status, Path("books.beancount").exists()) == (2, False)
    assert "'books.beancount' is named like beancount, but the format is csv" in err


SUM_BY_ACCOUNT = """
import json, sys
from collections import Counter
from beancount import loader
from beancount.core import data
entries, errors, _ = loader.load_file(sys.argv[1])
sums = Counter()
for entry in data.filter_txns(entries):
    for posting in entry.postings:
        sums[posting.account.lower()] += int(posting.units.number * 100)
print(json.dumps({"errors": [str(error) for error in errors], "sums": sums}))
"""

pytestmark = pytest.mark.external


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Return a terminal whose books hold all samples and a reversed entry."""
    shell = Shell(tmp_path, monkeypatch, capsys)
    if IS_FULL:
        shell.run("ledger", "import", ITEMISED, PAYOUTS)
    else:
        shell.run("ledger", "import", beginning_of(ITEMISED, shell, rows=400))
    shell.run("ledger", "import", BANK)
    charge = shell.json("ledger", "bank-charge", "0.20")
    shell.run("ledger", "reverse", charge["id"], "--why", "Not ours.")
    shell.run("ledger", "accounts", "add", "assets:bank:td", "--meaning", "A second account")
    pair = ("--debit", "assets:bank:td", "--credit", "assets:bank", "--fund", "other")
    shell.json("ledger", "post", *pair, "--amount", "4.00")
    return shell


def ours(shell: Shell) -> dict[str, int]:
    """Return Jara's own nonzero balances."""
    rows = shell.json("ledger", "balance")["balances"]
    return {row["account"]: row["cents"] for row in rows if row["cents"]}


def test_beancount_agrees(shell: Shell) -> None:
    """Beancount finds no error, and its balances equal Jara's."""
    if shutil.which("bean-check", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("Beancount is not installed")
    shell.run("ledger", "export", "--format", "beancount", "--out", "books.beancount")

    told = subprocess.run(
        [sys.executable, "-c", SUM_BY_ACCOUNT, "books.beancount"],
        capture_output=True,
        text=True,
        check=True,
    )

    document = json.loads(told.stdout)
    assert document["errors"] == []
    assert ours(shell) == {account: cents for account, cents in document["sums"].items() if cents}
