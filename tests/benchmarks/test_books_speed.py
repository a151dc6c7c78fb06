"""The books against hledger and against SQLite's own limits, in one run (goals L1 to L4).

``JARA_BENCH_POSTINGS`` sets the size; 100,000 by default, 1,000,000 for the published
figures. Each line gives the ratio and the goal.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jara.store.sqlite import SqliteDatabase
from jara.store.unit_of_work import SqlStore
from tests.benchmarks.giving_history import write_csv

POSTINGS = int(os.environ.get("JARA_BENCH_POSTINGS", "100000"))
JARA = str(Path(sys.executable).with_name("jara"))
ROUNDS = 5


class Books:
    """An imported history: its folder, and what importing took."""

    def __init__(self, folder: Path, postings: int) -> None:
        """Make the organisation, import the history and export it for hledger."""
        self.folder = folder
        self.csv = folder / "history.csv"
        self.postings = write_csv(self.csv, postings)
        self.run("init")
        self.import_seconds = self.run("ledger", "import", str(self.csv), "--format", "csv")
        self.journal = folder / "history.journal"
        self.run("ledger", "export", "--format", "journal", "--out", str(self.journal))

    def run(self, *arguments: str) -> float:
        """Run jara in the folder and return the seconds it took."""
        return seconds_of([JARA, *arguments], self.folder)


def seconds_of(command: list[str], folder: Path) -> float:
    """Run a command to its end and return the seconds between."""
    begin = time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - begin


def peak_mib(command: list[str], folder: Path) -> float:
    """Run a command in a child of its own and return its largest memory, in MiB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], "
        "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(ran.stdout) / 1024


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """The full history."""
    return Books(tmp_path_factory.mktemp("books"), POSTINGS)


@pytest.fixture(scope="module")
def small_books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """A hundredth of it."""
    return Books(tmp_path_factory.mktemp("small"), max(1000, POSTINGS // 100))


def report(benchmark: Any, name: str, ratio: float, goal: str) -> None:
    """Print a ratio beside its goal and keep it with the benchmark."""
    benchmark.extra_info[name] = round(ratio, 3)
    sys.stdout.write(f"\n{name}: {ratio:.2f} (goal {goal}, {POSTINGS:,} postings)\n")


def test_balances_of_the_whole_books(books: Books, benchmark: Any) -> None:
    """`jara ledger balance` against `hledger bal`, as whole processes (L1)."""
    hledger = ["hledger", "-f", str(books.journal), "bal"]
    jara = [JARA, "ledger", "balance"]
    theirs: list[float] = []
    ours: list[float] = []

    def both() -> None:
        theirs.append(seconds_of(hledger, books.folder))
        ours.append(seconds_of(jara, books.folder))

    benchmark.pedantic(both, rounds=3)
    report(benchmark, "hledger bal / jara ledger balance", min(theirs) / min(ours), ">= 80 at 1M")
    memory = peak_mib(hledger, books.folder) / peak_mib(jara, books.folder)
    report(benchmark, "memory of hledger bal / jara", memory, ">= 30 at 1M")


def in_process(books: Books, act: Callable[[SqlStore], object]) -> float:
    """Return the least milliseconds of an act inside a warm process."""
    store = SqlStore(SqliteDatabase(books.folder / "jara.db"))
    taken = []
    for _ in range(ROUNDS * 4):
        begin = time.perf_counter()
        act(store)
        taken.append((time.perf_counter() - begin) * 1000)
    store.close()
    return min(taken)


def one_balance(store: SqlStore) -> object:
    """Read the balance of one account from the maintained totals."""
    with store.read() as work:
        return work.journal.balances(accounts=("expenses:staff",))


def test_a_balance_does_not_grow_with_the_books(
    books: Books, small_books: Books, benchmark: Any
) -> None:
    """One account at full size against a hundredth of it (L2)."""
    large = benchmark.pedantic(in_process, args=(books, one_balance), rounds=1)
    small = in_process(small_books, one_balance)

    report(benchmark, "one balance, full / hundredth", large / small, "<= 2")
    report(benchmark, "one balance, ms", large, "<= 0.1")


def test_a_full_audit(books: Books, benchmark: Any) -> None:
    """Balance of every entry and all totals recomputed, against `hledger check` (L3)."""

    def audit(store: SqlStore) -> object:
        with store.read() as work:
            return list(work.journal.unbalanced()), list(work.journal.wrong_totals())

    ours = benchmark.pedantic(in_process, args=(books, audit), rounds=1) / 1000
    theirs = seconds_of(["hledger", "-f", str(books.journal), "check"], books.folder)

    report(benchmark, "hledger check / audit", theirs / ours, ">= 25")


def test_an_import(books: Books, benchmark: Any) -> None:
    """Validated import with log, totals and trace, against hledger's parsing (L4)."""
    theirs = benchmark.pedantic(
        seconds_of, args=(["hledger", "-f", str(books.journal), "stats"], books.folder), rounds=3
    )
    theirs = seconds_of(["hledger", "-f", str(books.journal), "stats"], books.folder)

    report(benchmark, "hledger parse / jara import", theirs / books.import_seconds, ">= 1.5")
    report(benchmark, "postings a second", books.postings / books.import_seconds, "more")


def test_importing_again_posts_nothing(books: Books, benchmark: Any) -> None:
    """The same file a second time is recognised, in bounded memory."""
    again = benchmark.pedantic(
        books.run, args=("ledger", "import", str(books.csv), "--format", "csv"), rounds=1
    )
    command = [JARA, "ledger", "import", str(books.csv), "--format", "csv"]
    peak = peak_mib(command, books.folder)

    report(benchmark, "first import / second", books.import_seconds / again, ">= 1")
    report(benchmark, "memory of an import, MiB", peak, "bounded")
