"""The voting report: the results of votes, and the payouts for their proposals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Json
from jara.domain.errors import InvalidInput
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod, Title
from jara.domain.voting.tally import Tally, VoteCounts, VoteRule, percent_number


@dataclass(frozen=True)
class FinalCounts(VoteCounts):
    """The counts of a decided vote, and its turnout."""

    turnout_percentage: float


class VoteCount(NamedTuple):
    """The final count of a decided proposal and the rule it was opened with (spec §9)."""

    tally: Tally
    rule: VoteRule
    off_roll: Mapping[str, int] = MappingProxyType({})
    """Members who were not on the roll, by reason; empty for votes that 0.2.0 closed."""

    @property
    def passes(self) -> bool:
        """Whether the rule is met."""
        return self.rule.passes(self.tally)

    @property
    def needed(self) -> int:
        """The number of missing yes votes; 0 if it passed."""
        return self.rule.needed(self.tally)

    @property
    def turnout_tenths(self) -> int:
        """Share of the roll that voted, in tenths of a percent, floored."""
        tally = self.tally
        return 1000 * (tally.yes + tally.no) // tally.roll if tally.roll else 0

    def final(self) -> FinalCounts:
        """Return the counts as people see them."""
        counts = vars(self.tally.counts(self.rule, final=True))
        return FinalCounts(**counts, turnout_percentage=percent_number(self.turnout_tenths))


@dataclass(frozen=True, slots=True)
class ProposalRecord:
    """One proposal, its result and its payouts."""

    id: str
    slug: str
    title: Title
    status: str
    ends: Annotated[date, Json("endDate")]
    goal_cents: int
    vote: Annotated[VoteCount | None, Json("tally", write=VoteCount.final, kind=FinalCounts | None)]
    """None while the vote is open."""
    held_cents: int = 0
    queued_cents: int = 0
    released_cents: int = 0
    payouts: tuple[Payout, ...] = ()

    def __post_init__(self) -> None:
        if self.status == "open" and self.vote is not None:
            raise InvalidInput(f"The vote on '{self.title}' is open; reports have no count for it.")

    def require_vote(self) -> VoteCount:
        """Return the final count.

        Raises:
            InvalidInput: the proposal is not decided.
        """
        if self.vote is None:
            raise InvalidInput(f"'{self.title}' is not decided; it has no final count.")
        return self.vote

    @property
    def paid_cents(self) -> Annotated[int, Json(after="queued_cents")]:
        """The amount paid out for it."""
        return sum(payout.cents for payout in self.payouts)


@dataclass(frozen=True, slots=True)
class VotingReport:
    """The votes of a period; decided ones have a count, open ones do not."""

    organisation: str
    imprint: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    period: ReportPeriod
    books: BooksMark
    decided: tuple[ProposalRecord, ...]
    open: tuple[ProposalRecord, ...]

    def __post_init__(self) -> None:
        for record in self.decided:
            record.require_vote()
