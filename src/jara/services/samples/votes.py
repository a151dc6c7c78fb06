"""How the members of the demonstration vote."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from jara.services.ballots.counting import show_roll
from jara.services.ballots.participation import voters_among
from jara.services.context import Context


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
        context: the application's context.
        proposal: its id.
        turnout: the target, which includes existing ballots.
        spare: keys of members who do not vote.
        random: chooses who votes.
    """
    with context.store.read() as work:
        yes, no, _ = work.ballots.counts(proposal)
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
