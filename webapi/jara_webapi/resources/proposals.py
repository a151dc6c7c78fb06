"""GET /api/user/get-proposals."""

from __future__ import annotations

from typing import Any

from jara.bootstrap import Application
from jara.domain.voting.proposal import LISTED
from jara.files.html import clean_html
from jara.services.ballots.counting import voted_on
from jara.services.proposals.views import list_proposals
from jara_webapi.calls.operations import Access, Call, operation
from jara_webapi.schemas.base import dollars
from jara_webapi.schemas.votes import MemberProposal, Proposal


class Proposals:
    """The proposals."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=list[MemberProposal | Proposal], access=Access.OPTIONAL, cached=True)
    def on_get(self, call: Call) -> list[Proposal]:
        """List the proposals: open votes first, then the decided ones, newest first."""
        documents = list_proposals(self._app.context, *LISTED)
        if call.session is None:
            return [Proposal.model_validate(_shown(one), by_alias=True) for one in documents]
        with self._app.context.store.read() as work:
            voted = set(voted_on(self._app.context, work, call.member.id))
        return [
            MemberProposal.model_validate(
                {**_shown(one), "userVote": "voted" if one["id"] in voted else None},
                by_alias=True,
            )
            for one in documents
        ]


def _shown(document: dict[str, Any]) -> dict[str, Any]:
    """Return a proposal with money in dollars too, and its HTML cleaned once more."""
    return {
        **document,
        "fundingGoal": dollars(document["fundingGoalCents"]),
        "budgetList": [
            {**line, "amount": dollars(line["amountCents"])} for line in document["budgetList"]
        ],
        "storySections": clean_html(document["storySections"]),
        "implementation": clean_html(document["implementation"]),
    }
