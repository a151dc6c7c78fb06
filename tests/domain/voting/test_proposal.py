"""Proposals: their text, states and times."""

import unicodedata
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from jara.domain.content.kinds import PROPOSAL
from jara.domain.errors import Conflict, IllegalTransition, InvalidInput, VotingClosed
from jara.domain.publiclog.leaves import content_document
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.proposal import (
    ProposalStatus,
    decide_proposal,
    format_instant,
    listing_order,
    move_proposal,
    open_proposal,
    parse_end,
    require_draft,
    require_taking_ballots,
)
from jara.domain.voting.tally import Measure, VoteRule
from tests.domain.voting.voting_builders import END, NOON, TEXT, a_proposal

TAPS = {"id": "taps", "name": "Taps", "target": 12, "by": "2027-12-31"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-31", datetime(2026, 6, 1, tzinfo=UTC)),
        ("2028-02-28", datetime(2028, 2, 29, tzinfo=UTC)),
        ("2026-05-31T18:00Z", datetime(2026, 5, 31, 18, tzinfo=UTC)),
        ("2026-05-31T18:00:30.5+03:00", datetime(2026, 5, 31, 15, 0, 30, 500_000, tzinfo=UTC)),
    ],
)
def test_bare_date_ends_with_its_day(text: str, expected: datetime) -> None:
    """A bare date means the end of that day in UTC, an instant says its zone."""
    assert parse_end(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-02-30", "2026-5-31", "20260531", "2026-W22-7", "31.05.2026", "9999-12-31",
        "2026-05-31T18:00:00", "2026-05-31 18:00Z", "0001-01-01T00:00+23:00", "٢٠٢٦-٠٥-٣١",
    ],
)  # fmt: skip
def test_unclear_end_is_refused(text: str) -> None:
    """An end without a zone, or with an impossible date, is refused."""
    with pytest.raises(InvalidInput, match="not an end of a vote"):
        parse_end(text)


def test_instant_is_written_in_utc() -> None:
    """Instants are ISO 8601, UTC."""
    assert format_instant(parse_end("2026-05-31T18:00+03:00")) == "2026-05-31T15:00:00Z"


def test_last_day_is_the_one_the_operator_named() -> None:
    """The page names the last day on which votes are accepted."""
    assert a_proposal().last_day(UTC_ZONE) == date(2026, 5, 31)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"id": "wells in Yala"},
        {"slug": "Clean Water"},
        {"title": " "},
        {"summary": ""},
        {"country": ""},
        {"countryCode": "tz"},
        {"fundingGoalCents": 0},
        {"storySections": "x" * 200_001},
        {"implementation": "\0"},
        {"metrics": [""]},
    ],
)
def test_the_texts_of_a_draft_are_checked(changes: dict[str, object]) -> None:
    """A draft that breaks a rule is refused."""
    with pytest.raises(InvalidInput):
        PROPOSAL.complete({**TEXT, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budgetList": [{"description": "", "amountCents": 100}]}, "'description' of the item 1"),
        ({"budgetList": [{"description": "Pumps", "amountCents": 0}]}, "at least 1"),
        ({"submitters": [{"linkedinUrl": "javascript:alert(1)"}]}, "https://"),
        ({"submitters": [{"image": "javascript:alert(1)"}]}, "https://"),
        ({"submitters": [{"name": ""}]}, "'name' of the item 1"),
        ({"measures": [TAPS, {**TAPS, "name": "More taps"}]}, "Two measures have the id 'taps'"),
    ],
)
def test_the_parts_of_a_draft_are_checked(changes: dict[str, object], message: str) -> None:
    """Budget rows have a description, partners have safe links, and measures their own ids."""
    with pytest.raises(InvalidInput, match=message):
        PROPOSAL.complete({**TEXT, **changes})


@pytest.mark.parametrize(("num", "den"), [(0, 2), (3, 2), (-1, -2)])
def test_rule_is_a_part_of_the_whole(num: int, den: int) -> None:
    """A rule requires more than nothing and at most everyone."""
    with pytest.raises(InvalidInput, match="is not a share"):
        VoteRule(num, den)


@pytest.mark.parametrize(
    "rule", [{"of": "voters"}, {"num": 2, "more": True}, {"num": 2, "of": Measure.VOTES}]
)
def test_an_impossible_rule_is_refused(rule: dict[str, Any]) -> None:
    """A rule is of the roll or the votes, and one no does not decide alone."""
    with pytest.raises(InvalidInput):
        VoteRule(**rule)


STEPS = {
    ("draft", "open"),
    ("draft", "withdrawn"),
    ("open", "passed"),
    ("open", "rejected"),
    ("open", "withdrawn"),
    ("passed", "funded"),
}
"""The transitions between proposal states, written down a second time."""


@pytest.mark.parametrize("target", ProposalStatus)
@pytest.mark.parametrize("status", ProposalStatus)
def test_proposal_takes_the_steps_of_the_table_alone(
    status: ProposalStatus, target: ProposalStatus
) -> None:
    """A step outside the table is an error, a repeated one too."""
    proposal = a_proposal(status=status)

    if (status, target) in STEPS:
        assert target is move_proposal(proposal, target).status
    else:
        with pytest.raises(IllegalTransition, match=f"is {status}; it cannot become {target}"):
            move_proposal(proposal, target)


@pytest.mark.parametrize("status", ProposalStatus)
def test_text_is_fixed_once_opened(status: ProposalStatus) -> None:
    """Only a draft's text may change."""
    proposal = a_proposal(status=status)

    if status is ProposalStatus.DRAFT:
        require_draft(proposal)
    else:
        with pytest.raises(Conflict, match="its text is fixed"):
            require_draft(proposal)


def test_opening_stores_the_rule_and_the_instant() -> None:
    """The rule at opening is stored and decides the vote, even if the rule changes later."""
    draft = a_proposal(status=ProposalStatus.DRAFT, opened_at=None)
    rule = VoteRule(2, 3)

    opened = open_proposal(draft, rule=rule, now=NOON)

    assert (opened.status, opened.rule, opened.opened_at) == (ProposalStatus.OPEN, rule, NOON)


def test_vote_that_is_over_cannot_be_opened() -> None:
    """A vote whose end has passed cannot be opened."""
    with pytest.raises(InvalidInput, match="which is past"):
        open_proposal(a_proposal(status=ProposalStatus.DRAFT), rule=VoteRule(), now=END)


@pytest.mark.parametrize(
    ("passed", "status"), [(True, ProposalStatus.PASSED), (False, ProposalStatus.REJECTED)]
)
def test_closing_records_the_result(passed: bool, status: ProposalStatus) -> None:
    """A vote past its end is passed or rejected, and the time is recorded."""
    decided = decide_proposal(a_proposal(), passed=passed, now=END)

    assert (decided.status, decided.decided_at) == (status, END)


def test_vote_is_not_closed_before_its_end() -> None:
    """A vote cannot be closed before its announced end."""
    with pytest.raises(Conflict, match="until 2026-06-01T00:00:00Z"):
        decide_proposal(a_proposal(), passed=True, now=END - timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("status", "now", "words"),
    [
        (ProposalStatus.DRAFT, NOON, "has not begun"),
        (ProposalStatus.OPEN, END, "is over"),
        (ProposalStatus.PASSED, NOON, "is over"),
        (ProposalStatus.WITHDRAWN, NOON, "was withdrawn"),
    ],
)
def test_ballots_are_taken_only_in_time(status: ProposalStatus, now: datetime, words: str) -> None:
    """Only an open proposal takes ballots, and only before its end, even if not closed yet."""
    with pytest.raises(VotingClosed, match=words):
        require_taking_ballots(a_proposal(status=status), now)


def test_ballots_are_taken_to_the_last_moment() -> None:
    """An open proposal takes ballots until the last moment."""
    require_taking_ballots(a_proposal(), END - timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("status", "opened_at", "public"),
    [
        (ProposalStatus.DRAFT, None, False),
        (ProposalStatus.WITHDRAWN, None, False),
        (ProposalStatus.WITHDRAWN, NOON, True),
        (ProposalStatus.OPEN, NOON, True),
    ],
)
def test_drafts_are_not_public(
    status: ProposalStatus, opened_at: datetime | None, public: bool
) -> None:
    """Visitors see a proposal only after it was opened."""
    assert public is a_proposal(status=status, opened_at=opened_at).is_public


def test_list_begins_with_the_vote_that_ends_soonest() -> None:
    """Open votes come first by end; ended ones, closed or not, follow with the newest first."""
    open_long = a_proposal(id="long", endDate="2026-07-31")
    open_short = a_proposal(id="short")
    unclosed = a_proposal(id="unclosed", endDate="2026-05-09")
    old = a_proposal(
        id="old", status=ProposalStatus.REJECTED, decided_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    new = a_proposal(
        id="new", status=ProposalStatus.FUNDED, decided_at=datetime(2026, 4, 1, tzinfo=UTC)
    )

    listed = sorted(
        [old, open_long, unclosed, new, open_short], key=lambda one: listing_order(one, NOON)
    )

    assert [p.id for p in listed] == ["short", "long", "unclosed", "new", "old"]


def test_content_holds_every_word_that_is_voted_on() -> None:
    """The document behind the hash has the text, the sum and the end."""
    assert content_document(a_proposal()) == {
        "budget": [
            {"amount_cents": 600_000, "description": "Drilling"},
            {"amount_cents": 209_000, "description": "Pumps"},
        ],
        "category": "water",
        "country": "Tanzania",
        "country_code": "TZ",
        "ends": "2026-05-31",
        "goal_cents": 809_000,
        "implementation_html": "<p>Drill, pump, teach.</p>",
        "metrics": ["Households with water"],
        "proposal": "prop_01",
        "story_html": "<p>Long walks.</p>",
        "submitters": [
            {
                "image": "/images/asha.webp",
                "linkedin_url": "https://www.linkedin.com/in/asha",
                "name": "Asha",
            },
            {"image": "/images/juma.webp", "linkedin_url": "https://www.linkedin.com/in/juma"},
        ],
        "summary": "Three boreholes for three villages.",
        "title": "Clean water",
    }


def test_content_does_not_depend_on_how_accents_are_written() -> None:
    """Composed and decomposed accents give the same document."""
    decomposed = unicodedata.normalize("NFD", "Añá école")

    assert content_document(a_proposal(title=decomposed)) == content_document(
        a_proposal(title="Añá école")
    )


def test_content_stays_the_same_through_the_vote() -> None:
    """Opening, closing and funding do not change the document that was voted on."""
    before = a_proposal(status=ProposalStatus.DRAFT, opened_at=None)
    after = decide_proposal(open_proposal(before, rule=VoteRule(), now=NOON), passed=True, now=END)

    assert content_document(before) == content_document(after)
