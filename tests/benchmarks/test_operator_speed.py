"""What an operator waits for at a terminal: the start page, a member's payments, a statement."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.benchmarks.bank_statement import STATEMENT, write_statement
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.grown_organisation import SPARE_EMAIL, grow
from tests.benchmarks.processes import JARA, Took, run
from tests.benchmarks.sizes import GROWN_POSTINGS

ROUNDS = 7
STATEMENT_ROUNDS = 3
LINES = 10_000


def test_the_start_page_and_a_members_payments(tmp_path: Path) -> None:
    """Neither grows with the books: nearly all of it is the start of the process (O1)."""
    grow(tmp_path, GROWN_POSTINGS)

    def took(*words: str) -> Took:
        return run([JARA, *words], tmp_path)

    rounds = [
        (took(), took("payments", "list", SPARE_EMAIL), took("ledger", "balance"))
        for _ in range(ROUNDS)
    ]

    size = f"about {GROWN_POSTINGS:,} postings"
    wall = median_of([start.seconds for start, _, _ in rounds], "s", 3)
    saw("O1.start", [start.cpu_seconds for start, _, _ in rounds], f"{wall}, {size}")
    ours = median_of([payments.seconds for _, payments, _ in rounds], "s", 3)
    other = median_of([balance.seconds for _, _, balance in rounds], "s", 3)
    ratios = [payments.cpu_seconds / balance.cpu_seconds for _, payments, balance in rounds]
    saw("O1.payments", ratios, f"{ours} and {other}, {size}")


def test_a_statement_of_the_bank(tmp_path: Path) -> None:
    """Reading and matching 10,000 lines; each round begins with the same books (O1)."""
    lines = write_statement(tmp_path / "first", LINES)
    took = []
    for number in range(STATEMENT_ROUNDS):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "first", folder)
        words = ("bank", "import", STATEMENT, "--new-account", "assets:bank")
        took.append(run([JARA, *words], folder))

    wall = median_of([one.seconds for one in took], "s")
    saw("O1.bank", [one.cpu_seconds for one in took], f"{wall}, {lines:,} lines")
