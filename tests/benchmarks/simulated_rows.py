"""Writes the rows of many members: copies of rows that the services wrote, with new keys.

So each row has the length and form of a real one. Hashes and nodes of the log, totals, and the
sums of the trace are computed too, and ballots are sealed one by one. Constraints and triggers
are off meanwhile, so nobody else may use the database.
"""

# ruff: noqa: S608 - these statements contain only our own expressions

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

import psycopg

from jara.store.copying import TABLES
from tests.benchmarks.full_box import claim_tokens, seal_vote
from tests.benchmarks.simulated_values import (
    ADDRESS,
    AMA,
    AMAS_KEY,
    BESIDE,
    ENTRY_LEAF,
    KEY,
    MEMBER,
    PAYMENTS,
    PEOPLE,
)

_CHUNK = 200_000
Source = Callable[[int, int], str]
"""A query of the numbers from the first to the last."""

_ENDS_OF_POOLS = {
    "trace_lot": "UPDATE model SET (seq, total) = "
    "(SELECT MAX(l.seq), MAX(l.total) FROM trace_lot l WHERE l.pool = model.pool)",
    "trace_use": "UPDATE model SET (start, stop) = (SELECT MAX(u.stop), "
    "MAX(u.stop) + model.stop - model.start FROM trace_use u WHERE u.pool = model.pool)",
}


def _numbers(low: int, high: int, *, skipped: int = 0) -> str:
    """Return places with their numbers, and the marks of the numbers."""
    return (
        f"SELECT n - {skipped} AS place, n, md5(CAST(n AS text)) AS m "
        f"FROM generate_series({low + skipped}, {high + skipped}) AS n OFFSET 0"
    )


@dataclass(frozen=True)
class Amount:
    """The size of a simulation.

    Args:
        members: those who joined and pledged.
        payments: one each, of the first members.
        ballots: votes on one proposal, by the last ones.
        beside: whether to write rows that no measured request reads, too.
        packed: whether to build the indexes afterwards, which is far quicker and leaves no gaps.
    """

    members: int
    payments: int
    ballots: int
    beside: bool = False
    packed: bool = False


@dataclass(frozen=True)
class Step:
    """A filled table, its new rows, and the time."""

    table: str
    rows: int
    seconds: float


class Simulation:
    """Fills the database of an organisation that has one member."""

    def __init__(self, url: str, amount: Amount, proposal: str, ballot_key: bytes) -> None:
        """Connect as the database's owner.

        Args:
            url: of the database.
            amount: how much to write.
            proposal: the id of an open proposal.
            ballot_key: its key.
        """
        self._connection = psycopg.connect(url, autocommit=True)
        self._amount = amount
        self._do("SET session_replication_role = replica; SET synchronous_commit = off")
        self._do("SET maintenance_work_mem = '512MB'; SET jit = off")
        self._entry = self._number(f"SELECT MAX(idx) FROM entries WHERE {AMAS_KEY}")
        self._size = self._number("SELECT size FROM log_head")
        self._proposal = proposal
        self._key = ballot_key

    def fill(self) -> Iterator[Step]:
        """Write everything, table by table."""
        amount = self._amount
        for table, (where, columns) in (PEOPLE | (BESIDE if amount.beside else {})).items():
            yield self._copies(table, where, columns, amount.members)
        yield self._leaves(self._entry, ENTRY_LEAF, self._size, amount.payments)
        for table, columns in PAYMENTS.items():
            where = f"{'idx' if table == 'entries' else 'entry'} = {self._entry}"
            yield self._copies(table, where, columns, amount.payments, self._from_log)
        yield from self._ballots()
        self._sums()
        yield self._nodes(self._size + amount.payments)
        self._do("ANALYZE")
        self._connection.close()

    def _ballots(self) -> Iterator[Step]:
        """Seal the ballots of the last members; of the claims, each ballot has three."""
        begin, proposal, key = perf_counter(), self._proposal, self._key
        first = self._number("SELECT COALESCE(MAX(place), 0) FROM sealed_ballots")
        claims = 0
        for low in range(1, self._amount.ballots + 1, _CHUNK):
            voters = self._connection.execute(
                f"SELECT place, n, {MEMBER}, {KEY}, {ADDRESS} FROM ("
                f"{self._voters(low, min(self._amount.ballots, low + _CHUNK - 1))}) AS s".encode()
            ).fetchall()
            box, taken = [], []
            for place, number, member, payer, address in voters:
                token, sealed = seal_vote(key, proposal, member, number)
                box.append((proposal, first + place, token, sealed))
                tokens = claim_tokens(key, proposal, payer, address, f"card-{number}")
                taken += [(proposal, one, token) for one in tokens]
            self._copy_in("sealed_ballots (proposal, place, box, sealed)", box)
            self._copy_in("ballot_claims (proposal, token, voter)", sorted(taken))
            claims += len(taken)
        yield Step("sealed_ballots", self._amount.ballots, perf_counter() - begin)
        yield Step("ballot_claims", claims, 0.0)

    def _copy_in(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} FROM STDIN".encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def _copies(
        self,
        table: str,
        where: str,
        columns: Mapping[str, str],
        rows: int,
        source: Source = _numbers,
    ) -> Step:
        """Copy the matching rows of a table several times, with other values in some columns."""
        begin = perf_counter()
        self._do(f"CREATE TEMP TABLE model AS SELECT * FROM {table} WHERE {where}")
        if table in _ENDS_OF_POOLS:
            self._do(_ENDS_OF_POOLS[table])
        names = TABLES[table]
        values = ", ".join(columns.get(name, f"t.{name}") for name in names)
        with self._indexes_after(table):
            for low in range(1, rows + 1, _CHUNK):
                numbered = source(low, min(rows, low + _CHUNK - 1))
                # In the order of the numbers, so that the rows of one entry are adjacent.
                self._do(
                    f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM ({numbered}) "
                    "AS s CROSS JOIN LATERAL (SELECT * FROM model WHERE n > 0 OFFSET 0) AS t"
                )
        made = rows * self._number("SELECT COUNT(*) FROM model")
        self._do("DROP TABLE model")
        return Step(table, made, perf_counter() - begin)

    def _leaves(
        self,
        model: int,
        fields: Mapping[str, str],
        first: int,
        rows: int,
        source: Source = _numbers,
    ) -> Step:
        """Append copies of a leaf, with other values in two fields."""
        begin = perf_counter()
        rest = self._text(f"SELECT convert_from(body, 'UTF8') FROM log WHERE idx = {model}")
        body = ""
        for name, value in fields.items():
            before, rest = rest.split(f'"{name}":"')
            body += f"""'{before}"{name}":"' || {value} || """
            rest = rest[rest.index('"') :]
        body = f"convert_to({body}'{rest}', 'UTF8')"
        kind = f"(SELECT type FROM log WHERE idx = {model})"
        with self._indexes_after("log"):
            for low in range(1, rows + 1, _CHUNK):
                numbered = source(low, min(rows, low + _CHUNK - 1))
                self._do(
                    "INSERT INTO log (idx, hash, body, type) SELECT idx, "
                    rf"sha256('\x00' || body), body, {kind} FROM (SELECT "
                    f"{first - 1} + place AS idx, {body} AS body "
                    f"FROM ({numbered}) AS s OFFSET 0) AS l"
                )
        return Step("log", rows, perf_counter() - begin)

    def _from_log(self, low: int, high: int) -> str:
        """Return the numbers of entries with their log indexes, in log order."""
        first = self._size - 1
        return (
            f"SELECT idx - {first} AS n, md5(CAST(idx - {first} AS text)) AS m, idx, "
            "CAST('x' || encode(substr(hash, 1, 10), 'hex') AS bit(80)) AS bits FROM log "
            f"WHERE idx BETWEEN {first + low} AND {first + high} ORDER BY idx OFFSET 0"
        )

    def _voters(self, low: int, high: int) -> str:
        """Return the numbers of the last members, and their positions among the voters."""
        return _numbers(low, high, skipped=self._amount.members - self._amount.ballots)

    def _sums(self) -> None:
        """Add the copied rows to the stored sums."""
        paid = self._amount.payments
        for table, period in (("totals", "month"), ("day_totals", "day")):
            cut = "substr(day, 1, 7)" if period == "month" else "day"
            self._do(
                f"UPDATE {table} k SET cents = k.cents + {paid} * p.cents FROM (SELECT account, "
                f"fund, {cut} AS period, SUM(cents) AS cents FROM postings "
                f"WHERE entry = {self._entry} GROUP BY account, fund, {cut}) AS p "
                f"WHERE p.account = k.account AND p.fund = k.fund AND p.period = k.{period}"
            )
        dollars = f"(SELECT dollars FROM electors WHERE member_id = {AMA})"
        cents = f"(SELECT cents FROM payments WHERE entry = {self._entry})"
        for name, step in (
            ("electors", str(self._amount.members)),
            ("elector_dollars", f"{self._amount.members} * {dollars}"),
            ("contributions", str(paid)),
            ("contribution_cents", f"{paid} * {cents}"),
        ):
            self._do(f"UPDATE figures SET value = value + {step} WHERE name = '{name}'")

    def _nodes(self, size: int) -> Step:
        """Compute the inner nodes of the log up to a size, and its head."""
        begin, made = perf_counter(), 0
        with self._indexes_after("log_nodes"):
            self._do("CREATE TEMP TABLE below AS SELECT idx, hash FROM log")
            level = 0
            while size >> (level + 1):
                level += 1
                self._do(
                    r"CREATE TEMP TABLE above AS SELECT a.idx / 2 AS idx, sha256('\x01' || a.hash "
                    "|| b.hash) AS hash FROM below a JOIN below b ON b.idx = a.idx + 1 "
                    "WHERE a.idx % 2 = 0"
                )
                known = self._size >> level
                self._do(
                    f"INSERT INTO log_nodes (level, idx, hash) SELECT {level}, idx, hash "
                    f"FROM above WHERE idx >= {known} ORDER BY idx"
                )
                made += (size >> level) - known
                self._do("DROP TABLE below; ALTER TABLE above RENAME TO below")
            self._do("DROP TABLE below")
        peaks = (
            "SELECT string_agg(hash, '' ORDER BY level DESC) FROM ("
            "SELECT 0 AS level, idx, hash FROM log UNION ALL SELECT * FROM log_nodes) AS n "
            f"WHERE idx = ({size} >> CAST(level AS int)) - 1 AND idx % 2 = 0"
        )
        self._do(f"UPDATE log_head SET size = {size}, peaks = ({peaks})")
        return Step("log_nodes", made, perf_counter() - begin)

    @contextmanager
    def _indexes_after(self, table: str) -> Iterator[None]:
        """Drop the indexes of a table, and build them again at the end."""
        if not self._amount.packed:
            yield
            return
        switch = "UPDATE pg_index SET indisready = false WHERE indrelid = CAST('{}' AS regclass)"
        self._do(switch.format(table))
        yield
        self._do(f"REINDEX TABLE {table}")

    def _do(self, statements: str) -> None:
        self._connection.execute(statements.encode())

    def _number(self, statement: str) -> int:
        return int(self._text(statement))

    def _text(self, statement: str) -> str:
        row = self._connection.execute(statement.encode()).fetchone()
        assert row is not None
        return str(row[0])
