"""Two years of pledges, gifts, refunds, disputes, fees and payouts, drawn with dice."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta

from tests.data.generators.history import (
    DISPUTE_FEE,
    FIRST,
    FIRST_NAMES,
    GIFTS,
    LAST,
    LAST_NAMES,
    MEMBERS,
    PLEDGES,
    Charge,
    History,
    Member,
    Row,
)

CARD_FAILS, GIVES_UP, LEAVES = 0.04, 0.3, 0.025
"""How likely it is each month, that nobody mends the card, and that somebody ends the pledge."""

FAILED_PAYOUT = 30
"""The payout that the bank sends back."""


def month_day(year: int, month: int, day: int) -> date:
    """Return that day of a month, or its last day."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day - 1), following - timedelta(days=1))


def invent_members(history: History) -> list[Member]:
    """Invent the people, each with a pledge and a day of the month."""
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
    """Charge a member's card on a day."""
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
    """Charge every pledge each month until it ends; some cards fail, some people leave."""
    dice = history.dice
    for member in invent_members(history):
        first = True
        year, month = member.joined.year, member.joined.month
        while (day := month_day(year, month, member.anchor)) <= LAST:
            year, month = year + month // 12, month % 12 + 1
            if day < member.joined:
                continue
            fails = not first and dice.random() < CARD_FAILS
            charge_member(history, member, day, first=first, fails=fails)
            first = False
            if fails:
                again = day + timedelta(days=3)
                if again > LAST or dice.random() < GIVES_UP:
                    break
                charge_member(history, member, again, first=False, fails=False)
            if dice.random() < LEAVES:
                break


def invent_gifts(history: History) -> None:
    """Add gifts of people without a pledge."""
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
    """Give cents of a charge back after some days."""
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
    """Give some charges back, whole or in part, and let others be disputed."""
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
    """Let a payer dispute a charge; a lost one keeps the money and the fee."""
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
    """Add Stripe's monthly fees, which grow with the month's volume, and what it keeps back."""
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
    """Add a row that belongs to no charge."""
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
            payout = pay_out(history, day, total, failed=count == FAILED_PAYOUT)
            for row in parts:
                row.payout = payout.source
                if row.category == "charge" and row.charge:
                    row.charge.payout = payout.source
            waiting = waiting[len(parts) :]
        day += timedelta(days=7)
    history.rows.sort(key=lambda row: (row.at, row.txn))


def pay_out(history: History, day: date, cents: int, *, failed: bool) -> Row:
    """Send a balance to the bank; a failed payout comes back."""
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
    """Add the row of a payout."""
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
