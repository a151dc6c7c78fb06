"""Copies of the stored data that an attacker may get; the secrets folder is not among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from jara.services.context import Context
from jara.services.operations.backups import make_backup
from jara.store.sqlite.connection import sqlite3

Tables = dict[str, list[dict[str, Any]]]
_IN_PAGES = """
SELECT '{table}' AS table, p AS page, i.lp, i.t_xmin::text::bigint AS xmin, i.t_data AS data
FROM generate_series(0, pg_relation_size('{table}') / current_setting('block_size')::int - 1) p,
    heap_page_items(get_raw_page('{table}', p::int)) i WHERE i.t_data IS NOT NULL
"""
_RAW_PAGES = """
SELECT get_raw_page('{table}', p::int) AS data
FROM generate_series(0, pg_relation_size('{table}') / current_setting('block_size')::int - 1) p
"""


def is_on_server(place: str) -> bool:
    """Return whether an address is one of PostgreSQL."""
    return place.startswith("postgresql://")


def files_of(context: Context, place: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Return the database file, its write-ahead log, or the server's pages; and a backup."""
    if is_on_server(place):
        yield from _pages_of(place)
    else:
        yield "database", Path(place).read_bytes()
        wal = Path(f"{place}-wal")
        yield "write-ahead log", wal.read_bytes() if wal.exists() else b""
    backup = folder / "backup.db"
    backup.unlink(missing_ok=True)
    make_backup(context, backup)
    yield "backup", backup.read_bytes()


def sizes_of(place: str) -> dict[str, str]:
    """Return the sizes of the database's files."""
    if is_on_server(place):
        with psycopg.connect(place) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return {"size": str(row[0] if row else 0)}
    paths = [Path(f"{place}{end}") for end in ("", "-wal")]
    return {f"size of {one.suffix}": str(one.stat().st_size) for one in paths if one.exists()}


def tables_of(place: str, *, with_dead: bool = True) -> Tables:
    """Return every row of every table with the engine's metadata; on a server also dead rows."""
    if is_on_server(place):
        return _postgres_tables(place, with_dead=with_dead)
    with sqlite3.connect(f"file:{place}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {
            name: [
                _in_text(dict(row))
                for row in connection.execute(
                    f"SELECT * FROM {name}"  # noqa: S608 - the schema's own names
                    if "WITHOUT ROWID" in (text or "")
                    else f"SELECT rowid AS rowid_, * FROM {name}"  # noqa: S608 - the same
                )
            ]
            for name, text in found.fetchall()
        }


def _in_text(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its bytes as text: a leaf of the log as it is, other bytes in hex."""
    for name, value in row.items():
        if isinstance(value, bytes | memoryview):
            row[name] = _text_of(bytes(value))
    return row


def _text_of(data: bytes) -> str:
    return data.decode() if data.startswith(b'{"') and data.isascii() else data.hex()


def _names_on_server(connection: psycopg.Connection[dict[str, Any]]) -> list[str]:
    connection.execute("CREATE EXTENSION IF NOT EXISTS pageinspect SCHEMA public")
    return [
        str(row["name"])
        for row in connection.execute(
            "SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' "
            "AND c.relnamespace = current_schema()::regnamespace"
        )
    ]


def _pages_of(url: str) -> Iterator[tuple[str, bytes]]:
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        for name in _names_on_server(connection):
            rows = connection.execute(_RAW_PAGES.format(table=name))
            yield f"pages of {name}", b"".join(bytes(row["data"]) for row in rows)


def _postgres_tables(url: str, *, with_dead: bool) -> Tables:
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        names = _names_on_server(connection)
        live = {
            name: [
                {**_in_text(row), "ctid_": _place(row["ctid_"])}
                for row in connection.execute(
                    f"SELECT xmin::text::bigint AS xmin_, ctid::text AS ctid_, * FROM {name}"  # noqa: S608 - the same
                )
            ]
            for name in names
        }
        pages = {
            f"{name} in its pages": list(connection.execute(_IN_PAGES.format(table=name)))
            for name in (names if with_dead else ())
        }
    return {**live, **{name: _named_rows(rows) for name, rows in pages.items()}}


def _named_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the texts in the raw bytes of rows, including dead ones, with their row numbers."""
    return [
        {"page": row["page"], "lp": row["lp"], "xmin": row["xmin"], "text": text}
        for row in rows
        for text in _texts(bytes(row["data"]))
    ]


def _texts(data: bytes) -> list[str]:
    """Return the sequences of printable characters in a row's bytes."""
    runs: list[str] = []
    run = bytearray()
    for byte in [*data, 0]:
        if 32 < byte < 127:
            run.append(byte)
            continue
        if len(run) >= 8:
            text = run.decode()
            # A short text starts with its length, which may be a printable byte.
            runs += [text, text[1:]]
        run.clear()
    return runs


def _place(ctid: str) -> int:
    page, row = ctid.strip("()").split(",")
    return int(page) * 10_000 + int(row)
