"""Content: the JSON schemas made from the fields of its kinds, and what projects add to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

from pydantic import WithJsonSchema

from jara.domain.books.foreign import ForeignSum
from jara.domain.content.fields import Field, Form
from jara.domain.content.kinds import KINDS, PROJECTS, UPDATES
from jara.domain.content.schema import ContentKind
from jara.domain.measures import MeasuredResult
from jara.services.projects.money import MilestoneMoney, ProjectCommitment, ProjectPayout
from jara_webapi.schemas.base import Answer, Document, Shape
from jara_webapi.schemas.votes import Tally

Schema = dict[str, Any]

_TYPES: dict[Form, Schema] = {
    Form.DAY: {"type": "string", "format": "date"},
    Form.CENTS: {"type": "integer"},
    Form.COUNT: {"type": "integer"},
    Form.NUMBER: {"type": "number"},
    Form.FLAG: {"type": "boolean"},
    Form.URLS: {"type": "array", "items": {"type": "string"}},
}
"""The forms that are not plain strings."""


def item_schema(kind: ContentKind) -> Schema:
    """Return the schema of a published document of a kind."""
    return fields_schema(kind.fields)


def card_schema(kind: ContentKind) -> Schema:
    """Return the schema of a kind's card: every key is there, null where it has no value."""
    fields = [kind.field(name) for name in kind.card]
    return {
        "type": "object",
        "properties": {field.name: _nullable(field) for field in fields},
        "required": [*kind.card],
    }


def detail_schema(kind: ContentKind) -> Schema:
    """Return the schema of a document together with its card."""
    card = card_schema(kind)
    return {**card, "properties": {**item_schema(kind)["properties"], **card["properties"]}}


def fields_schema(fields: Iterable[Field]) -> Schema:
    """Return the schema of an object with these fields."""
    listed = list(fields)
    return {
        "type": "object",
        "properties": {field.name: _value(field) for field in listed},
        "required": [field.name for field in listed if field.required],
    }


def _nullable(field: Field) -> Schema:
    value = _value(field)
    return value if field.required else {"anyOf": [value, {"type": "null"}]}


def _value(field: Field) -> Schema:
    if field.form is Form.ITEMS:
        return {"type": "array", "items": fields_schema(field.fields)}
    schema = dict(_TYPES.get(field.form, {"type": "string"}))
    if field.choices:
        schema["enum"] = [*map(str, field.choices)]
    if field.minimum is not None:
        schema["minimum"] = field.minimum
    if field.maximum is not None:
        schema["maximum"] = field.maximum
    return schema


class ProjectVote(Answer):
    """The vote that funds a project."""

    id: str
    slug: str
    title: str
    status: str
    end_date: str
    tally: Tally


class ProjectPage(NamedTuple):
    """A project with its vote, money and updates."""

    summary: str
    progress: int
    capital_used_cents: int
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
    commitment: ProjectCommitment | None
    payouts: list[ProjectPayout]
    paid_abroad: list[ForeignSum]
    paid_cents: int
    vote: ProjectVote | None
