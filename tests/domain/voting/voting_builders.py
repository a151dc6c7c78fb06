"""Valid values of the voting domain, to be changed by keyword."""

from datetime import UTC, datetime
from typing import Any

from jara.domain.content.fields import fill
from jara.domain.content.kinds import PROPOSAL
from jara.domain.voting.proposal import Proposal, ProposalStatus

NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)
END = datetime(2026, 6, 1, tzinfo=UTC)

TEXT: dict[str, Any] = {
    "id": "prop_01",
    "slug": "clean-water",
    "title": "Clean water",
    "endDate": "2026-05-31",
    "category": "water",
    "country": "Tanzania",
    "countryCode": "TZ",
    "fundingGoalCents": 809_000,
    "summary": "Three boreholes for three villages.",
    "submitters": [
        {
            "name": "Asha",
            "linkedinUrl": "https://www.linkedin.com/in/asha",
            "image": "/images/asha.webp",
        },
        {"linkedinUrl": "https://www.linkedin.com/in/juma", "image": "/images/juma.webp"},
    ],
    "storySections": "<p>Long walks.</p>",
    "implementation": "<p>Drill, pump, teach.</p>",
    "budgetList": [
        {"description": "Drilling", "amountCents": 600_000},
        {"description": "Pumps", "amountCents": 209_000},
    ],
    "metrics": ["Households with water"],
}
"""The text of a proposal, as a file has it."""


def a_proposal(
    *,
    status: ProposalStatus = ProposalStatus.OPEN,
    opened_at: datetime | None = datetime(2026, 5, 1, tzinfo=UTC),
    decided_at: datetime | None = None,
    **text: object,
) -> Proposal:
    """Return a proposal open until the end of 31 May 2026, with these keys of its text changed."""
    filled = fill(PROPOSAL.fields, {**TEXT, **text})
    return Proposal(text=filled, status=status, opened_at=opened_at, decided_at=decided_at)
