"""Settings of the books, and the money committed to proposals."""

from collections.abc import Collection, Iterable

from jara.domain.books.account import ChartOfAccounts
from jara.domain.books.commitment import Commitment
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.overview import FixedCost
from jara.domain.books.plan import PlanLine
from jara.records.journal import CommitmentRecord, FixedCostLine, PlanRecord, WaySetting, YearLock
from jara.store.rows import Repository, Rows, remover
from jara.store.sql.codecs import chunks, in_list, read_instant
from jara.store.sql.connection import Params, Sql

POLICIES = Rows("policies", FundPolicy)
FIXED_COSTS = Rows("fixed_costs", FixedCost, "id", monthly_cents="cents")
WAYS = Rows("payment_ways", WaySetting)
YEARS = Rows("year_locks", YearLock)
PLANS = Rows("plans", PlanRecord, "year, version")
PLAN_LINES = Rows("plan_lines", PlanLine, "year, version, place")
COMMITMENTS = Rows(
    "commitments",
    Commitment,
    goal="goal_cents",
    held="held_cents",
    paid="paid_cents",
    released="released_cents",
)


class BookSettingsRepository(Repository):
    """Chart of accounts, fund policies, fixed costs, ways to pay, locked years.

    Chart and policies are read once for each transaction.
    """

    ways = WAYS.lister("ORDER BY way")
    put_way = WAYS.putter()
    locked_years = YEARS.lister("ORDER BY year")
    lock_year = YEARS.adder()
    remove_fixed_cost = remover("fixed_costs", "id")
    remove_way = remover("payment_ways", "way")

    def __init__(self, sql: Sql) -> None:
        super().__init__(sql)
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
            self._policies = POLICIES.all(self._sql, "ORDER BY log_index")
        return list(self._policies)

    def add_policy(self, policy: FundPolicy, *, log_index: int) -> None:
        """Save a policy that is in the log."""
        self._policies = None
        POLICIES.add(self._sql, policy, log_index=log_index)

    def fixed_costs(self) -> list[FixedCostLine]:
        """Return the lines of the fixed-cost budget."""
        rows = self._sql.all(
            f"SELECT id, {FIXED_COSTS.columns()} FROM fixed_costs ORDER BY valid_from, id"
        )
        return [FixedCostLine(line_id, FIXED_COSTS.read(cost)) for line_id, *cost in rows]

    def put_fixed_cost(self, line: FixedCostLine) -> None:
        """Add or replace a line."""
        FIXED_COSTS.put(self._sql, line.cost, id=line.id)

    def unlock_year(self, year: int) -> bool:
        """Reopen a year; return whether it was closed."""
        return bool(self._delete("year_locks", {"year": year}))


class PlanRepository(Repository):
    """Plans of years, in versions."""

    put = PLANS.putter()

    def of_year(self, year: int | None = None) -> list[PlanRecord]:
        """Return the plans of a year, or of all years, oldest first."""
        if year is None:
            return PLANS.all(self._sql, "ORDER BY year, version")
        return PLANS.all(self._sql, "WHERE year = :year ORDER BY version", year=year)

    def lines(self, plan: PlanRecord) -> list[PlanLine]:
        """Return the lines of a plan, in the order of its file."""
        where = "WHERE year = :year AND version = :version ORDER BY place"
        return PLAN_LINES.all(self._sql, where, year=plan.year, version=plan.version)

    def add_lines(self, plan: PlanRecord, lines: Iterable[PlanLine]) -> None:
        """Add the lines of a new plan."""
        for place, line in enumerate(lines):
            PLAN_LINES.append(self._sql, line, year=plan.year, version=plan.version, place=place)


class CommitmentRepository(Repository):
    """Money committed to passed proposals."""

    def get(self, proposal: str) -> CommitmentRecord | None:
        """Return a proposal's commitment."""
        records = self._all("WHERE proposal = :proposal", {"proposal": proposal})
        return records[0] if records else None

    def put(self, record: CommitmentRecord) -> None:
        """Add or update a commitment."""
        COMMITMENTS.put(self._sql, record.commitment, decided_at=record.decided_at)

    def all(self) -> list[CommitmentRecord]:
        """Return every commitment, in order of decision."""
        return self._all("ORDER BY decided_at, proposal")

    def add_tranche(self, entry: int, milestone: str) -> None:
        """Store the milestone that an entry paid."""
        self._sql.append(
            "INSERT INTO tranches (entry, milestone) VALUES (:entry, :milestone)",
            (entry, milestone),
        )

    def tranches(self, entries: Collection[int]) -> dict[int, str]:
        """Return the milestone that each of some entries paid; others are left out."""
        milestones: dict[int, str] = {}
        for piece in chunks(entries):
            names, params = in_list("entry", piece)
            rows = self._sql.all(
                f"SELECT entry, milestone FROM tranches WHERE entry IN {names}", params
            )
            milestones.update((row[0], row[1]) for row in rows)
        return milestones

    def _all(self, rest: str, params: Params | None = None) -> list[CommitmentRecord]:
        columns = COMMITMENTS.columns()
        rows = self._sql.all(f"SELECT decided_at, {columns} FROM commitments {rest}", params)
        return [
            CommitmentRecord(COMMITMENTS.read(commitment), read_instant(decided_at))
            for decided_at, *commitment in rows
        ]
