"""Seals: keyed hashes of stored values that neither the log nor other rows hold.

Each row of a table in `SEALED` has a seal in the table `seals`. Jara writes it with the row, in
the same transaction, under a key of the secrets folder. So whoever can write to the database
alone cannot change such a value, add a row or delete one without a trace. A seal does not show
that a row and its seal were deleted together, or that both are from an older copy.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, NamedTuple

from jara.store.sql.connection import Params, Row, Sql, numbered, plain_insert
from jara.store.sql.tables import TABLES

Seal = Callable[[str], str]
"""Returns the keyed hash of a text."""

SEALS_DUE = "seals.due"
"""Key in `meta`: `jara migrate` seals every row anew, because a step changed what is sealed."""


class Sealed(NamedTuple):
    """What is sealed of a table."""

    key: tuple[str, ...]  # the columns that identify a row
    columns: tuple[str, ...]  # the sealed columns, in their order; they include the key
    only: tuple[str, ...] = ()  # the rows that are sealed, by their key; none for all rows

    def has(self, row: Row) -> bool:
        """Return whether a row is sealed."""
        return not self.only or _name(self, row) in self.only

    @property
    def where(self) -> str:
        """The condition for the rows of the table `t` that are sealed."""
        names = ", ".join(f"'{one}'" for one in self.only)
        return f" WHERE t.{self.key[0]} IN ({names})" if self.only else ""


def _all_but(table: str, key: str, *left: str) -> Sealed:
    return Sealed(tuple(key.split()), tuple(one for one in TABLES[table] if one not in left))


def _only(key: str, columns: str) -> Sealed:
    return Sealed(tuple(key.split()), (*key.split(), *columns.split()))


SEALED = {
    "members": _all_but("members", "id", "todo"),
    "pledges": _all_but("pledges", "member_id"),
    "credentials": _all_but("credentials", "member_id"),
    "passkeys": _all_but("passkeys", "id"),
    "address_changes": _all_but("address_changes", "code_hash"),
    "member_contacts": _all_but("member_contacts", "member_id"),
    "consents": _all_but("consents", "member_id purpose at"),
    "legal_versions": _all_but("legal_versions", "text number"),
    "operators": _all_but("operators", "name"),
    "outbox": _all_but("outbox", "id", "attempts", "leased_until"),
    "field_links": _all_but("field_links", "id"),
    "field_reports": _all_but("field_reports", "id"),
    "claims": _all_but("claims", "report"),
    "claim_purposes": _all_but("claim_purposes", "name"),
    "payments": _only("entry", "dispute card_fingerprint"),
    "shared_cards": _all_but("shared_cards", "fingerprint"),
    "proposals": _only("id", "slug ends_at created_at opened_at key_destroyed_at"),
    "ballot_claims": _all_but("ballot_claims", "proposal token voter"),
    "documents": _all_but("documents", "hash"),
    "document_files": _only("document", "erased_at"),
    "entry_documents": _all_but("entry_documents", "entry document is_public"),
    "year_locks": _all_but("year_locks", "year"),
    "plans": _all_but("plans", "year version"),
    "plan_lines": _all_but("plan_lines", "year version place"),
    "bank_accounts": _all_but("bank_accounts", "number"),
    "bank_statements": _only("id", "undone_at"),
    "bank_lines": _only("id", "text party party_account own_ref"),
    "bank_matches": _only("entry line", "sender"),
    "bank_senders": _all_but("bank_senders", "id member_id"),
    "content": _all_but("content", "kind id"),
    "meta": Sealed(
        ("key",),
        ("key", "value"),
        only=(
            *("organisation.identity", "organisation.time-zone", "organisation.donate_url"),
            *("payments.mode", "payments.account", "books.payment_account", "witnesses.quorum"),
        ),
    ),
}
"""The tables with seals. A column belongs here if money, votes, sign-in or what people are told
hang on it, and nothing else notices its change."""

_STATEMENT = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM) (\w+)\b")
_SET = re.compile(r"(\w+) = ")
_PUT = (
    "INSERT INTO seals (sealed_table, sealed_row, seal) VALUES (:table, :row, :seal) "
    "ON CONFLICT (sealed_table, sealed_row) DO UPDATE SET seal = excluded.seal"
)
_ADD = "INSERT INTO seals (sealed_table, sealed_row, seal) VALUES (:table, :row, :seal)"
_DELETE = "DELETE FROM seals WHERE sealed_table = :table AND sealed_row = :row"


class SealingSql:
    """A connection that seals the rows that its statements write."""

    def __init__(self, sql: Sql, seal: Seal) -> None:
        """Wrap the connection of a transaction that writes."""
        self._sql = sql
        self._seal = seal
        self.one = sql.one
        self.all = sql.all
        self.each = sql.each
        self.plain = sql.plain
        self.savepoint: Callable[[], AbstractContextManager[None]] = sql.savepoint

    @property
    def is_open(self) -> bool:
        """Whether the transaction is still open."""
        return self._sql.is_open

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement, and seal the rows that it changed; return how many."""
        table = _sealed_table(statement)
        if table is None:
            return self._sql.run(statement, params)
        sealed = SEALED[table]
        changed = self._sql.all(f"{statement} RETURNING {', '.join(sealed.columns)}", params)
        rows = [row for row in changed if sealed.has(row)]
        if statement.startswith("DELETE"):
            gone = [{"table": table, "row": _name(sealed, row)} for row in rows]
            self._sql.run_many(_DELETE, gone)
        else:
            self._sql.run_many(_PUT, [_sealed(table, row, self._seal) for row in rows])
        return len(changed)

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        if _sealed_table(statement) is None:
            self._sql.run_many(statement, rows)
        else:
            for row in rows:
                self.run(statement, row)

    def append(self, statement: str, row: Row) -> None:
        """Buffer a row, and its seal."""
        self._sql.append(statement, row)
        table = _sealed_table(statement)
        if table is not None:
            places = _places(statement, table)
            values = tuple(None if place is None else row[place] for place in places)
            if not SEALED[table].has(values):
                return
            self._sql.append(_ADD, tuple(_sealed(table, values, self._seal).values()))


def seal_every_row(sql: Sql, seal: Seal) -> int:
    """Seal all rows as they are, in place of any seals; return how many."""
    sql.run("DELETE FROM seals")
    count = 0
    for table, sealed in SEALED.items():
        columns = ", ".join(f"t.{column}" for column in sealed.columns)
        for row in sql.each(f"SELECT {columns} FROM {table} t{sealed.where}"):
            sql.append(_ADD, tuple(_sealed(table, row, seal).values()))
            count += 1
    return count


def broken_seals(sql: Sql, seal: Seal) -> Iterator[tuple[str, str]]:
    """Yield table and key of each row without its own seal.

    The key is empty for rows that were deleted.
    """
    for table, sealed in SEALED.items():
        names = ", ".join(f"t.{column}" for column in sealed.columns)
        key = " || ' ' || ".join(f"CAST(t.{column} AS TEXT)" for column in sealed.key)
        sealed_rows = 0
        for *values, stored in sql.each(
            f"SELECT {names}, s.seal FROM {table} t LEFT JOIN seals s "
            f"ON s.sealed_table = '{table}' AND s.sealed_row = {key}{sealed.where}"
        ):
            sealed_rows += stored is not None
            if stored != seal(_text_of(table, tuple(values))):
                yield table, _name(sealed, tuple(values))
        row = sql.one("SELECT COUNT(*) FROM seals WHERE sealed_table = :table", {"table": table})
        if row is None or int(row[0]) != sealed_rows:
            yield table, ""


@lru_cache(maxsize=1024)
def _sealed_table(statement: str) -> str | None:
    """Return the table whose seals a statement changes, or None."""
    match = _STATEMENT.match(statement)
    if match is None or match[2] not in SEALED:
        return None
    columns = SEALED[match[2]].columns
    if match[1] == "UPDATE":
        changed = _SET.findall(statement.partition(" WHERE ")[0])
        return match[2] if set(changed) & set(columns) else None
    return match[2]


@lru_cache(maxsize=64)
def _places(statement: str, table: str) -> tuple[int | None, ...]:
    """Return where the parameters of an INSERT have the sealed columns; None is left empty."""
    insert = plain_insert(statement)
    names = insert[1].split(", ") if insert else list(numbered(statement, "?")[1])
    return tuple(
        names.index(column) if column in names else None for column in SEALED[table].columns
    )


def _sealed(table: str, row: Row, seal: Seal) -> dict[str, str]:
    """Return the values of a row's seal, in the order of the INSERT's parameters."""
    return {"table": table, "row": _name(SEALED[table], row), "seal": seal(_text_of(table, row))}


def _name(sealed: Sealed, row: Row) -> str:
    return " ".join(str(row[sealed.columns.index(column)]) for column in sealed.key)


def _text_of(table: str, row: Row) -> str:
    """Return what is sealed: the values by name, without empty ones.

    So a new column that may be empty changes no seal.
    """
    values = zip(SEALED[table].columns, row, strict=True)
    named = sorted((name, value) for name, value in values if value is not None)
    return json.dumps([table, *named], default=_hex, ensure_ascii=False, separators=(",", ":"))


def _hex(value: Any) -> str:  # noqa: ANN401 - what JSON has no form for: bytes
    return bytes(value).hex()
