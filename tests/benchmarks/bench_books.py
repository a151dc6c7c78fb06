"""The books that the benchmarks measure, in Jara and in the formats of its peers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store
from tests.benchmarks.giving_history import write_csv
from tests.benchmarks.processes import JARA, Took, run


class Books:
    """An imported history: its folder, and the time and memory of the import."""

    def __init__(self, folder: Path, postings: int) -> None:
        """Create the organisation and import the history."""
        self.folder = folder
        self.csv = folder / "history.csv"
        self.postings = write_csv(self.csv, postings)
        self.jara("init")
        self.imported = self.jara("ledger", "import", str(self.csv), "--format", "csv")

    def jara(self, *arguments: str) -> Took:
        """Run jara in the folder."""
        return run([JARA, *arguments], self.folder)

    def exported(self, form: str) -> str:
        """Return the file with all entries for hledger and ledger, or for beancount."""
        file = self.folder / f"history.{form}"
        if not file.exists():
            self.jara("ledger", "export", "--format", form, "--out", str(file))
        return str(file)

    def open(self) -> Store:
        """Open the store, for a measurement inside this process."""
        return Store(SqliteDatabase(self.folder / "jara.db"))


def milliseconds_of(act: Callable[[], object], times: int = 1) -> float:
    """Return the mean milliseconds of an act over several runs."""
    begin = perf_counter()
    for _ in range(times):
        act()
    return (perf_counter() - begin) * 1000 / times
