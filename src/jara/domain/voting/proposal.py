"""Proposals: their text, their states, and when they accept ballots."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from jara.domain.content.kinds import AT_CLOSE
from jara.domain.errors import Conflict, IllegalTransition, InvalidInput, VotingClosed
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.domain.voting.tally import DEFAULT_RULE, VoteRule

_BARE_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)


def parse_end(text: str) -> datetime:
    """Parse the end of a vote: the first UTC instant at which no ballot is accepted.

    A date means the end of that day in UTC; an instant has a time zone. `fix_end` writes the end
    of a day elsewhere as an instant.

    Raises:
        InvalidInput: it is not like ``2026-11-30`` or ``2026-11-30T18:00:00Z``.
    """
    try:
        if _BARE_DATE.fullmatch(text):
            return UTC_ZONE.start_of(date.fromisoformat(text) + timedelta(days=1))
        if _INSTANT.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput(
        f"'{text[:40]}' is not an end of a vote; write a day like 2026-11-30, "
        "or an instant like 2026-11-30T18:00:00Z."
    )


def format_instant(at: datetime) -> str:
    """Format an instant in ISO 8601, UTC, without a zero fraction of a second."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


class ProposalStatus(StrEnum):
    """The state of a proposal."""

    DRAFT = "draft"
    OPEN = "open"
    PASSED = "passed"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    FUNDED = "funded"


TRANSITIONS: dict[ProposalStatus, frozenset[ProposalStatus]] = {
    ProposalStatus.DRAFT: frozenset({ProposalStatus.OPEN, ProposalStatus.WITHDRAWN}),
    ProposalStatus.OPEN: frozenset(
        {ProposalStatus.PASSED, ProposalStatus.REJECTED, ProposalStatus.WITHDRAWN}
    ),
    ProposalStatus.PASSED: frozenset({ProposalStatus.FUNDED}),
    ProposalStatus.REJECTED: frozenset(),
    ProposalStatus.WITHDRAWN: frozenset(),
    ProposalStatus.FUNDED: frozenset(),
}
DECIDED = frozenset({ProposalStatus.PASSED, ProposalStatus.REJECTED, ProposalStatus.FUNDED})
"""The states of a proposal whose vote has a result."""

PAYABLE = frozenset({ProposalStatus.PASSED, ProposalStatus.FUNDED})
"""The states in which money may be paid for a proposal."""

LISTED = frozenset({ProposalStatus.OPEN, *DECIDED, ProposalStatus.WITHDRAWN})
"""The states in which the site's lists, feeds and map show a proposal that was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A project that changemakers vote on."""

    text: Mapping[str, Any]
    """A filled document of the kind ``PROPOSAL`` in ``jara.domain.content.kinds``."""
    status: ProposalStatus = ProposalStatus.DRAFT
    rule: VoteRule = DEFAULT_RULE  # the rule it was opened with; before opening, the current rule
    opened_at: datetime | None = None  # UTC instant of opening
    decided_at: datetime | None = None  # UTC instant of closing

    def __post_init__(self) -> None:
        parse_end(self.ends_text)

    @property
    def id(self) -> str:
        """Its id in the public log."""
        return str(self.text["id"])

    @property
    def slug(self) -> str:
        """Its name in links."""
        return str(self.text["slug"])

    @property
    def title(self) -> str:
        """Its title, in its own language."""
        return str(self.text["title"])

    @property
    def goal_cents(self) -> int:
        """The required amount."""
        return int(self.text["fundingGoalCents"])

    @property
    def ends_text(self) -> str:
        """The end as the operator entered it, or as `fix_end` wrote it."""
        return str(self.text["endDate"])

    @property
    def ends_at(self) -> datetime:
        """The first UTC instant at which no ballot is accepted."""
        return parse_end(self.ends_text)

    @property
    def hides_figures(self) -> bool:
        """Whether nobody sees its figures now: the vote is open, and it shows them at the close."""
        is_at_close = self.text.get("figures") == AT_CLOSE
        return is_at_close and self.status is ProposalStatus.OPEN

    @property
    def is_sample(self) -> bool:
        """Whether it is sample content."""
        return "sample" in self.text

    def with_text(self, **changes: object) -> "Proposal":
        """Return the proposal with some keys of its text changed."""
        return replace(self, text={**self.text, **changes})

    @property
    def is_public(self) -> bool:
        """Whether visitors may read it, that is, whether it was ever opened."""
        if self.status is ProposalStatus.WITHDRAWN:
            return self.opened_at is not None
        return self.status is not ProposalStatus.DRAFT

    def last_day(self, zone: TimeZone) -> date:
        """Return the last day on which a ballot is accepted."""
        return zone.day_of(self.ends_at - timedelta(microseconds=1))

    def takes_ballots(self, now: datetime) -> bool:
        """Return whether ballots are accepted at an instant: the vote is open and has not ended."""
        return self.status is ProposalStatus.OPEN and now < self.ends_at


def move_proposal(proposal: Proposal, status: ProposalStatus) -> Proposal:
    """Move a proposal to a state; repeating a move is an error.

    Raises:
        IllegalTransition: the transition is not allowed.
    """
    if status not in TRANSITIONS[proposal.status]:
        raise IllegalTransition(
            f"The proposal '{proposal.slug}' is {proposal.status}; it cannot become {status}."
        )
    return replace(proposal, status=status)


def require_draft(proposal: Proposal) -> None:
    """Require that a proposal is a draft, so that its text may change.

    Raises:
        Conflict: the proposal is no longer a draft.
    """
    if proposal.status is not ProposalStatus.DRAFT:
        raise Conflict(
            f"The proposal '{proposal.slug}' is {proposal.status} and its text is fixed; "
            "withdraw it and make a new one."
        )


def fix_end(proposal: Proposal, zone: TimeZone) -> Proposal:
    """Let a vote that ends with a day end with that day in a time zone.

    The text of the vote then names the instant, with the offset there: it is public, and whoever
    checks it needs no time zone. In UTC the day stays.
    """
    if zone == UTC_ZONE or _BARE_DATE.fullmatch(proposal.ends_text) is None:
        return proposal
    end = zone.local(zone.end_of(date.fromisoformat(proposal.ends_text)))
    return proposal.with_text(endDate=end.isoformat())


def open_proposal(proposal: Proposal, *, rule: VoteRule, now: datetime) -> Proposal:
    """Open the vote on a draft with a rule.

    Raises:
        IllegalTransition: it is not a draft.
        InvalidInput: its end is not in the future.
    """
    opened = move_proposal(proposal, ProposalStatus.OPEN)
    if proposal.ends_at <= now:
        raise InvalidInput(
            f"The proposal '{proposal.slug}' ends {proposal.ends_text}, which is past; "
            "give it a later end."
        )
    return replace(opened, rule=rule, opened_at=now)


def decide_proposal(proposal: Proposal, *, passed: bool, now: datetime) -> Proposal:
    """Close a vote whose end has passed.

    Raises:
        IllegalTransition: it is not open.
        Conflict: it still accepts ballots.
    """
    status = ProposalStatus.PASSED if passed else ProposalStatus.REJECTED
    decided = move_proposal(proposal, status)
    if now < proposal.ends_at:
        raise Conflict(
            f"The proposal '{proposal.slug}' takes ballots until "
            f"{format_instant(proposal.ends_at)}; it cannot be closed earlier."
        )
    return replace(decided, decided_at=now)


def require_taking_ballots(proposal: Proposal, now: datetime) -> None:
    """Reject ballots before or after the vote.

    Raises:
        VotingClosed: the vote has not started, is over, or was withdrawn.
    """
    if proposal.takes_ballots(now):
        return
    if proposal.status is ProposalStatus.DRAFT:
        raise VotingClosed("The vote on '{title}' has not begun.", title=proposal.title)
    if proposal.status is ProposalStatus.WITHDRAWN:
        raise VotingClosed(
            "The proposal '{title}' was withdrawn; it takes no votes.", title=proposal.title
        )
    raise VotingClosed("The vote on '{title}' is over.", title=proposal.title)


def listing_order(proposal: Proposal, now: datetime) -> tuple[bool, timedelta, str]:
    """Return the sort key: running votes by soonest end, then the rest, newest first.

    An open vote whose end has passed counts as over, even if not closed yet.
    """
    if proposal.takes_ballots(now):
        return (False, proposal.ends_at - now, proposal.id)
    return (True, now - (proposal.decided_at or proposal.ends_at), proposal.id)
