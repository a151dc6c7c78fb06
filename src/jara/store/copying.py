"""Copies every row of one database into another, and compares the two before the commit."""

from collections.abc import Callable, Iterable
from datetime import date

from jara.domain.errors import Unavailable
from jara.domain.progress import Progress, no_progress
from jara.domain.publiclog import merkle
from jara.domain.publiclog.merkle import Frontier
from jara.records.journal import Cut
from jara.store.repositories.journal.entries import JournalRepository
from jara.store.repositories.journal.reporting import ReportingRepository
from jara.store.repositories.log import LogRepository
from jara.store.sql.connection import Row, Sql
from jara.store.sql.tables import TABLES

__all__ = ["TABLES", "copy_rows", "is_empty"]

_ROWS_AT_ONCE = 500

_REPLACED = {
    "log_head": " ON CONFLICT (id) DO UPDATE SET size = excluded.size, peaks = excluded.peaks",
    "figures": " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
}
"""Tables with rows in a new database, and the clause that replaces these with copied rows."""
_LARGE = {"document_files": "document"}
"""Tables with large values, by their key: their rows are copied one by one."""


def copy_rows(source: Sql, target: Sql, progress: Progress = no_progress) -> None:
    """Copy every row into an empty database, and compare the two.

    Raises:
        Unavailable: the copy differs from the source.
    """
    total = sum(_number(source, f"SELECT COUNT(*) FROM {table}") for table in TABLES)
    sent = {
        table: _copy_table(source, target, table, lambda rows: progress(rows, total))
        for table in TABLES
    }
    for table, count in sent.items():
        arrived = _number(target, f"SELECT COUNT(*) FROM {table}")
        if arrived != count:
            raise Unavailable(
                f"Only {arrived} of {count} rows of {table} were copied; copy it again."
            )
    _compare_books(source, target)


def is_empty(target: Sql) -> bool:
    """Return whether all tables are empty, apart from those that a new database fills."""
    return not any(
        _number(target, f"SELECT COUNT(*) FROM (SELECT 1 FROM {table} LIMIT 1) AS first")
        for table in TABLES
        if table not in _REPLACED
    )


def _copy_table(source: Sql, target: Sql, table: str, advance: Callable[[int], None]) -> int:
    columns = TABLES[table]
    names = ", ".join(columns)
    places = ", ".join(f":{column}" for column in columns)
    insert = f"INSERT INTO {table} ({names}) VALUES ({places})"
    insert += _REPLACED.get(table, "")
    count = 0
    for row in _rows_of(source, table, names):
        if table in _LARGE:
            target.run(insert, dict(zip(columns, row, strict=True)))
        else:
            target.append(insert, row)
        count += 1
        if not count % _ROWS_AT_ONCE:
            advance(_ROWS_AT_ONCE)
    advance(count % _ROWS_AT_ONCE)
    return count


def _rows_of(source: Sql, table: str, names: str) -> Iterable[Row]:
    """Return the rows of a table.

    They are ordered by columns, so that the copy does not reveal in which order they were
    written, and an entry follows the one that it refers to.
    """
    if table not in _LARGE:
        return source.each(f"SELECT {names} FROM {table} ORDER BY {names}")
    one = f"SELECT {names} FROM {table} WHERE {_LARGE[table]} = :key"
    keys = source.all(f"SELECT {_LARGE[table]} FROM {table} ORDER BY {_LARGE[table]}")
    return (row for (key,) in keys for row in source.all(one, {"key": key}))


def _compare_books(source: Sql, target: Sql) -> None:
    root = LogRepository(source).root()
    if not root == LogRepository(target).root() == _root_of_leaves(target):
        raise Unavailable("The public log of the copy has a different root; copy it again.")
    size = LogRepository(source).size()
    kept = JournalRepository(source).balances(by_month=True)
    arrived = JournalRepository(target).balances(by_month=True)
    summed = ReportingRepository(target).sums(Cut(date.max, size))
    if not kept == arrived == summed:
        raise Unavailable("The balances of the copy differ; see: jara ledger verify")


def _root_of_leaves(sql: Sql) -> bytes:
    frontier = Frontier(0, ())
    for leaf in LogRepository(sql).leaves():
        frontier, _ = frontier.append(merkle.leaf_hash(leaf.body))
    return frontier.root()


def _number(sql: Sql, statement: str) -> int:
    row = sql.one(statement)
    return 0 if row is None else int(row[0])
