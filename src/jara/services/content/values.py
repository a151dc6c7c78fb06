"""From documents to the domain values that refuse what breaks a rule (spec §3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from jara.domain.content import (
    Category,
    Claim,
    Donation,
    Event,
    Faq,
    Grant,
    Region,
    RegionStatus,
    RoadmapItem,
    RoadmapStatus,
    TeamGroup,
    TeamMember,
)
from jara.domain.errors import InvalidInput
from jara.domain.projects.milestone import FieldUpdate, Milestone
from jara.domain.projects.project import Project, ProjectStatus
from jara.services.content.schema import Document


def milestones_of(document: Mapping[str, Any]) -> tuple[Milestone, ...]:
    """Return a project's milestones from its document."""
    return tuple(
        Milestone(
            id=item["id"],
            title=item["title"],
            due_on=date.fromisoformat(item["date"]),
            cost_cents=item["costCents"],
            images=(*item.get("images", ()), *item.get("evidence", ())),
            completed_on=_optional_day(item, "completedOn") if item.get("completed") else None,
        )
        for item in document.get("milestones", ())
    )


def _optional_day(item: Mapping[str, Any], key: str) -> date | None:
    return date.fromisoformat(item[key]) if key in item else None


def check_project(document: Document) -> Project:
    """Build a project with its milestones."""
    milestones = milestones_of(document)
    names = [milestone.id for milestone in milestones]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"Two milestones are called '{name}'; each needs its own id.")
    return Project(
        id=document["id"],
        slug=document["slug"],
        title=document["title"],
        status=ProjectStatus(document["status"]),
        category=Category(document["category"]),
        country_code=document.get("location", ""),
        image=document.get("imageUrl", ""),
        summary=document.get("summary", ""),
        story_html=document.get("story", ""),
        completion_text=document.get("completion", ""),
        progress_percent=document.get("progress"),
        capital_used_cents=document.get("capitalUsedCents") or None,
        proposal_id=document.get("proposal"),
    )


def check_grant(document: Document) -> Grant:
    """Build a grant."""
    return Grant(
        id=document["slug"],
        name=document["name"],
        project=document["project"],
        amount_cents=document["amountCents"],
        description=document.get("description", ""),
        location=document.get("location", ""),
        region_code=document.get("regionCode", ""),
        category=Category(document["category"]),
        image=document.get("imageUrl", ""),
    )


def check_donation(document: Document) -> Donation:
    """Build a donation."""
    return Donation(
        id=document["slug"],
        code=document["code"],
        title=document["title"],
        amount_cents=document["amountCents"],
    )


def check_update(document: Document) -> FieldUpdate:
    """Build news from the field."""
    return FieldUpdate(
        id=document["id"],
        title=document["title"],
        author=document["author"],
        published_on=date.fromisoformat(document["date"]),
        content_html=document["content"],
    )


def check_team_member(document: Document) -> TeamMember:
    """Build a member of the team."""
    return TeamMember(
        id=document["id"],
        name=document["name"],
        role=document["role"],
        group=TeamGroup(document["group"]),
        image=document.get("image", ""),
        profile_url=document.get("linkedinUrl", ""),
    )


def check_faq(document: Document) -> Faq:
    """Build a question with its answer."""
    return Faq(id=document["id"], question=document["question"], answer=document["answer"])


def check_roadmap(document: Document) -> RoadmapItem:
    """Build an act of the roadmap."""
    return RoadmapItem(
        id=document["id"],
        title=document["title"],
        status=RoadmapStatus(document["status"]),
        description=document.get("description", ""),
    )


def check_region(document: Document) -> Region:
    """Build a region."""
    return Region(id=document["id"], name=document["name"], status=RegionStatus(document["status"]))


def check_event(document: Document) -> Event:
    """Build an event."""
    return Event(
        id=document["id"],
        title=document["title"],
        starts_on=date.fromisoformat(document["date"]),
        ends_on=_optional_day(document, "endDate"),
        place=document.get("place", ""),
        description=document.get("description", ""),
        url=document.get("link", ""),
    )


def check_claim(document: Document) -> Claim:
    """Build a figure of the home page."""
    return Claim(id=document["id"], figure=document["figure"], text=document["label"])
