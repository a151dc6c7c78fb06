"""Valid values of the voting domain, to be changed by keyword."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from jara.domain.content.values import Category
from jara.domain.voting.proposal import BudgetLine, Proposal, ProposalStatus, Submitter

NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)
END = datetime(2026, 6, 1, tzinfo=UTC)

_PROPOSAL = Proposal(
    id="prop_01",
    slug="clean-water",
    title="Clean water",
    summary="Three boreholes for three villages.",
    goal_cents=809_000,
    country="Tanzania",
    country_code="TZ",
    category=Category.WATER,
    ends_text="2026-05-31",
    ends_at=END,
    story_html="<p>Long walks.</p>",
    implementation_html="<p>Drill, pump, teach.</p>",
    budget=(BudgetLine("Drilling", 600_000), BudgetLine("Pumps", 209_000)),
    metrics=("Households with water",),
    submitters=(
        Submitter("/images/asha.webp", "https://www.linkedin.com/in/asha", "Asha"),
        Submitter("/images/juma.webp", "https://www.linkedin.com/in/juma"),
    ),
    status=ProposalStatus.OPEN,
    opened_at=datetime(2026, 5, 1, tzinfo=UTC),
)


def a_proposal(**changes: object) -> Proposal:
    """Return a proposal open until the end of 31 May 2026, with these fields changed."""
    return replace(_PROPOSAL, **changes)  # type: ignore[arg-type] # given by the test, by name
