"""The JSON schemas of content, made from the fields of its kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jara.domain.content.fields import Field, Form
from jara.domain.content.schema import ContentKind

Schema = dict[str, Any]

_TYPES: dict[Form, Schema] = {
    Form.DAY: {"type": "string", "format": "date"},
    Form.CENTS: {"type": "integer"},
    Form.COUNT: {"type": "integer"},
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
