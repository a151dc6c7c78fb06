"""The electoral roll: everyone who counts towards a vote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jara.domain.errors import InvalidInput


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
    voided: Iterable[str] = (),
) -> ElectoralRoll:
    """Return today's changemakers and everyone who has voted.

    A member whose ballot was voided is on the roll only if they are a changemaker. Voters
    who left stay on it.

    Args:
        proposal_id: the proposal.
        changemakers: the members who may vote today; all three lists are tokens, or all ids.
        voted: the members who cast a ballot, voided or not.
        voided: the members whose ballot was voided.
    """
    electors = set(changemakers) | (set(voted) - set(voided))
    return ElectoralRoll(proposal_id, tuple(sorted(electors)))
