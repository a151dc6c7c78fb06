"""The bank's side of the sample organisation, and the two forms it is written in."""

import random
from dataclasses import dataclass
from datetime import date

from tests.data.generators.history import FIRST, dollars
from tests.data.generators.tables import table


@dataclass
class BankEntry:
    """One entry of the bank's side: what it is, and its postings."""

    id: str
    day: date
    kind: str
    description: str
    reference: str
    postings: list[tuple[str, str, int]]


def invent_bank_side(dice: random.Random) -> list[BankEntry]:
    """Invent grants, salaries, running costs and disbursements; no fund runs dry."""
    entries: list[BankEntry] = []

    def add(day: date, kind: str, text: str, reference: str, *moves: tuple[str, str, int]) -> None:
        postings = []
        for account, fund, cents in moves:
            postings += [(account, fund, cents), ("assets:bank", fund, -cents)]
        entries.append(
            BankEntry(f"bank-{len(entries) + 1:04d}", day, kind, text, reference, postings)
        )

    funds = (("projects", 1200000), ("staff", 480000), ("marketing", 120000), ("other", 150000))
    opening = [("equity:opening", fund, -cents) for fund, cents in funds]
    add(FIRST, "opening", "Opening balance", "", *opening)
    sites = ("wells-of-tanga", "clinic-in-koforidua", "school-roof-jacmel", "women-weavers-fund")
    for number in range(24):
        year, month = FIRST.year + number // 12, number % 12 + 1
        if month in {2, 8}:
            grant = ("income:grants", "projects", -dice.choice((250000, 400000)))
            add(date(year, month, 5), "grant", 'Grant, "Bright Shores" foundation', "", grant)
        if month % 3 == 0:
            site = sites[number // 3 % len(sites)]
            cents = dice.randrange(60000, 200000)
            paid = (f"expenses:projects:{site}", "projects", cents)
            add(date(year, month, 12), "disbursement", f"Tranche; {site}", site, paid)
        add(date(year, month, 25), "salary", "Salary", "", ("expenses:staff", "staff", 18000))
        costs = (
            ("expenses:marketing", "marketing", dice.randrange(2000, 4500)),
            ("expenses:operations", "other", 4200),
        )
        add(date(year, month, 27), "expense", "Running costs | web, mail", "", *costs)
    return entries


def ledger_csv(entries: list[BankEntry]) -> str:
    """Write the bank's side as Jara's own CSV file."""
    header = ["entry", "date", "description", "account", "fund", "amount", "reference"]
    lines = [
        [e.id, e.day.isoformat(), e.description, account, fund, dollars(cents), e.reference]
        for e in entries
        for account, fund, cents in e.postings
    ]
    return table(header, lines)


def journal(entries: list[BankEntry]) -> str:
    """Write the bank's side as a plain-text journal."""
    accounts = sorted({account for e in entries for account, _, _ in e.postings})
    lines = ["; The bank's side of the sample organisation.", "commodity 1000.00 USD"]
    lines += [f"account {account}" for account in accounts]
    for e in entries:
        text = e.description.replace(";", "%3B").replace(",", "%2C")
        lines += ["", f"{e.day.isoformat()} ({e.id}) {text}", f"    ; kind:{e.kind}"]
        lines += [f"    ; reference:{e.reference}"] if e.reference else []
        lines += [f"    {a}  {dollars(cents)} USD  ; fund:{f}" for a, f, cents in e.postings]
    return "\n".join(lines) + "\n"
