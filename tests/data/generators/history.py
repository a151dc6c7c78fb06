"""What happens to the invented organisation at Stripe: charges, and rows of its balance."""

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

SEED = 20240101
FIRST = date(2024, 1, 1)
LAST = date(2025, 12, 31)
MEMBERS = 240
GIFTS = 60
DISPUTE_FEE = 1500

FIRST_NAMES = [
    "Abena",
    "Akua",
    "Amara",
    "Ayo",
    "Binta",
    "Chidi",
    "Dalila",
    "Efua",
    "Fatou",
    "Gifty",
    "Hawa",
    "Imani",
    "Jabari",
    "Kofi",
    "Kwame",
    "Lindiwe",
    "Makena",
    "Marlon",
    "Nia",
    "Nkechi",
    "Obi",
    "Pauline",
    "Rashid",
    "Sade",
    "Shanice",
    "Tafari",
    "Thandi",
    "Winston",
    "Yaw",
    "Zuri",
]
LAST_NAMES = [
    "Adeyemi",
    "Baptiste",
    "Campbell",
    "Diallo",
    "Eze",
    "Francis",
    "Gordon",
    "Haile",
    "Ibrahim",
    "Joseph",
    "Kamau",
    "Lewis",
    "Mensah",
    "Ndiaye",
    "Okafor",
    "Palmer",
    "Quartey",
    "Roberts",
    "Sesay",
    "Toure",
    "Uwimana",
    "Williams",
    "Yeboah",
    "Zulu",
]
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
