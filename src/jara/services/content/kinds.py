"""The kinds of content: their keys, and the domain values that check them (spec §3)."""

from __future__ import annotations

from jara.domain.content import (
    Category,
    RegionStatus,
    RoadmapStatus,
    TeamGroup,
)
from jara.domain.errors import NotFound
from jara.domain.projects.project import ProjectStatus
from jara.services.content.kind import ContentKind
from jara.services.content.schema import Field, Form
from jara.services.content.values import (
    check_claim,
    check_donation,
    check_event,
    check_faq,
    check_grant,
    check_project,
    check_region,
    check_roadmap,
    check_team_member,
    check_update,
)

PROJECTS = "projects"
GRANTS = "grants"
DONATIONS = "donations"
UPDATES = "updates"
CLAIMS = "claims"
TEAM = "team"


_ID = Field("id", required=True)
_SLUG = Field("slug", required=True)
_SAMPLE = Field("sample", Form.FLAG)
_CATEGORY = Field("category", required=True, choices=tuple(Category))
_MONEY = (Field("amount"), Field("amountCents", Form.CENTS, required=True), Field("account"))
_MILESTONE = (
    Field("id", required=True),
    Field("date", Form.DAY, required=True),
    Field("title", required=True),
    Field("costCents", Form.CENTS, required=True),
    Field("images", Form.TEXTS),
    Field("completed", Form.FLAG),
    Field("completedOn", Form.DAY),
    Field("evidence", Form.TEXTS),
)


KINDS = {
    kind.name: kind
    for kind in (
        ContentKind(
            PROJECTS,
            "project",
            (
                _ID,
                _SLUG,
                Field("title", required=True),
                Field("location"),
                Field("status", required=True, choices=tuple(ProjectStatus)),
                _CATEGORY,
                Field("imageUrl"),
                Field("completion"),
                Field("progress", Form.COUNT),
                Field("summary"),
                Field("fundingGoalCents", Form.CENTS),
                Field("capitalUsedCents", Form.CENTS),
                Field("account"),
                Field("proposal"),
                Field("story", Form.HTML),
                Field("milestones", Form.ITEMS, fields=_MILESTONE),
                _SAMPLE,
            ),
            check_project,
            account="expenses:projects",
        ),
        ContentKind(
            GRANTS,
            "grant",
            (
                _ID,
                _SLUG,
                Field("name", required=True),
                Field("project", required=True),
                Field("description"),
                Field("location"),
                Field("regionCode"),
                _CATEGORY,
                Field("icon"),
                *_MONEY,
                Field("imageUrl"),
                _SAMPLE,
            ),
            check_grant,
            title="project",
            account="expenses:grants",
        ),
        ContentKind(
            DONATIONS,
            "donation",
            (
                _ID,
                _SLUG,
                Field("code", required=True),
                Field("title", required=True),
                *_MONEY,
                _SAMPLE,
            ),
            check_donation,
            account="expenses:donations",
        ),
        ContentKind(
            UPDATES,
            "update",
            (
                _ID,
                Field("project", required=True),
                Field("title", required=True),
                Field("author", required=True),
                Field("date", Form.DAY, required=True),
                Field("content", Form.HTML, required=True),
                _SAMPLE,
            ),
            check_update,
        ),
        ContentKind(
            "events",
            "event",
            (
                _ID,
                Field("title", required=True),
                Field("date", Form.DAY, required=True),
                Field("endDate", Form.DAY),
                Field("place"),
                Field("link"),
                Field("description"),
                _SAMPLE,
            ),
            check_event,
        ),
        ContentKind(
            TEAM,
            "team member",
            (
                _ID,
                Field("group", required=True, choices=tuple(TeamGroup)),
                Field("name", required=True),
                Field("role", required=True),
                Field("image"),
                Field("linkedinUrl"),
                _SAMPLE,
            ),
            check_team_member,
            title="name",
        ),
        ContentKind(
            "faqs",
            "question",
            (
                _ID,
                Field("question", required=True),
                Field("answer", required=True),
                Field("onHome", Form.FLAG),
                _SAMPLE,
            ),
            check_faq,
            title="question",
        ),
        ContentKind(
            "roadmap",
            "act",
            (
                _ID,
                Field("title", required=True),
                Field("status", required=True, choices=tuple(RoadmapStatus)),
                Field("description"),
                Field("measure", choices=("changemakers", "monthlyIncome")),
                Field("targetCount", Form.COUNT),
                Field("targetCents", Form.CENTS),
                _SAMPLE,
            ),
            check_roadmap,
        ),
        ContentKind(
            "regions",
            "region",
            (
                _ID,
                Field("name", required=True),
                Field("status", required=True, choices=tuple(RegionStatus)),
                _SAMPLE,
            ),
            check_region,
            title="name",
        ),
        ContentKind(
            CLAIMS,
            "claim",
            (
                _ID,
                Field("figure", required=True),
                Field("label", required=True),
                Field("amountCents", Form.CENTS),
                Field("count", Form.COUNT),
                _SAMPLE,
            ),
            check_claim,
            title="label",
        ),
    )
}
"""Every kind by its name."""


def kind_of(name: str) -> ContentKind:
    """Return the kind of that name.

    Raises:
        NotFound: there is none.
    """
    if name not in KINDS:
        raise NotFound(f"There is no content '{name}'; the kinds are {', '.join(KINDS)}.")
    return KINDS[name]
