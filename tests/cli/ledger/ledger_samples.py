"""The samples as files to import, and an expense to start with."""

from pathlib import Path
from typing import Any

from tests.cli.voting_shell import Shell

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
ITEMISED = str(SAMPLES / "balance_change_itemized.csv")
PAYOUTS = str(SAMPLES / "payouts_itemized.csv")
BANK = str(SAMPLES / "bank.csv")
RENT = (
    *("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other"),
    *("--why", "Rent"),
)


def beginning_of(path: str, shell: Shell, rows: int = 120) -> str:
    """Return a file with the first rows of a sample, that is its first months."""
    lines = Path(path).read_text("utf-8").splitlines(keepends=True)
    return shell.write(Path(path).name, "".join(lines[: rows + 1]))


def post_rent(shell: Shell, amount: str = "12.50") -> Any:
    """Post an expense and return its document."""
    return shell.json("ledger", "post", *RENT, "--amount", amount, "--date", "2026-11-19")
