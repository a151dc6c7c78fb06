"""Checks of large books, which an operator waits for, compared with hledger (goal L3)."""

from pathlib import Path

from tests.benchmarks.bench_books import Books
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import run
from tests.benchmarks.sizes import POSTINGS

ROUNDS = 5


def test_checks_of_the_books(tmp_path: Path) -> None:
    """The complete check, the one since it, and the doctor's."""
    books = Books(tmp_path, POSTINGS)
    peer = run(["hledger", "-f", books.exported("journal"), "check"], books.folder)
    own = books.jara("ledger", "verify")

    told = f"{own.seconds:.1f} s for {peer.seconds:.1f} s, {own.mib:.0f} MiB"
    saw("L3.verify", [peer.seconds / own.seconds], told)
    recent = {"L3.recent": ("ledger", "verify", "--since-last"), "L3.doctor": ("doctor",)}
    for goal, words in recent.items():
        took = [books.jara(*words) for _ in range(ROUNDS)]
        wall = median_of([one.seconds for one in took], "s")
        saw(goal, [one.cpu_seconds for one in took], f"{wall}, {books.postings:,} postings")
