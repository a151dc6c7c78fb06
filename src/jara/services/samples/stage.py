"""The stage of the demo organisation: clock, turns of the months, votes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from random import Random
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from jara.services.ballots.counting import count_open, show_roll, voters_among
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    change_amount,
    pause_pledge,
    replace_card,
    resume_pledge,
    skip_next,
)
from jara.services.members.accounts import close_account
from jara.services.ports.outside import PasswordHasher
from jara.services.ports.payments import SandboxClockwork
from jara.services.samples.people import Actor, Turn
from jara.services.samples.plan import DemoFiles


class StoryClock:
    """A clock that the story moves."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the instant of the story."""
        return self.at


class Stage(NamedTuple):
    """What the simulation runs on.

    Args:
        context: of a new organisation, with the simulated clock and seeded randomness.
        clock: the story's clock.
        strong_hasher: hashes the password of the member one can sign in as; the others
            have cheap hashes, since nobody knows their passwords.
    """

    context: Context
    clock: StoryClock
    clockwork: SandboxClockwork
    strong_hasher: PasswordHasher


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
        pause_pledge(context, member_id)
        agenda(actor.turns_at + _PAUSE, lambda: resume_pledge(context, member_id))

    def fail() -> None:
        replace_card(context, member_id, _BAD_CARD)

    def fail_and_recover() -> None:
        charge_on = replace_card(context, member_id, _BAD_CARD).next_charge_on
        charged_on = charge_on or context.zone.day_of(actor.turns_at)
        noticed_at = context.zone.start_of(charged_on) + timedelta(hours=14) + _NOTICED_AFTER
        agenda(noticed_at, lambda: replace_card(context, member_id, _GOOD_CARD))

    more = int(str(actor.form.contribution)) + 5
    acts: dict[Turn, Act] = {
        Turn.GIVES_MORE: lambda: change_amount(context, member_id, more),
        Turn.LEAVES: lambda: cancel_pledge(context, member_id),
        Turn.CLOSES: lambda: close_account(context, member_id),
        Turn.SKIPS: lambda: skip_next(context, member_id),
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
    def half(self) -> Turnout:
        """Half of the turnout, for the middle of a vote."""
        return Turnout(self.yes // 2, self.no // 2)


PASSES = Turnout(62, 12)
FAILS = Turnout(28, 36)
UNDECIDED = Turnout(30, 8)


def vote_until(
    context: Context, proposal: str, turnout: Turnout, *, spare: Collection[str], random: Random
) -> None:
    """Let members vote until the turnout is reached.

    Args:
        proposal: its id.
        turnout: the target, which includes existing ballots.
        spare: keys of members who do not vote.
        random: chooses who votes.
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
