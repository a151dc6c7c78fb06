"""The expected result of each vote, from sets and one-line rules."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Count = tuple[int, int, int, int]
"""Yes, no, void, and the size of the roll."""


@dataclass
class Vote:
    """A vote: choices and the result."""

    cast: dict[str, str] = field(default_factory=dict)
    result: Count | None = None
    withdrawn: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether it may still be closed."""
        return self.result is None and not self.withdrawn

    def count(self, electors: Iterable[str]) -> Count:
        """Return the result; while it is open, all ballots and today's changemakers."""
        if self.result is not None:
            return self.result
        chosen = list(self.cast.values())
        return chosen.count("up"), chosen.count("down"), 0, len(set(electors))

    def close(self, electors: Iterable[str], gave_vote: Callable[[str], bool]) -> None:
        """Count the ballots of people with a payment for this vote, also of former members.

        The roll is the changemakers and everybody whose ballot counts.
        """
        counted = {who: choice for who, choice in self.cast.items() if gave_vote(who)}
        chosen = list(counted.values())
        void = len(self.cast) - len(counted)
        self.result = (chosen.count("up"), chosen.count("down"), void, len({*electors, *counted}))

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
