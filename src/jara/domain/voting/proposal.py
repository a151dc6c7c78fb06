"""Proposals: their text, their states, and when they accept ballots."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from jara.domain.content.values import (
    HTML_MAX,
    Category,
    check_cents,
    check_country_code,
    check_line,
    check_slug,
    check_text,
    check_url,
)
from jara.domain.errors import Conflict, IllegalTransition, InvalidInput, VotingClosed
from jara.domain.measures import Measure
from jara.domain.publiclog import canonical
from jara.domain.time_zone import UTC_ZONE, TimeZone

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
        {ProposalStatus.PASSED, ProposalStatus.REJECTED, ProposalStatus.WITHDRAWN},
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

LISTED = frozenset({ProposalStatus.OPEN, *DECIDED})
"""The states in which the site's lists, feeds and map show a proposal."""


@dataclass(frozen=True, slots=True)
class VoteRule:
    """The share of the roll that must vote yes; one half by default (spec §9).

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

    @property
    def whole_percent(self) -> int | None:
        """The share in per cent; None if it is not a whole number, such as two thirds."""
        percent, rest = divmod(100 * self.num, self.den)
        return None if rest else percent

    @property
    def text(self) -> str:
        """The share in words: ``50%``, or ``2/3`` if that is not a whole percentage."""
        percent = self.whole_percent
        return f"{self.num}/{self.den}" if percent is None else f"{percent}%"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One row of a proposal's budget."""

    description: str
    amount_cents: int

    def __post_init__(self) -> None:
        check_cents("amount of a budget row", self.amount_cents)


@dataclass(frozen=True, slots=True)
class Submitter:
    """A local partner who submitted a proposal."""

    image: str
    linkedin_url: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A project that changemakers vote on.

    Args:
        id: its id in the public log.
        slug: its name in links.
        title: one line.
        summary: plain text.
        goal_cents: the required amount.
        country: the country's name.
        country_code: the country's two-letter code.
        category: its category.
        ends_text: the end as the operator entered it, or as `fix_end` wrote it.
        ends_at: the first UTC instant at which no ballot is accepted.
        story_html: 'The Story', sanitised.
        implementation_html: 'Implementation', sanitised.
        budget: the parts of the goal.
        metrics: the metrics to track, in words.
        measures: the metrics with baseline, target and day.
        submitters: the local partners.
        status: its state.
        rule: the rule it was opened with; before opening, the current rule.
        opened_at: UTC instant of opening.
        decided_at: UTC instant of closing.
        sample: whether it is sample content.
    """

    id: str
    slug: str
    title: str
    summary: str
    goal_cents: int
    country: str
    country_code: str
    category: Category
    ends_text: str
    ends_at: datetime
    story_html: str = ""
    implementation_html: str = ""
    budget: tuple[BudgetLine, ...] = ()
    metrics: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    submitters: tuple[Submitter, ...] = ()
    status: ProposalStatus = ProposalStatus.DRAFT
    rule: VoteRule = VoteRule()
    opened_at: datetime | None = None
    decided_at: datetime | None = None
    sample: bool = False

    def __post_init__(self) -> None:
        check_cents("goal of a proposal", self.goal_cents)
        if parse_end(self.ends_text) != self.ends_at:
            raise InvalidInput(
                f"The proposal '{self.slug}' ends {self.ends_text}, "
                f"but ends_at is {format_instant(self.ends_at)}."
            )

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


def check_texts(proposal: Proposal) -> None:
    """Check the texts and links of a new or changed draft.

    Stored proposals keep theirs, even if the limits change.

    Raises:
        InvalidInput: a text is missing or too long, or a slug, code or link is malformed.
    """
    for line in proposal.budget:
        check_line("description of a budget row", line.description)
    for submitter in proposal.submitters:
        check_url("image of a submitter", submitter.image)
        check_url("profile link of a submitter", submitter.linkedin_url)
        if submitter.name is not None:
            check_line("name of a submitter", submitter.name)
    check_line("id of a proposal", proposal.id)
    check_slug(proposal.slug)
    check_line("title of a proposal", proposal.title)
    check_text("summary of a proposal", proposal.summary, required=True)
    check_line("country of a proposal", proposal.country)
    check_country_code(proposal.country_code)
    check_text("story of a proposal", proposal.story_html, length_max=HTML_MAX)
    check_text("implementation of a proposal", proposal.implementation_html, length_max=HTML_MAX)
    for metric in proposal.metrics:
        check_text("metric of a proposal", metric, required=True)
    names = [measure.id for measure in proposal.measures]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"Two measures have the id '{name}'; each needs its own.")


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
    return replace(proposal, ends_text=end.isoformat(), ends_at=end.astimezone(UTC))


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
        raise VotingClosed(f"The vote on '{proposal.title}' has not begun.")
    if proposal.status is ProposalStatus.WITHDRAWN:
        raise VotingClosed(f"The proposal '{proposal.title}' was withdrawn; it takes no votes.")
    raise VotingClosed(f"The vote on '{proposal.title}' is over.")


def listing_order(proposal: Proposal, now: datetime) -> tuple[bool, timedelta, str]:
    """Return the sort key: running votes by soonest end, then the rest, newest first.

    An open vote whose end has passed counts as over, even if not closed yet.
    """
    if proposal.takes_ballots(now):
        return (False, proposal.ends_at - now, proposal.id)
    return (True, now - (proposal.decided_at or proposal.ends_at), proposal.id)


def content_bytes(proposal: Proposal) -> bytes:
    """Return the canonical bytes of a proposal's text; the public log holds their hash."""
    return canonical.encode(content_document(proposal))


def content_document(proposal: Proposal) -> dict[str, object]:
    """Return a proposal's text as a document for canonical JSON.

    It contains only NFC strings, integers, lists and dictionaries. Texts without measures are as
    they were before proposals had them; so are measures with a cost per unit.
    """
    measures = [
        {
            "baseline": str(measure.baseline),
            "by": measure.due_on.isoformat(),
            "id": measure.id,
            "name": _nfc(measure.name),
            "target": str(measure.target),
            "unit": _nfc(measure.unit),
            **({} if measure.has_unit_cost else {"cost_per_unit": "no"}),
        }
        for measure in proposal.measures
    ]
    return {
        **({"measures": measures} if measures else {}),
        "budget": [
            {"amount_cents": line.amount_cents, "description": _nfc(line.description)}
            for line in proposal.budget
        ],
        "category": str(proposal.category),
        "country": _nfc(proposal.country),
        "country_code": proposal.country_code,
        "ends": proposal.ends_text,
        "goal_cents": proposal.goal_cents,
        "implementation_html": _nfc(proposal.implementation_html),
        "metrics": [_nfc(metric) for metric in proposal.metrics],
        "proposal": proposal.id,
        "story_html": _nfc(proposal.story_html),
        "submitters": [_submitter_document(submitter) for submitter in proposal.submitters],
        "summary": _nfc(proposal.summary),
        "title": _nfc(proposal.title),
    }


def _submitter_document(submitter: Submitter) -> dict[str, object]:
    document: dict[str, object] = {
        "image": _nfc(submitter.image),
        "linkedin_url": _nfc(submitter.linkedin_url),
    }
    if submitter.name is not None:
        document["name"] = _nfc(submitter.name)
    return document


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
