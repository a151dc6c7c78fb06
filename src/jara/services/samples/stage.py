"""The stage of the demo organisation: clock, invented members and their turns, votes."""

from collections.abc import Callable, Collection, Iterator
from datetime import date, datetime, timedelta
from enum import StrEnum
from random import Random
from typing import NamedTuple, TypeVar

from jara.domain.errors import InvalidInput
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MIN
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from jara.services.ballots.counting import count_open, show_roll, voters_among
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.members.accounts import close_account
from jara.services.ports.outside import PasswordHasher
from jara.services.ports.payments import SandboxClockwork
from jara.services.samples.plan import DemoFiles

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


class StoryClock:
    """A clock that the story moves."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the instant of the story."""
        return self.at


class Stage(NamedTuple):
    """What the simulation runs on."""

    context: Context  # of a new organisation, with the simulated clock and seeded randomness
    clock: StoryClock  # the story's clock
    clockwork: SandboxClockwork
    strong_hasher: PasswordHasher
    """Hashes the password of the member one can sign in as; the others have cheap hashes, since
    nobody knows their passwords."""


def story_start(files: DemoFiles, end: date) -> datetime:
    """Return the start of the story's books: two years before its end, or earlier for old votes.

    Raises:
        InvalidInput: the end is too early; the last past vote has just ended, or not yet.
    """
    last = files.last_vote_on() + timedelta(days=1)
    if end <= last:
        raise InvalidInput(
            f"Today is {end}, but the sample's last past vote ended on {files.last_vote_on()}; "
            "the clock of this computer seems to be wrong."
        )
    begin = min(end - timedelta(days=730), files.first_vote_on() - timedelta(days=270))
    return UTC_ZONE.start_of(begin.replace(day=1)) + timedelta(hours=8)


Act = Callable[[], object]
Agenda = Callable[[datetime, Act], None]
"""Schedules an action at a time."""

_GOOD_CARD = "pm_card_visa"
_BAD_CARD = "pm_card_chargeCustomerFail"
_PAUSE = timedelta(days=40)
_NOTICED_AFTER = timedelta(days=4)


def plan_turn(context: Context, actor: Actor, member_id: str, agenda: Agenda) -> None:
    """Schedule what a member does."""

    def pause() -> None:
        pledging.pause_pledge(context, member_id)
        agenda(actor.turns_at + _PAUSE, lambda: pledging.resume_pledge(context, member_id))

    def fail() -> None:
        pledging.replace_card(context, member_id, _BAD_CARD)

    def fail_and_recover() -> None:
        charge_on = pledging.replace_card(context, member_id, _BAD_CARD).next_charge_on
        charged_on = charge_on or context.zone.day_of(actor.turns_at)
        noticed_at = context.zone.start_of(charged_on) + timedelta(hours=14) + _NOTICED_AFTER
        agenda(noticed_at, lambda: pledging.replace_card(context, member_id, _GOOD_CARD))

    more = int(str(actor.form.contribution)) + 5
    acts: dict[Turn, Act] = {
        Turn.GIVES_MORE: lambda: pledging.change_amount(context, member_id, more),
        Turn.LEAVES: lambda: pledging.cancel_pledge(context, member_id),
        Turn.CLOSES: lambda: close_account(context, member_id),
        Turn.SKIPS: lambda: pledging.skip_next(context, member_id),
        Turn.PAUSES: pause,
        Turn.CARD_FAILS: fail,
        Turn.CARD_RECOVERS: fail_and_recover,
    }
    if actor.turn in acts:
        agenda(actor.turns_at, acts[actor.turn])


class Turnout(NamedTuple):
    """The parts of the roll that vote yes and no, in percent."""

    yes: int
    no: int

    @property
    def half(self) -> "Turnout":
        """Half of the turnout, for the middle of a vote."""
        return Turnout(self.yes // 2, self.no // 2)


PASSES = Turnout(62, 12)
FAILS = Turnout(28, 36)
UNDECIDED = Turnout(30, 8)


def vote_until(
    context: Context, proposal: str, turnout: Turnout, *, spare: Collection[str], random: Random
) -> None:
    """Let members vote until the turnout is reached, which includes existing ballots.

    `spare` are the keys of members who do not vote; `random` chooses who votes.
    """
    with context.store.read() as work:
        yes, no = count_open(context, work, proposal)
        electors = work.electors.member_ids(context.now())
        voted = voters_among(context, work, proposal, electors)
        spared = {member.id for key in spare if (member := work.members.by_key(key))}
    roll = show_roll(context, proposal).size
    missing_yes = max(0, -(-turnout.yes * roll // 100) - yes)
    missing_no = max(0, turnout.no * roll // 100 - no)
    choices = [Choice.UP] * missing_yes + [Choice.DOWN] * missing_no
    left = sorted(electors - voted - spared)
    random.shuffle(left)
    random.shuffle(choices)
    for member_id, choice in zip(left, choices, strict=False):
        cast_ballot(context, proposal, member_id, choice)
