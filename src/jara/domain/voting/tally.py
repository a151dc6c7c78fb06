"""Counting a vote: the choices, the electoral roll and the tally, in integer arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from jara.domain.errors import InvalidInput


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


@dataclass(frozen=True, slots=True)
class VoteRule:
    """When a vote passes: the share of the roll that must vote yes; by default one half (spec §9).

    A proposal stores its rule when it opens, so later rules do not affect it.
    """

    num: int = 1
    den: int = 2
    of: str = "roll"

    def __post_init__(self) -> None:
        if not 0 < self.num <= self.den:
            raise InvalidInput(
                f"{self.num}/{self.den} is not a rule; it must be more than 0 and at most 1."
            )
        if self.of != "roll":
            raise InvalidInput(f"A rule counts against the roll, not against '{self.of}'.")

    def passes(self, tally: Tally) -> bool:
        """Return whether a vote passes.

        The roll includes members who did not vote. No vote passes with an empty roll.
        """
        return tally.roll > 0 and self.den * tally.yes >= self.num * tally.roll

    def needed(self, tally: Tally) -> int:
        """Return how many more yes votes a vote needs to pass."""
        return max(0, max(1, -(-self.num * tally.roll // self.den)) - tally.yes)

    @property
    def percent_up(self) -> int:
        """The share in whole per cent, rounded up, where charts draw it."""
        return -(-100 * self.num // self.den)

    def threshold(self, percent: Callable[[str], str] = "{}%".format) -> str:
        """Return the share in words: ``50%``, or ``2/3`` if that is not a whole percentage.

        Args:
            percent: writes a whole percentage as its reader's language does.
        """
        whole, rest = divmod(100 * self.num, self.den)
        return f"{self.num}/{self.den}" if rest else percent(str(whole))


DEFAULT_RULE = VoteRule()
"""Half of the roll (spec §9); a proposal keeps the rule it was opened with."""


@dataclass(frozen=True)
class VoteCounts:
    """The counts of a vote for the API and the CLI; percentages are of the roll.

    Those of an open vote that shows its figures at the close are None.
    """

    yes: int | None
    no: int | None
    void: int
    roll: int
    not_voted: int | None
    needed: int | None
    upvote_percentage: float | None
    downvote_percentage: float | None
    rule: VoteRule
    passes: bool | None
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
        is_hidden: whether nobody may see the counts now; then they are 0 and were not counted.
    """

    yes: int
    no: int
    roll: int
    void: int = 0
    is_hidden: bool = False

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

    def counts(self, rule: VoteRule, *, final: bool) -> VoteCounts:
        """Return the counts as people see them.

        Args:
            rule: the rule the proposal was opened with.
            final: whether the vote is closed and its roll frozen.
        """
        if self.is_hidden:
            return VoteCounts(
                yes=None,
                no=None,
                void=0,
                roll=self.roll,
                not_voted=None,
                needed=None,
                upvote_percentage=None,
                downvote_percentage=None,
                rule=rule,
                passes=None,
                final=final,
            )
        return VoteCounts(
            yes=self.yes,
            no=self.no,
            void=self.void,
            roll=self.roll,
            not_voted=self.not_voted,
            needed=rule.needed(self),
            upvote_percentage=percent_number(self.yes_tenths),
            downvote_percentage=percent_number(self.no_tenths),
            rule=rule,
            passes=rule.passes(self),
            final=final,
        )


def percent_number(tenths: int) -> float:
    """Return tenths of a percent as a number with one decimal, for display only."""
    return tenths / 10


def _tenths(part: int, roll: int) -> int:
    return part * 1000 // roll if roll else 0
