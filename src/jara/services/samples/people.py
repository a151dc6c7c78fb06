"""Invented members of the demo: who joins when, and what they do later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random
from typing import NamedTuple, TypeVar

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MIN

SHOWN_EMAIL = "ama.mensah@example.org"
SHOWN_PASSWORD = "kente-harbour-sunrise"  # noqa: S105 - shown to users of the demo
"""The member whose sign-in the demo shows."""

_FIRST_NAMES = """
Kofi Adaeze Marlon Wanjiru Jean Thandiwe Kwame Imani Desmond Ngozi Patrice Zuri Errol Chipo Yaw
Simone Tunde Aisha Winston Folake Baraka Keisha Emeka Nia Delroy Makena Fabrice Abena Trevor
Wambui Sekou Yvonne Obinna Leticia Kamau Sharon Babajide Esi Clive Amara
"""
_LAST_NAMES = """
Osei Okafor Campbell Mwangi Baptiste Ndlovu Boateng Otieno Brown Eze Pierre Mushi Grant Banda
Asante Joseph Adeyemi Hassan Clarke Balogun Mrema Williams Nwosu Charles Reid Kariuki Toussaint
Owusu Bailey Njoroge Diallo Alleyne Obi Francois Mutua Henry
"""
_FIRST, _LAST = _FIRST_NAMES.split(), _LAST_NAMES.split()
_COUNTRIES = (
    ("Canada", 40),
    ("United States", 25),
    ("United Kingdom", 15),
    ("France", 5),
    ("Germany", 5),
    ("Jamaica", 4),
    ("Ghana", 3),
    ("Nigeria", 3),
)
_DOLLARS = ((PLEDGE_DOLLARS_MIN, 25), (10, 40), (15, 8), (20, 15), (25, 6), (50, 5), (100, 1))
_DAYS = ((BillingDay.CURRENT, 60), (BillingDay.FIRST, 25), (BillingDay.TWENTY_EIGHTH, 15))
_SETTLED = timedelta(days=75)

Value = TypeVar("Value")


class Turn(StrEnum):
    """What may happen to a member's pledge."""

    STAYS = "stays"
    GIVES_MORE = "gives more"
    LEAVES = "leaves"
    CLOSES = "closes"
    PAUSES = "pauses"
    SKIPS = "skips"
    CARD_FAILS = "card fails"
    CARD_RECOVERS = "card recovers"


_TURNS = (
    (Turn.STAYS, 78),
    (Turn.GIVES_MORE, 8),
    (Turn.LEAVES, 5),
    (Turn.PAUSES, 3),
    (Turn.SKIPS, 3),
    (Turn.CARD_FAILS, 1),
    (Turn.CARD_RECOVERS, 1),
    (Turn.CLOSES, 1),
)
_FIRST_TURNS = {
    3: Turn.GIVES_MORE,
    4: Turn.CARD_RECOVERS,
    5: Turn.LEAVES,
    6: Turn.PAUSES,
    7: Turn.CARD_FAILS,
    8: Turn.SKIPS,
    9: Turn.CLOSES,
}
"""Fixed for the first members, so that a small sample has one of each."""


class Actor(NamedTuple):
    """A member of the story."""

    form: RegistrationForm
    joins_at: datetime
    turn: Turn
    turns_at: datetime


def cast_of(count: int, *, start: datetime, end: datetime, random: Random) -> Iterator[Actor]:
    """Invent members who join one after another, more and more often."""
    span = (end - start - timedelta(days=10)).total_seconds()
    for number in range(count):
        part = (number / count) ** 0.8
        joins_at = start + timedelta(days=1, hours=9, seconds=int(part * span))
        turns_at = joins_at + _SETTLED + timedelta(days=random.randrange(120))
        drawn = _draw(_TURNS, random)
        is_settled = turns_at < end - timedelta(days=30)
        turn = _FIRST_TURNS.get(number, drawn) if number and is_settled else Turn.STAYS
        yield Actor(_form(number, random), joins_at, turn, turns_at)


def _form(number: int, random: Random) -> RegistrationForm:
    first = _FIRST[number % len(_FIRST)]
    last = _LAST[number * 7 % len(_LAST)]
    dollars, day = _draw(_DOLLARS, random), _draw(_DAYS, random)
    shown = number == 0
    return RegistrationForm(
        firstname="Ama" if shown else first,
        lastname="Mensah" if shown else last,
        email=SHOWN_EMAIL if shown else f"{first}.{last}.{number}@example.org".lower(),
        password=SHOWN_PASSWORD if shown else f"sample-{number}-{random.randrange(10**9)}",
        country=_draw(_COUNTRIES, random),
        notifications=random.random() < 0.7,  # noqa: PLR2004 - seven in ten want news
        privacy_policy=True,
        contribution=20 if shown else dollars,
        billing_day=BillingDay.CURRENT if shown or number < 3 else day,  # noqa: PLR2004 - these vote soon
    )


def _draw(weighted: tuple[tuple[Value, int], ...], random: Random) -> Value:
    values = [value for value, _ in weighted]
    return random.choices(values, [weight for _, weight in weighted])[0]
