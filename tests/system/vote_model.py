"""The expected result of each vote, from sets and one-line rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Count = tuple[int, int, int, int]
"""Yes, no, void, and the size of the roll."""


@dataclass
class Vote:
    """A vote: choices, voided ballots and the result."""

    cast: dict[str, str] = field(default_factory=dict)
    void: set[str] = field(default_factory=set)
    result: Count | None = None
    withdrawn: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether it may still be closed."""
        return self.result is None and not self.withdrawn

    def count(self, electors: Iterable[str]) -> Count:
        """Count the vote; the roll is today's changemakers and everybody with a valid ballot."""
        if self.result is not None:
            return self.result
        standing = {member: self.cast[member] for member in self.cast if member not in self.void}
        chosen = list(standing.values())
        roll = len({*electors, *standing})
        return chosen.count("up"), chosen.count("down"), len(self.void), roll

    @property
    def passed(self) -> bool:
        """Return whether at least half of the roll voted yes."""
        assert self.result is not None
        return self.result[3] > 0 and 2 * self.result[0] >= self.result[3]


@dataclass
class VoteModel:
    """All votes."""

    votes: dict[str, Vote] = field(default_factory=dict)

    @property
    def open_ones(self) -> dict[str, Vote]:
        """Return the undecided votes."""
        return {name: vote for name, vote in self.votes.items() if vote.is_open}

    def void_lost(self, ever: Iterable[str], has_qualifying: Callable[[str], bool]) -> None:
        """Void the ballots of people without a remaining contribution, including former members.

        Leaving itself voids nothing.
        """
        lost = {member for member in ever if not has_qualifying(member)}
        for vote in self.open_ones.values():
            vote.void |= lost & vote.cast.keys()
