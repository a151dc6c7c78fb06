"""The samples as files to import, and an expense to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.voting_shell import Shell

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
ITEMISED = str(SAMPLES / "balance_change_itemized.csv")
PAYOUTS = str(SAMPLES / "payouts_itemized.csv")
BANK = str(SAMPLES / "bank.csv")


def post_rent(shell: Shell, amount: str = "12.50") -> Any:
    """Post an expense and return its document."""
    words = ["--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other"]
    words += ["--amount", amount, "--description", "Rent", "--date", "2026-11-19"]
    return shell.json("ledger", "post", *words)
