"""Importing books, compared with a parser and with storing bare rows (goal L4)."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.benchmarks.bench_books import Books
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import JARA, Took, run
from tests.benchmarks.sizes import IMPORTED, POSTINGS

ROUNDS = 5

_INSERT_ALL = """
import csv, sys
from sqlite_utils import Database
table = Database(sys.argv[2])["postings"]
types = {name: str for name in ("entry", "date", "description", "account", "fund", "reference")}
table.create({**types, "amount": float})
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    table.insert_all(csv.DictReader(file), batch_size=1000)
"""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Books of the size imported in each round."""
    return Books(tmp_path_factory.mktemp("import"), IMPORTED)


def test_an_import(books: Books, tmp_path: Path) -> None:
    """Jara validates and updates log, totals and trace; the peers only parse, or only store."""
    journal = books.exported("journal")
    rounds = [
        (
            import_anew(books.csv, tmp_path / f"jara-{number}"),
            run(["hledger", "-f", journal, "stats"], tmp_path),
            store_rows(books.csv, tmp_path / f"rows-{number}.db"),
        )
        for number in range(ROUNDS)
    ]

    rate = median_of([books.postings / own.seconds for own, _, _ in rounds], "postings/s", 0)
    parse = median_of([books.postings / peer.seconds for _, peer, _ in rounds], "postings/s", 0)
    bare = median_of([books.postings / peer.seconds for _, _, peer in rounds], "postings/s", 0)
    size = f"{books.postings:,} postings"
    parsed = [peer.seconds / own.seconds for own, peer, _ in rounds]
    saw("L4.hledger", parsed, f"{rate} for {parse}, {size}")
    stored = [peer.seconds / own.seconds for own, _, peer in rounds]
    saw("L4.insert_all", stored, f"{rate} for {bare}, {size}")


def test_a_large_import(tmp_path: Path) -> None:
    """A large import: start-up matters little, and memory does not grow (L4)."""
    half, large = (books_of(tmp_path / str(size), size) for size in (POSTINGS // 2, POSTINGS))
    parse = run(["hledger", "-f", large.exported("journal"), "stats"], tmp_path)

    own = large.imported
    detail = f"{own.seconds:.1f} s for {parse.seconds:.1f} s, {large.postings:,} postings"
    saw("L4.large", [parse.seconds / own.seconds], detail)
    peaks = f"{own.mib:.0f} MiB and {half.imported.mib:.0f} MiB"
    sizes = f"{large.postings:,} and {half.postings:,} postings"
    saw("L4.memory", [own.mib / half.imported.mib], f"{peaks}, {sizes}")


def books_of(folder: Path, postings: int) -> Books:
    """Import a history of some size into a new folder."""
    folder.mkdir()
    return Books(folder, postings)


def import_anew(file: Path, folder: Path) -> Took:
    """Import books into a new organisation."""
    folder.mkdir()
    run([JARA, "init"], folder)
    took = run([JARA, "ledger", "import", str(file), "--format", "csv"], folder)
    shutil.rmtree(folder)
    return took


def store_rows(file: Path, database: Path) -> Took:
    """Store the rows of the same file and nothing else."""
    return run([sys.executable, "-c", _INSERT_ALL, str(file), str(database)], file.parent)
