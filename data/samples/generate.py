"""Make the sample files: two invented years of one organisation at Stripe and its bank.

    python data/samples/generate.py [FOLDER]

The same seed gives the same bytes on any machine: no clock, no locale, no float. The
history is written in each form that Jara reads, and ``expected.json`` holds its sums,
added up here and not by Jara's own readers. Every person and address is invented.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

SEED = 20240101
FIRST = date(2024, 1, 1)
LAST = date(2025, 12, 31)
MEMBERS = 240
GIFTS = 60
DISPUTE_FEE = 1500

FIRST_NAMES = (
    "Abena Akua Amara Ayo Binta Chidi Dalila Efua Fatou Gifty Hawa Imani Jabari Kofi Kwame Lindiwe "
    "Makena Marlon Nia Nkechi Obi Pauline Rashid Sade Shanice Tafari Thandi Winston Yaw Zuri"
).split()
LAST_NAMES = (
    "Adeyemi Baptiste Campbell Diallo Eze Francis Gordon Haile Ibrahim Joseph Kamau Lewis Mensah "
    "Ndiaye Okafor Palmer Quartey Roberts Sesay Toure Uwimana Williams Yeboah Zulu"
).split()
PLEDGES = (500, 500, 500, 1000, 1000, 1000, 1000, 1500, 2000, 2500, 5000, 10000)
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def card_fee(cents: int) -> int:
    """Return 2.9 % and 30 cents, rounded half up."""
    return (cents * 29 + 500) // 1000 + 30


def dollars(cents: int) -> str:
    """Write cents as dollars with two places."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


@dataclass
class Member:
    """A person with a pledge."""

    number: int
    email: str
    customer: str
    subscription: str
    cents: int
    anchor: int
    joined: date


@dataclass
class Charge:
    """An attempt to charge a card, and what became of it."""

    id: str
    at: datetime
    cents: int
    description: str
    status: str
    intent: str
    email: str
    customer: str = ""
    subscription: str = ""
    invoice: str = ""
    gift: str = ""
    mode: str = "Live"
    refunded: int = 0
    refunded_at: datetime | None = None
    disputed: int = 0
    dispute_status: str = ""
    payout: str = ""


@dataclass
class Row:
    """One balance transaction."""

    txn: str
    at: datetime
    category: str
    type: str
    amount: int
    fee: int
    source: str
    description: str
    charge: Charge | None = None
    balance_type: str = "payments"
    payout: str = ""
    payout_status: str = ""
    automatic: bool = True
    arrives: date | None = None
    reversed_at: datetime | None = None

    @property
    def net(self) -> int:
        """Return what the balance changes by."""
        return self.amount - self.fee


@dataclass
class History:
    """Everything that happened, while it is being invented."""

    dice: random.Random
    charges: list[Charge] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def id(self, prefix: str) -> str:
        """Invent an id in Stripe's manner."""
        return prefix + "".join(self.dice.choices(ALPHABET, k=16))

    def at(self, day: date, hour: int) -> datetime:
        """Invent a whole minute in an hour of a day."""
        minute = self.dice.randrange(60)
        return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)

    def add(self, **values: object) -> Row:
        """Add a balance transaction."""
        row = Row(txn=self.id("txn_"), **values)  # type: ignore[arg-type] # named by the caller
        self.rows.append(row)
        return row

    def settle(self, charge: Charge) -> None:
        """Book a charge that was paid."""
        self.add(
            at=charge.at,
            category="charge",
            type="charge",
            amount=charge.cents,
            fee=card_fee(charge.cents),
            source=charge.id,
            description=charge.description,
            charge=charge,
        )


def month_day(year: int, month: int, day: int) -> date:
    """Return that day of a month, or its last day."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day - 1), following - timedelta(days=1))


def invent_members(history: History) -> list[Member]:
    dice, members = history.dice, []
    for number in range(1, MEMBERS + 1):
        joined = FIRST + timedelta(days=dice.randrange(660))
        name = f"{dice.choice(FIRST_NAMES)}.{dice.choice(LAST_NAMES)}{number}".lower()
        anchor = dice.choice((1, 28, joined.day))
        members.append(
            Member(
                number,
                f"{name}@example.org",
                history.id("cus_"),
                history.id("sub_"),
                dice.choice(PLEDGES),
                anchor,
                joined,
            )
        )
    return members


def charge_member(history: History, member: Member, day: date, *, first: bool, fails: bool) -> None:
    charge = Charge(
        id=history.id("ch_"),
        at=history.at(day, 13),
        cents=member.cents,
        description="Subscription creation" if first else "Subscription update",
        status="Failed" if fails else "Paid",
        intent=history.id("pi_"),
        email=member.email,
        customer=member.customer,
        subscription=member.subscription,
        invoice=history.id("in_"),
    )
    history.charges.append(charge)
    if not fails:
        history.settle(charge)


def invent_pledges(history: History) -> None:
    dice = history.dice
    for member in invent_members(history):
        first = True
        year, month = member.joined.year, member.joined.month
        while (day := month_day(year, month, member.anchor)) <= LAST:
            year, month = year + month // 12, month % 12 + 1
            if day < member.joined:
                continue
            fails = not first and dice.random() < 0.04
            charge_member(history, member, day, first=first, fails=fails)
            first = False
            if fails:
                again = day + timedelta(days=3)
                if again > LAST or dice.random() < 0.3:
                    break
                charge_member(history, member, again, first=False, fails=False)
            if dice.random() < 0.025:
                break


def invent_gifts(history: History) -> None:
    dice = history.dice
    for number in range(1, GIFTS + 1):
        name = f"{dice.choice(FIRST_NAMES)}.{dice.choice(LAST_NAMES)}.gift{number}".lower()
        day = FIRST + timedelta(days=dice.randrange(700))
        charge = Charge(
            id=history.id("ch_"),
            at=history.at(day, 18),
            cents=dice.choice((2000, 2500, 5000, 7500, 10000, 12345, 25000)),
            description="One-time gift",
            status="Paid",
            intent=history.id("pi_"),
            email=f"{name}@example.org",
            gift=f"gift_{number:03d}",
        )
        history.charges.append(charge)
        history.settle(charge)


def refund(history: History, charge: Charge, cents: int, days: int, hour: int) -> Row:
    at = history.at(charge.at.date() + timedelta(days=days), hour)
    charge.refunded += cents
    charge.refunded_at = at
    charge.status = "Refunded" if charge.refunded == charge.cents else "Paid"
    return history.add(
        at=at,
        category="refund",
        type="refund",
        amount=-cents,
        fee=0,
        source=history.id("re_"),
        description=f"REFUND FOR CHARGE ({charge.description})",
        charge=charge,
    )


def invent_refunds(history: History) -> None:
    dice = history.dice
    cut = LAST - timedelta(days=60)
    paid = [c for c in history.charges if c.status == "Paid" and c.at.date() < cut]
    chosen = dice.sample(paid, 32)
    for charge in chosen[:12]:
        refund(history, charge, charge.cents, dice.randrange(2, 20), 10)
    for charge in chosen[12:20]:
        refund(history, charge, charge.cents * 2 // 5, dice.randrange(2, 20), 10)
    for charge in chosen[20:24]:
        refund(history, charge, 100, 3, 10)
        refund(history, charge, 233, 9, 11)
    for charge in chosen[24:26]:
        failed = refund(history, charge, charge.cents, 4, 10)
        charge.refunded, charge.refunded_at, charge.status = 0, None, "Paid"
        history.add(
            at=failed.at + timedelta(days=6),
            category="refund_failure",
            type="refund_failure",
            amount=-failed.amount,
            fee=0,
            source=failed.source,
            description="REFUND FAILURE",
            charge=charge,
        )
    for place, charge in enumerate(chosen[26:]):
        dispute(history, charge, won=place % 2 == 0)


def dispute(history: History, charge: Charge, *, won: bool) -> None:
    source = history.id("du_")
    charge.disputed = charge.cents
    charge.dispute_status = "won" if won else "lost"
    opened = history.at(charge.at.date() + timedelta(days=15), 7)
    history.add(
        at=opened,
        category="dispute",
        type="adjustment",
        amount=-charge.cents,
        fee=DISPUTE_FEE,
        source=source,
        description=f"Chargeback withdrawal for {charge.id}",
        charge=charge,
    )
    if won:
        history.add(
            at=opened + timedelta(days=40),
            category="dispute_reversal",
            type="adjustment",
            amount=charge.cents,
            fee=0,
            source=source,
            description=f"Chargeback reversal for {charge.id}",
            charge=charge,
        )


def invent_stripe_fees(history: History) -> None:
    volume: defaultdict[tuple[int, int], int] = defaultdict(int)
    for row in history.rows:
        if row.category == "charge":
            volume[row.at.year, row.at.month] += row.amount
    for (year, month), cents in sorted(volume.items()):
        day = date(year + month // 12, month % 12 + 1, 2)
        if day <= LAST:
            single(history, day, "fee", "stripe_fee", -((cents * 7 + 500) // 1000), "Billing usage")
    single(history, date(2024, 9, 30), "network_cost", "network_cost", -125, "Card network costs")
    single(history, date(2025, 3, 31), "tax", "tax_fee", -88, "Tax on Stripe fees")
    hold, release = date(2025, 2, 10), date(2025, 5, 12)
    for day, cents in ((hold, -5000), (release, 5000)):
        source = history.id("rsv_")
        row = single(history, day, "risk_reserved_funds", "reserved_funds", cents, "Risk reserve")
        row.source = source
        other = single(
            history, day, "risk_reserved_funds", "reserved_funds", -cents, "Risk reserve"
        )
        other.source, other.at, other.balance_type = source, row.at, "risk_reserved"


def single(history: History, day: date, category: str, kind: str, cents: int, text: str) -> Row:
    return history.add(
        at=history.at(day, 5),
        category=category,
        type=kind,
        amount=cents,
        fee=0,
        source="",
        description=text,
    )


def invent_payouts(history: History) -> None:
    """Pay out each Monday what is two days old; the 30th fails and is paid by hand later."""
    history.rows.sort(key=lambda row: (row.at, row.txn))
    waiting = [row for row in history.rows if row.balance_type == "payments"]
    day = FIRST + timedelta(days=7)
    count = 0
    while day <= LAST:
        end = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=2)
        parts = [row for row in waiting if row.at < end]
        total = sum(row.net for row in parts)
        if total > 0:
            count += 1
            payout = pay_out(history, day, total, failed=count == 30)
            for row in parts:
                row.payout = payout.source
                if row.category == "charge" and row.charge:
                    row.charge.payout = payout.source
            waiting = waiting[len(parts) :]
        day += timedelta(days=7)
    history.rows.sort(key=lambda row: (row.at, row.txn))


def pay_out(history: History, day: date, cents: int, *, failed: bool) -> Row:
    at = history.at(day, 22)
    payout = payout_row(history, at, -cents, history.id("po_"))
    payout.arrives = day + timedelta(days=2)
    payout.payout_status = "failed" if failed else "paid"
    if failed:
        back = at + timedelta(days=3)
        payout.reversed_at = back
        returned = payout_row(history, back, cents, payout.source)
        returned.category, returned.type, returned.payout_status = (
            "payout_reversal",
            "payout_failure",
            "failed",
        )
        returned.arrives, returned.reversed_at = payout.arrives, back
        by_hand = payout_row(history, back + timedelta(days=1), -cents, history.id("po_"))
        by_hand.automatic, by_hand.payout_status = False, "paid"
        by_hand.arrives = by_hand.at.date() + timedelta(days=2)
    return payout


def payout_row(history: History, at: datetime, cents: int, source: str) -> Row:
    return history.add(
        at=at,
        category="payout",
        type="payout",
        amount=cents,
        fee=0,
        source=source,
        description="STRIPE PAYOUT",
    )


def invent_test_charge(history: History) -> None:
    """Add what must never be booked: a charge in test mode."""
    charge = Charge(
        id=history.id("ch_"),
        at=history.at(date(2024, 1, 3), 9),
        cents=1000,
        description="Subscription creation",
        status="Paid",
        intent=history.id("pi_"),
        email="trial@example.org",
        mode="Test",
    )
    history.charges.append(charge)


def second(at: datetime) -> str:
    """Write an instant as reports do."""
    return at.strftime("%Y-%m-%d %H:%M:%S")


def table(header: list[str], rows: list[list[str]]) -> str:
    """Write a CSV file as Stripe does: LF, quotes where needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def itemised_change(rows: list[Row]) -> str:
    header = (
        "balance_transaction_id created_utc available_on_utc currency gross fee net "
        "reporting_category source_id description customer_facing_amount charge_id "
        "payment_intent_id charge_created_utc invoice_id subscription_id customer_id "
        "customer_email automatic_payout_id dispute_reason payment_metadata[jara_kind] "
        "payment_metadata[jara_gift]"
    ).split()
    lines = []
    for row in rows:
        if row.category.startswith("payout"):
            continue
        c = row.charge
        lines.append(
            [
                row.txn,
                second(row.at),
                second(row.at + timedelta(days=2)),
                "usd",
                dollars(row.amount),
                dollars(row.fee),
                dollars(row.net),
                row.category,
                row.source,
                row.description,
                dollars(row.amount) if c else "",
                c.id if c else "",
                c.intent if c else "",
                second(c.at) if c else "",
                c.invoice if c else "",
                c.subscription if c else "",
                c.customer if c else "",
                c.email if c else "",
                row.payout,
                "fraudulent" if row.category.startswith("dispute") else "",
                "gift" if c and c.gift else "",
                c.gift if c else "",
            ]
        )
    return table(header, lines)


def itemised_payouts(rows: list[Row]) -> str:
    header = (
        "payout_id effective_at_utc currency balance_transaction_id gross fee net "
        "reporting_category description payout_expected_arrival_date payout_status "
        "payout_reversed_at_utc payout_type"
    ).split()
    lines = [
        [
            row.source,
            second(row.at),
            "usd",
            row.txn,
            dollars(row.amount),
            dollars(row.fee),
            dollars(row.net),
            row.category,
            row.description,
            row.arrives.isoformat() if row.arrives else "",
            row.payout_status,
            second(row.reversed_at) if row.reversed_at else "",
            "bank_account",
        ]
        for row in rows
        if row.category.startswith("payout")
    ]
    return table(header, lines)


def balance_history(rows: list[Row]) -> str:
    header = [
        "id",
        "Type",
        "Source",
        "Amount",
        "Fee",
        "Destination Platform Fee",
        "Net",
        "Currency",
        "Created (UTC)",
        "Available On (UTC)",
        "Description",
        "Customer Facing Amount",
        "Customer Facing Currency",
        "Transfer",
        "Transfer Date (UTC)",
        "Transfer Group",
        "jara_gift (metadata)",
        "jara_kind (metadata)",
    ]
    arrivals = {row.source: row.arrives for row in rows if row.category == "payout"}
    lines = []
    for row in reversed(rows):
        c = row.charge
        payout = row.source if row.category == "payout" else row.payout
        arrives = arrivals.get(payout) if row.payout_status != "failed" else None
        own = c is not None and row.category == "charge" and bool(c.gift)
        lines.append(
            [
                row.txn,
                row.type,
                row.source,
                dollars(row.amount),
                dollars(row.fee),
                "",
                dollars(row.net),
                "usd",
                row.at.strftime("%Y-%m-%d %H:%M"),
                (row.at + timedelta(days=2)).strftime("%Y-%m-%d %H:%M"),
                row.description,
                dollars(row.amount) if c else "",
                "usd" if c else "",
                payout,
                f"{arrives.isoformat()} 00:00" if arrives else "",
                "",
                c.gift if c and own else "",
                "gift" if own else "",
            ]
        )
    return table(header, lines)


def payments(charges: list[Charge]) -> str:
    header = [
        "id",
        "Created date (UTC)",
        "Amount",
        "Amount Refunded",
        "Currency",
        "Captured",
        "Converted Amount",
        "Converted Amount Refunded",
        "Converted Currency",
        "Decline Reason",
        "Description",
        "Fee",
        "Refunded date (UTC)",
        "Mode",
        "PaymentIntent ID",
        "Status",
        "Taxes On Fee",
        "Customer ID",
        "Customer Email",
        "Invoice ID",
        "Transfer",
        "Disputed Amount",
        "Dispute Status",
        "jara_kind (metadata)",
    ]
    lines = []
    for c in sorted(charges, key=lambda charge: (charge.at, charge.id), reverse=True):
        paid = c.status != "Failed"
        lines.append(
            [
                c.id,
                second(c.at),
                dollars(c.cents),
                dollars(c.refunded),
                "usd",
                "true" if paid else "false",
                dollars(c.cents if paid else 0),
                dollars(c.refunded),
                "usd",
                "" if paid else "insufficient_funds",
                c.description,
                dollars(card_fee(c.cents) if paid else 0),
                second(c.refunded_at) if c.refunded_at else "",
                c.mode,
                c.intent,
                c.status,
                "0.00",
                c.customer,
                c.email,
                c.invoice,
                c.payout,
                dollars(c.disputed) if c.disputed else "",
                c.dispute_status,
                "gift" if c.gift else "",
            ]
        )
    return table(header, lines)


def source_object(row: Row) -> object:
    c = row.charge
    if row.category == "charge" and c:
        return {
            "id": c.id,
            "object": "charge",
            "amount": c.cents,
            "billing_details": {"email": c.email},
            "customer": c.customer or None,
            "description": c.description,
            "metadata": {"jara_kind": "gift", "jara_gift": c.gift} if c.gift else {},
            "payment_intent": c.intent,
        }
    if c:
        kind = "refund" if row.category.startswith("refund") else "dispute"
        return {"id": row.source, "object": kind, "amount": abs(row.amount), "charge": c.id}
    if row.category.startswith("payout"):
        arrives = row.arrives or row.at.date()
        midnight = datetime(arrives.year, arrives.month, arrives.day, tzinfo=UTC)
        return {
            "id": row.source,
            "object": "payout",
            "amount": abs(row.amount),
            "arrival_date": int(midnight.timestamp()),
            "automatic": row.automatic,
            "status": row.payout_status,
        }
    return row.source or None


def balance_transactions(rows: list[Row]) -> str:
    lines = []
    for row in reversed(rows):
        fee = {"amount": row.fee, "currency": "usd", "description": "Stripe processing fees"}
        document = {
            "id": row.txn,
            "object": "balance_transaction",
            "amount": row.amount,
            "available_on": int((row.at + timedelta(days=2)).timestamp()),
            "balance_type": row.balance_type,
            "created": int(row.at.timestamp()),
            "currency": "usd",
            "description": row.description,
            "exchange_rate": None,
            "fee": row.fee,
            "fee_details": [{**fee, "application": None, "type": "stripe_fee"}] if row.fee else [],
            "net": row.net,
            "reporting_category": row.category,
            "source": source_object(row),
            "status": "available",
            "type": row.type,
        }
        lines.append(json.dumps(document, separators=(",", ":")))
    head = '{"object":"list","has_more":false,"url":"/v1/balance_transactions","data":[\n'
    return head + ",\n".join(lines) + "\n]}\n"


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
    header = "entry date description account fund amount reference".split()
    lines = [
        [e.id, e.day.isoformat(), e.description, account, fund, dollars(cents), e.reference]
        for e in entries
        for account, fund, cents in e.postings
    ]
    return table(header, lines)


def journal(entries: list[BankEntry]) -> str:
    accounts = sorted({account for e in entries for account, _, _ in e.postings})
    lines = ["; The bank's side of the sample organisation.", "commodity 1000.00 USD"]
    lines += [f"account {account}" for account in accounts]
    for e in entries:
        text = e.description.replace(";", "%3B").replace(",", "%2C")
        lines += ["", f"{e.day.isoformat()} ({e.id}) {text}", f"    ; kind:{e.kind}"]
        lines += [f"    ; reference:{e.reference}"] if e.reference else []
        lines += [f"    {a}  {dollars(cents)} USD  ; fund:{f}" for a, f, cents in e.postings]
    return "\n".join(lines) + "\n"


def expected(history: History, bank: list[BankEntry]) -> str:
    """Add the history up, from the invented facts alone."""
    rows = [row for row in history.rows if row.balance_type == "payments"]
    categories: dict[str, dict[str, int]] = {}
    for row in rows:
        sums = categories.setdefault(row.category, {"rows": 0, "amount": 0, "fee": 0, "net": 0})
        for key, value in (("rows", 1), ("amount", row.amount), ("fee", row.fee), ("net", row.net)):
            sums[key] += value
    settled = [c for c in history.charges if c.status != "Failed" and c.mode == "Live"]
    cells: defaultdict[str, int] = defaultdict(int)
    for entry in bank:
        for account, fund, cents in entry.postings:
            cells[f"{account} {fund}"] += cents
    document = {
        "stripe": {
            "rows": len(rows),
            "otherBalances": len(history.rows) - len(rows),
            "netCents": sum(row.net for row in rows),
            "categories": dict(sorted(categories.items())),
            "pledgesCents": sum(c.cents for c in settled if not c.gift),
            "giftsCents": sum(c.cents for c in settled if c.gift),
        },
        "payments": {
            "rows": len(history.charges),
            "notMoney": len(history.charges) - len(settled),
            "charges": len(settled),
            "refunds": sum(1 for c in settled if c.refunded),
            "chargesCents": sum(c.cents for c in settled),
            "feesCents": sum(card_fee(c.cents) for c in settled),
            "refundsCents": sum(c.refunded for c in settled),
        },
        "bank": {
            "entries": len(bank),
            "postings": sum(len(entry.postings) for entry in bank),
            "cells": dict(sorted(cells.items())),
        },
    }
    return json.dumps(document, indent=2) + "\n"


def sample_files() -> dict[str, str]:
    """Return the text of each sample file by its name."""
    history = History(random.Random(SEED))
    invent_pledges(history)
    invent_gifts(history)
    invent_refunds(history)
    invent_stripe_fees(history)
    invent_payouts(history)
    invent_test_charge(history)
    history.rows = [row for row in history.rows if row.at.date() <= LAST + timedelta(days=5)]
    ours = [row for row in history.rows if row.balance_type == "payments"]
    bank = invent_bank_side(random.Random(SEED + 1))
    return {
        "balance_change_itemized.csv": itemised_change(ours),
        "payouts_itemized.csv": itemised_payouts(ours),
        "balance_history.csv": balance_history(ours),
        "unified_payments.csv": payments(history.charges),
        "balance_transactions.json": balance_transactions(history.rows),
        "bank.csv": ledger_csv(bank),
        "bank.journal": journal(bank),
        "expected.json": expected(history, bank),
    }


def main() -> None:
    """Write the files into the folder named, or beside this script."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sample_files().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main()
