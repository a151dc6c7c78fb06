"""Content: the JSON schemas made from the fields of its kinds, and what projects add to them."""

from datetime import date
from typing import Annotated, NamedTuple

from pydantic import WithJsonSchema

from jara.domain.books.foreign import ForeignSum
from jara.domain.content.fields import Field
from jara.domain.content.kinds import KINDS, PROJECTS, UPDATES
from jara.domain.content.schema import ContentKind
from jara.domain.content.values import Category
from jara.domain.measures import MeasuredResult
from jara.domain.voting.tally import VoteCounts
from jara.services.projects.catalogue import ProjectDelay
from jara.services.projects.tranches import MilestoneMoney, ProjectCommitment, ProjectPayout
from jara_webapi.schemas.base import Answer, Body, Component, Document, Shape
from jara_webapi.schemas.document_fields import (
    Schema,
    fields_schema,
    in_a_language,
    original_key,
    value_schema,
)


def item_schema(kind: ContentKind) -> Schema:
    """Return the schema of a published document of a kind."""
    return in_a_language(fields_schema(kind.fields, filled=True))


def card_schema(kind: ContentKind) -> Schema:
    """Return the schema of a kind's card: every key is there, null where it has no value."""
    fields = [kind.field(name) for name in kind.card]
    return in_a_language(
        {
            "type": "object",
            "properties": {
                **{field.name: _nullable(field) for field in fields},
                **original_key(fields),
            },
            "required": [*kind.card],
        }
    )


def detail_schema(kind: ContentKind) -> Schema:
    """Return the schema of a document together with its card."""
    card = card_schema(kind)
    return {**card, "properties": {**item_schema(kind)["properties"], **card["properties"]}}


def _nullable(field: Field) -> Schema:
    value = value_schema(field)
    return value if field.required else {"anyOf": [value, {"type": "null"}]}


class ProjectsQuery(Body):
    """Which projects to list: those of one category, or all."""

    category: (
        Annotated[
            Category, WithJsonSchema({"enum": [*Category], "title": "Category", "type": "string"})
        ]
        | None
    ) = None


class ProjectVote(Answer):
    """The vote that funds a project."""

    id: str
    slug: str
    title: str
    status: str
    end_date: str
    tally: Annotated[Document, Component(VoteCounts)]


class ProjectPage(NamedTuple):
    """A project with its vote, money and updates."""

    summary: str
    progress: int
    capital_used_cents: int
    account: str
    last_step_on: date | None
    sample: bool
    story: str
    milestones: list[
        Annotated[
            Document,
            Shape(MilestoneMoney, fields_schema(KINDS[PROJECTS].field("milestones").fields)),
        ]
    ]
    measures: list[MeasuredResult]
    updates: list[Annotated[Document, WithJsonSchema(item_schema(KINDS[UPDATES]))]]
    late: ProjectDelay | None
    commitment: ProjectCommitment | None
    payouts: list[ProjectPayout]
    paid_abroad: list[ForeignSum]
    paid_cents: int
    vote: ProjectVote | None
