"""Plans as files: read from CSV, and compared with hledger's budget report."""

import io
import random
from collections.abc import Sequence
from csv import DictReader
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.balances import Totals
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.plan import PlanLine, check_lines, compare_plan
from jara.domain.errors import InvalidInput
from jara.files.ledger.journal import write_journal
from jara.files.plan_file import read_plan, write_plan_journal
from tests.files.posted_samples import posted, posted_id
from tests.files.test_journal_file import hledger
from tests.sizes import SEED, size

ACCOUNTS = (
    *("income:pledges", "income:gifts", "expenses:projects:wells", "expenses:projects:school"),
    *("expenses:staff", "expenses:fees", "expenses:fees:bank", "expenses:fees:tax"),
    *("expenses:operations", "expenses:operations:rent"),
)
TOPS = ("income", "expenses")


def read(text: str, year: int = 2026) -> list[PlanLine]:
    """Read a plan from the text of a file."""
    return read_plan(io.BytesIO(text.encode()), "plan.csv", year=year)


def test_a_plan_has_amounts_of_the_year_or_of_months() -> None:
    """Columns may be named after months; a project has its account; empty cells are no lines."""
    assert read("Account,Fund,Amount\nexpenses:staff,staff,1200.50\n") == [
        PlanLine("expenses:staff", Fund.STAFF, None, 120_050)
    ]
    assert read("Project;Month;Amount\nwells;2026-03;10\nwells;April;20\n") == [
        PlanLine("expenses:projects:wells", None, "2026-03", 1_000),
        PlanLine("expenses:projects:wells", None, "2026-04", 2_000),
    ]
    assert read('The plan\nAccount,Jan,2026-02,3\nincome:gifts,"1,000",,5\n') == [
        PlanLine("income:gifts", None, "2026-01", 100_000),
        PlanLine("income:gifts", None, "2026-03", 500),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("Konto,Betrag\na,1\n", "needs a column Account or Project"),
        ("Account,Amount,Sum\nexpenses:staff,1,1\n", "needs a column"),
        ("Account,Fund,Amount\nexpenses:staff,x,1\nstaff,,1\n", "line 2: There is no fund 'x'"),
        ("Account,Amount\nexpenses:staff,1\nexpenses:fees,-2\n", "line 3: '-2' is negative"),
        ("Account,Month,Amount\nexpenses:staff,13,1\n", "line 2: '13' is not a month"),
        ("Account,Amount\nexpenses:staff\n", "line 2: the row is too short"),
        ("Account,Project,Amount\nexpenses:staff,wells,1\n", "name an account or a project"),
    ],
)
def test_a_wrong_plan_is_refused_with_its_lines(text: str, message: str) -> None:
    """Every wrong row is named, and nothing is imported."""
    with pytest.raises(InvalidInput) as refused:
        read(text)

    assert message in refused.value.message


STAFF = PlanLine("expenses:staff", None, None, 1)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "no lines"),
        ([STAFF, STAFF], "planned twice"),
        ([STAFF, STAFF._replace(month="2026-01")], "planned twice"),
        ([STAFF, STAFF._replace(fund=Fund.STAFF)], "with a fund and without"),
        ([STAFF, STAFF._replace(account="expenses:staff:rent")], "below 'expenses:staff'"),
        ([STAFF._replace(month="2025-01")], "not a month of 2026"),
        ([STAFF._replace(account="assets:bank")], "only income and expenses"),
        ([STAFF._replace(cents=-1)], "as positive amounts"),
    ],
)
def test_each_amount_belongs_to_one_line(lines: Sequence[PlanLine], message: str) -> None:
    """Lines about the same money are refused, and so is what is no income or expense."""
    with pytest.raises(InvalidInput) as refused:
        check_lines(lines, 2026)

    assert message in refused.value.message


def drawn_history(draw: random.Random) -> tuple[list[PlanLine], list[JournalEntry]]:
    """Return a plan and entries around its year."""
    lines: list[PlanLine] = []
    for account in draw.sample(ACCOUNTS, draw.randint(1, len(ACCOUNTS))):
        if any(f"{account}:".startswith(f"{one.account}:") for one in lines) or any(
            one.account.startswith(f"{account}:") for one in lines
        ):
            continue
        funds: list[Fund | None] = [*draw.sample(list(Fund), draw.randint(1, 3))]
        whole: list[Fund | None] = [None]
        year: list[str | None] = [None]
        for fund in draw.choice([whole, funds]):
            drawn = sorted(draw.sample(range(1, 13), draw.randint(1, 4)))
            months: list[str | None] = [f"2026-{one:02d}" for one in drawn]
            lines += [
                PlanLine(account, fund, month, draw.randint(1, 500_000))
                for month in draw.choice([year, months])
            ]
    entries = []
    for _ in range(draw.randint(0, 30)):
        account, fund = draw.choice(ACCOUNTS), draw.choice(list(Fund))
        cents = draw.randint(-20_000, 90_000) or 1
        day = date(2025, 12, 1) + timedelta(draw.randint(0, 426))
        sign = -1 if account.startswith("income") else 1
        postings = (
            Posting(account, fund, sign * cents),
            Posting("assets:bank", fund, -sign * cents),
        )
        entries.append(JournalEntry(day, EntryKind.EXPENSE, "x", postings))
    return lines, entries


def budget_by_hledger(folder: Path, *query: str) -> dict[str, tuple[int, int]]:
    """Return what hledger says was booked and planned in 2026, by account."""
    words = ("balance", "--budget", "-Y", "-b", "2026", "-e", "2027", "--flat", "-O", "csv")
    text = hledger(folder / "both.journal", *words, *query)
    return {
        row["Account"]: (cents_of(row["2026"]), cents_of(row["budget"]))
        for row in DictReader(io.StringIO(text))
    }


def cents_of(text: str) -> int:
    """Return the cents of an amount that hledger writes."""
    return round(float(text.removesuffix(" USD")) * 100) if text else 0


@pytest.mark.parametrize("number", range(size(12, 400, full=400)))
def test_plan_and_actual_are_those_of_hledger(tmp_path: Path, number: int) -> None:
    """For random plans and histories, each line is what `hledger balance --budget` shows."""
    lines, entries = drawn_history(random.Random(f"{SEED}-{number}"))
    check_lines(lines, 2026)
    with (tmp_path / "both.journal").open("w") as out:
        write_journal(posted(entries), out, posted_id)
        write_plan_journal(lines, out, year=2026)

    sums = compare_plan(lines, Totals.of_entries(entries).rows, 2026)

    for fund in {place.fund for place in sums.planned}:
        query = () if fund is None else (f"tag:fund=^{fund}$",)
        shown = budget_by_hledger(tmp_path, *TOPS, *query)
        for place in (one for one in sums.planned if one.fund is fund):
            sign = -1 if place.account.startswith("income") else 1
            ours = (sums.actual.get(place, 0), sums.planned[place])
            assert shown[place.account] == tuple(sign * cents for cents in ours), place
    everything = budget_by_hledger(tmp_path, "expenses")
    if everything:
        assert everything["Total:"][0] == sum(
            cents
            for part in (sums.actual, sums.unplanned)
            for place, cents in part.items()
            if place.account.startswith("expenses")
        )
