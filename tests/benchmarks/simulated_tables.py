"""The tables of a simulation, as docs/postgresql.md shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.simulated_acts import levels
from tests.benchmarks.simulated_rows import Amount, Step
from tests.benchmarks.simulated_values import BESIDE, PAYMENTS, PEOPLE

MONTHS = 12
BALLOTS_A_YEAR = 4
_GIGABYTE = 10**9


@dataclass(frozen=True)
class Size:
    """The bytes of a table and its indexes."""

    table: int
    indexes: int

    @property
    def whole(self) -> int:
        """Both together."""
        return self.table + self.indexes

    def since(self, earlier: Size) -> Size:
        """Return by how much it has grown."""
        return Size(self.table - earlier.table, self.indexes - earlier.indexes)


@dataclass(frozen=True)
class Filled:
    """A filled table, and the bytes it grew by."""

    step: Step
    size: Size


@dataclass(frozen=True)
class Held:
    """A simulated organisation: its settings, and its filled tables in order."""

    amount: Amount
    environ: dict[str, str]
    filled: Sequence[Filled]

    def of(self, table: str) -> list[Filled]:
        """Return each filling of a table."""
        return [one for one in self.filled if one.step.table == table]


@dataclass(frozen=True)
class Cost:
    """What one member, payment or ballot adds to a table."""

    table: str
    rows: float
    size: float


def costs(held: Held, listed: Sequence[Filled]) -> dict[str, list[Cost]]:
    """Return the cost of a member, of a payment, and of a ballot that a close has listed."""
    amount = held.amount
    [nodes] = held.of("log_nodes")
    node = Cost("log_nodes", 1, nodes.size.whole / nodes.step.rows)

    def each(filled: Sequence[Filled], number: int) -> list[Cost]:
        return [
            Cost(one.step.table, one.step.rows / number, one.size.whole / number) for one in filled
        ]

    def tables(names: Sequence[str]) -> list[Filled]:
        return [one for name in names for one in held.of(name)]

    return {
        "member, once": each(tables([*PEOPLE, *BESIDE]), amount.members),
        "payment": [node, *each(tables(["log", *PAYMENTS]), amount.payments)],
        "ballot": each(listed, amount.ballots),
    }


def growth(held: Held, members: int, listed: Sequence[Filled]) -> Iterator[str]:
    """Show the growth of each table per member and year, and for so many members.

    Sealed ballots and their claims are not in it: the close of a vote deletes them.
    """
    times = {"member, once": 1, "payment": MONTHS, "ballot": BALLOTS_A_YEAR}
    yield "| for each | table | rows | bytes | rows a member and year | bytes |"
    yield "|---|---|---:|---:|---:|---:|"
    total: dict[str, float] = {}
    for what, found in costs(held, listed).items():
        for cost in sorted(found, key=lambda one: -one.size):
            many = times[what]
            yield (
                f"| {what} | `{cost.table}` | {cost.rows:.0f} | {cost.size:,.0f} "
                f"| {cost.rows * many:.0f} | {cost.size * many:,.0f} |"
            )
        total[what] = sum(cost.size for cost in found) * times[what]
    year = sum(total.values()) - total["member, once"]
    yield ""
    yield (
        f"A member: {total['member, once']:,.0f} bytes once, {year:,.0f} a year. "
        f"{members:,} members: {total['member, once'] * members / _GIGABYTE:,.0f} GB once, "
        f"{year * members / _GIGABYTE:,.0f} GB a year (reckoned)."
    )


def held_rows(held: Held) -> Iterator[str]:
    """Show what the database contained, and how long writing it took."""
    yield "| table | rows held | GB | of it indexes | seconds to fill |"
    yield "|---|---:|---:|---:|---:|"
    for table in dict.fromkeys(one.step.table for one in held.filled):
        yield _held_row(f"`{table}`", held.of(table))
    yield _held_row("together", held.filled)


def _held_row(name: str, filled: Sequence[Filled]) -> str:
    rows = sum(one.step.rows for one in filled)
    whole = sum(one.size.whole for one in filled) / _GIGABYTE
    indexes = sum(one.size.indexes for one in filled) / _GIGABYTE
    seconds = sum(one.step.seconds for one in filled)
    return f"| {name} | {rows:,} | {whole:.2f} | {indexes:.2f} | {seconds:.0f} |"


def compared(
    small: Mapping[str, float], large: Mapping[str, float], head: str, digits: int
) -> Iterator[str]:
    """Show the figures of both organisations and their ratio."""
    yield f"| {head} | small | large | large / small |"
    yield "|---|---:|---:|---:|"
    for name, value in small.items():
        other = large[name]
        yield f"| {name} | {value:,.{digits}f} | {other:,.{digits}f} | {other / value:.2f} |"


def index_levels(
    small: Mapping[str, tuple[int, int]], large: Mapping[str, tuple[int, int]], members: int
) -> Iterator[str]:
    """Show the levels of the indexes now, and after ten years."""
    payments = members * MONTHS * 10
    rows = {
        "members_email_key_key": members,
        "entries_by_member": payments,
        "postings_pkey": payments * 14,
        "trace_lot_member": payments * 4,
        "sealed_ballots_by_box": members,
        "log_pkey": payments + members * BALLOTS_A_YEAR * 10,
    }
    yield "| index | levels, small | levels, large | rows after ten years | levels, reckoned |"
    yield "|---|---:|---:|---:|---:|"
    for name, (level, _) in small.items():
        deep, of_a_page = large[name]
        yield (
            f"| `{name}` | {level} | {deep} | {rows[name]:,} | {levels(rows[name], of_a_page)} |"
        )
