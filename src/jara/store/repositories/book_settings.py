"""The chart of accounts, fund policies, fixed costs and locked years."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from jara.domain.books.account import SPLIT_FUNDS, ChartOfAccounts, Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.overview import FixedCost
from jara.records.book_settings import FixedCostLine, WaySetting, YearLock
from jara.store.sql.codecs import (
    document_text,
    instant_text,
    optional_day,
    optional_day_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Sql

_WAY_COLUMNS = "way, ledger, details, iban, holder, takes_euro"


class BookSettingsRepository:
    """Chart of accounts, fund policies, fixed costs, ways to pay, locked years.

    Chart and policies are read once for each transaction.
    """

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql
        self._chart: ChartOfAccounts | None = None
        self._policies: list[FundPolicy] | None = None

    def chart(self) -> ChartOfAccounts:
        """Return the chart of accounts."""
        if self._chart is None:
            self._chart = ChartOfAccounts.of(name for name, _, _ in self.accounts())
        return self._chart

    def accounts(self) -> list[tuple[str, str, str]]:
        """Return (name, type, meaning) of every account, by name."""
        rows = self._sql.all("SELECT name, type, meaning FROM accounts ORDER BY name")
        return [(name, kind, meaning) for name, kind, meaning in rows]

    def put_account(self, name: str, *, kind: str, meaning: str) -> None:
        """Add an account, or change its meaning."""
        self._chart = None
        self._sql.run(
            "INSERT INTO accounts (name, type, meaning) VALUES (:name, :kind, :meaning) "
            "ON CONFLICT (name) DO UPDATE SET meaning = excluded.meaning",
            {"name": name, "kind": kind, "meaning": meaning},
        )

    def policies(self) -> list[FundPolicy]:
        """Return every fund policy in log order."""
        if self._policies is None:
            rows = self._sql.all(
                "SELECT valid_from, weights, fee_weights FROM policies ORDER BY log_index"
            )
            self._policies = [
                FundPolicy(date.fromisoformat(day), _weights(weights), _weights(fees))
                for day, weights, fees in rows
            ]
        return list(self._policies)

    def add_policy(self, policy: FundPolicy, *, log_index: int) -> None:
        """Save a policy that is in the log."""
        self._policies = None
        self._sql.run(
            "INSERT INTO policies (log_index, valid_from, weights, fee_weights) "
            "VALUES (:log_index, :valid_from, :weights, :fee_weights)",
            {
                "log_index": log_index,
                "valid_from": policy.valid_from.isoformat(),
                "weights": _weights_text(policy.weights),
                "fee_weights": _weights_text(policy.fee_weights),
            },
        )

    def fixed_costs(self) -> list[FixedCostLine]:
        """Return the lines of the fixed-cost budget."""
        rows = self._sql.all(
            "SELECT id, name, cents, valid_from, valid_to FROM fixed_costs ORDER BY valid_from, id"
        )
        return [
            FixedCostLine(
                line_id, FixedCost(name, cents, date.fromisoformat(start), optional_day(end))
            )
            for line_id, name, cents, start, end in rows
        ]

    def put_fixed_cost(self, line: FixedCostLine) -> None:
        """Add or replace a line."""
        self._sql.run(
            "INSERT INTO fixed_costs (id, name, cents, valid_from, valid_to) "
            "VALUES (:id, :name, :cents, :valid_from, :valid_to) ON CONFLICT (id) DO UPDATE SET "
            "name = excluded.name, cents = excluded.cents, valid_from = excluded.valid_from, "
            "valid_to = excluded.valid_to",
            {
                "id": line.id,
                "name": line.cost.name,
                "cents": line.cost.monthly_cents,
                "valid_from": line.cost.valid_from.isoformat(),
                "valid_to": optional_day_text(line.cost.valid_to),
            },
        )

    def remove_fixed_cost(self, line_id: str) -> bool:
        """Remove a line; return whether it existed."""
        return bool(self._sql.run("DELETE FROM fixed_costs WHERE id = :id", {"id": line_id}))

    def ways(self) -> list[WaySetting]:
        """Return the configured ways to pay other than card, by name."""
        rows = self._sql.all(f"SELECT {_WAY_COLUMNS} FROM payment_ways ORDER BY way")
        return [
            WaySetting(way, ledger, details, iban, holder, bool(euro))
            for way, ledger, details, iban, holder, euro in rows
        ]

    def put_way(self, setting: WaySetting) -> None:
        """Add or replace a way to pay."""
        self._sql.run(
            f"INSERT INTO payment_ways ({_WAY_COLUMNS}) VALUES "
            "(:way, :ledger, :details, :iban, :holder, :takes_euro) "
            "ON CONFLICT (way) DO UPDATE SET ledger = excluded.ledger, "
            "details = excluded.details, iban = excluded.iban, holder = excluded.holder, "
            "takes_euro = excluded.takes_euro",
            {**setting._asdict(), "takes_euro": int(setting.takes_euro)},
        )

    def remove_way(self, way: str) -> bool:
        """Remove a way to pay; return whether it existed."""
        return bool(self._sql.run("DELETE FROM payment_ways WHERE way = :way", {"way": way}))

    def locked_years(self) -> list[YearLock]:
        """Return the closed years, oldest first."""
        rows = self._sql.all(
            "SELECT year, locked_at, log_size, root, balances FROM year_locks ORDER BY year"
        )
        return [
            YearLock(year, read_instant(at), size, root, read_document(balances))
            for year, at, size, root, balances in rows
        ]

    def lock_year(self, lock: YearLock) -> None:
        """Close a year."""
        self._sql.run(
            "INSERT INTO year_locks (year, locked_at, log_size, root, balances) "
            "VALUES (:year, :locked_at, :log_size, :root, :balances)",
            {
                "year": lock.year,
                "locked_at": instant_text(lock.locked_at),
                "log_size": lock.log_size,
                "root": lock.root,
                "balances": document_text(lock.balances),
            },
        )

    def unlock_year(self, year: int) -> bool:
        """Reopen a year; return whether it was closed."""
        return bool(self._sql.run("DELETE FROM year_locks WHERE year = :year", {"year": year}))


def _weights(text: str) -> dict[Fund, int]:
    document = read_document(text)
    return {fund: int(document[fund.value]) for fund in SPLIT_FUNDS}


def _weights_text(weights: Mapping[Fund, int]) -> str:
    return document_text({fund.value: weights[fund] for fund in SPLIT_FUNDS})
