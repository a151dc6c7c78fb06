"""Five years of an organisation's books as a ledger CSV; each size always gives the same file."""

import csv
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from jara.domain.books.account import BANK, FEES, GRANTS, SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, split
from jara.domain.money import plain_decimal

PROJECTS = [f"expenses:projects:project-{number:02d}" for number in range(1, 25)]
PLEDGES_CENTS = (500, 500, 1000, 1000, 1000, 1000, 2000, 2500, 5000, 10000)
Lines = list[tuple[str, Fund, int]]


def entries(postings: int) -> Iterator[tuple[date, str, Lines]]:
    """Return entries with about so many postings in total, oldest first."""
    dice = random.Random(7)
    givers = max(2, postings // (60 * 14))
    pledges = [dice.choice(PLEDGES_CENTS) for _ in range(givers)]
    made = month = 0
    while made < postings:
        first = date(2019 + month // 12, month % 12 + 1, 1)
        for kind, lines in (*_receipts(pledges), *_spending(pledges, dice)):
            yield first, kind, lines
            made += len(lines)
            if made >= postings:
                return
        month += 1


def _receipts(pledges: list[int]) -> Iterator[tuple[str, Lines]]:
    for cents in pledges:
        gross = split(cents, DEFAULT_POLICY.weights)
        fee = split(cents * 29 // 1000 + 30, DEFAULT_POLICY.fee_weights)
        lines: Lines = [(GRANTS, fund, -gross[fund]) for fund in SPLIT_FUNDS]
        lines += [(FEES, fund, fee[fund]) for fund in SPLIT_FUNDS]
        lines += [(BANK, fund, gross[fund] - fee[fund]) for fund in SPLIT_FUNDS]
        yield "payment", [line for line in lines if line[2]]


def _spending(pledges: list[int], dice: random.Random) -> Iterator[tuple[str, Lines]]:
    income = split(sum(pledges), DEFAULT_POLICY.weights)
    for account, fund in (
        (dice.choice(PROJECTS), Fund.PROJECTS),
        ("expenses:staff", Fund.STAFF),
        ("expenses:marketing", Fund.MARKETING),
        ("expenses:operations", Fund.OTHER),
    ):
        cents = max(1, income[fund] // 2)
        yield "payment out", [(account, fund, cents), (BANK, fund, -cents)]


def write_csv(path: Path, postings: int) -> int:
    """Write the history as Jara's ledger CSV and return its number of postings."""
    made = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["entry", "date", "description", "account", "fund", "amount", "reference"])
        for number, (day, text, lines) in enumerate(entries(postings)):
            for account, fund, cents in lines:
                rows.writerow(
                    [f"e{number}", day, text, account, fund.value, plain_decimal(cents), ""]
                )
            made += len(lines)
    return made
