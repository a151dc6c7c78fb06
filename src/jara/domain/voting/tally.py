"""Counting a vote: the choices, the electoral roll and the tally, in integer arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from jara.domain.errors import InvalidInput
from jara.domain.voting.proposal import VoteRule


class Choice(StrEnum):
    """Yes or no, as written in the public log."""

    UP = "up"
    DOWN = "down"

    @property
    def wire(self) -> str:
        """The value in API calls: ``upvote`` or ``downvote`` (spec §3)."""
        return f"{self}vote"


def parse_choice(text: str) -> Choice:
    """Read ``upvote`` or ``downvote``, or ``up`` or ``down`` as in the log.

    Raises:
        InvalidInput: anything else.
    """
    for choice in Choice:
        if text in {choice.value, choice.wire}:
            return choice
    raise InvalidInput(
        "'{text}' is not a vote; use up or down (upvote or downvote).", text=text[:20]
    )


@dataclass(frozen=True, slots=True)
class ElectoralRoll:
    """The electors of one proposal, sorted and distinct; frozen when the vote closes."""

    proposal_id: str
    electors: tuple[str, ...]

    def __post_init__(self) -> None:
        if list(self.electors) != sorted(set(self.electors)):
            raise InvalidInput(
                f"The roll of {self.proposal_id} is not sorted, or names an elector twice."
            )

    def __len__(self) -> int:
        return len(self.electors)


def make_roll(
    proposal_id: str,
    *,
    changemakers: Iterable[str],
    voted: Iterable[str],
) -> ElectoralRoll:
    """Return today's changemakers and everyone whose ballot counts, also those who left.

    Args:
        proposal_id: the proposal.
        changemakers: the members who may vote today; both lists are tokens, or both ids.
        voted: the members whose ballot counts.
    """
    return ElectoralRoll(proposal_id, tuple(sorted({*changemakers, *voted})))


@dataclass(frozen=True)
class VoteCounts:
    """The counts of a vote for the API and the CLI; percentages are of the roll."""

    yes: int
    no: int
    void: int
    roll: int
    not_voted: int
    needed: int
    upvote_percentage: float
    downvote_percentage: float
    rule: VoteRule
    passes: bool
    final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts of one vote.

    Args:
        yes: valid ballots for it.
        no: valid ballots against it.
        roll: the number of electors, whether they voted or not; of an open vote, the changemakers
            of today.
        void: voided ballots, which do not count.
    """

    yes: int
    no: int
    roll: int
    void: int = 0

    def __post_init__(self) -> None:
        if min(self.yes, self.no, self.roll, self.void) < 0:
            raise InvalidInput(f"{self} has a negative count.")

    @property
    def not_voted(self) -> int:
        """The number of electors without a valid ballot."""
        return self._base - self.yes - self.no

    @property
    def yes_tenths(self) -> int:
        """Yes votes in tenths of a percent of the roll, rounded down."""
        return _tenths(self.yes, self._base)

    @property
    def no_tenths(self) -> int:
        """No votes in tenths of a percent of the roll, rounded down."""
        return _tenths(self.no, self._base)

    @property
    def _base(self) -> int:
        """What shares are parts of; voters who lapsed can outnumber the roll of an open vote."""
        return max(self.roll, self.yes + self.no)

    def passes(self, rule: VoteRule) -> bool:
        """Return whether the vote passes: by default, if half of the roll votes yes (spec §9).

        The roll includes members who did not vote. No vote passes with an empty roll.
        """
        return self.roll > 0 and rule.den * self.yes >= rule.num * self.roll

    def needed(self, rule: VoteRule) -> int:
        """Return how many more yes votes it needs to pass."""
        threshold = -(-rule.num * self.roll // rule.den)
        return max(0, max(1, threshold) - self.yes)

    def counts(self, rule: VoteRule, *, final: bool) -> VoteCounts:
        """Return the counts as people see them.

        Args:
            rule: the rule the proposal was opened with.
            final: whether the vote is closed and its roll frozen.
        """
        return VoteCounts(
            yes=self.yes,
            no=self.no,
            void=self.void,
            roll=self.roll,
            not_voted=self.not_voted,
            needed=self.needed(rule),
            upvote_percentage=percent_number(self.yes_tenths),
            downvote_percentage=percent_number(self.no_tenths),
            rule=rule,
            passes=self.passes(rule),
            final=final,
        )


def percent_number(tenths: int) -> float:
    """Return tenths of a percent as a number with one decimal, for display only."""
    return tenths / 10


def _tenths(part: int, roll: int) -> int:
    return part * 1000 // roll if roll else 0
