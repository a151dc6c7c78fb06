"""The JSON schemas of documents, made from their fields."""

from collections.abc import Iterable
from typing import Any

from jara.domain.content.fields import LEFT_OUT, Field, Form
from jara.domain.content.translations import LANGUAGE, ORIGINAL, text_fields

Schema = dict[str, Any]

_TYPES: dict[Form, Schema] = {
    Form.DAY: {"type": "string", "format": "date"},
    Form.CENTS: {"type": "integer"},
    Form.COUNT: {"type": "integer"},
    Form.NUMBER: {"type": "number"},
    Form.FLAG: {"type": "boolean"},
    Form.URLS: {"type": "array", "items": {"type": "string"}},
    Form.TEXTS: {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
}
"""The forms that are not plain strings."""


def fields_schema(fields: Iterable[Field], *, filled: bool = False) -> Schema:
    """Return the schema of an object with these fields, or of a filled one."""
    listed = list(fields)
    return {
        "type": "object",
        "properties": {
            **{field.name: value_schema(field, filled=filled) for field in listed},
            **original_key(listed),
        },
        "required": [
            field.name
            for field in listed
            if field.required or (filled and field.empty is not LEFT_OUT)
        ],
    }


def value_schema(field: Field, *, filled: bool = False) -> Schema:
    """Return the schema of a field's value."""
    if filled and field.empty is None:
        return {"anyOf": [value_schema(field), {"type": "null"}]}
    if field.form is Form.ITEMS:
        return {"type": "array", "items": fields_schema(field.fields, filled=filled)}
    schema = dict(_TYPES.get(field.form, {"type": "string"}))
    if field.choices:
        schema["enum"] = [*map(str, field.choices)]
    if field.minimum is not None:
        schema["minimum"] = field.minimum
    if field.maximum is not None:
        schema["maximum"] = field.maximum
    return schema


def in_a_language(schema: Schema) -> Schema:
    """Return the schema of a document that names the language it was written in."""
    return {
        **schema,
        "properties": {**schema["properties"], LANGUAGE: {"type": "string"}},
        "required": [*schema["required"], LANGUAGE],
    }


def original_schema(fields: Iterable[Field]) -> Schema:
    """Return the schema of the texts that a translation replaced."""
    texts = [field for field in text_fields(fields) if field.form is not Form.ITEMS]
    return {"type": "object", "properties": {field.name: value_schema(field) for field in texts}}


def original_key(fields: Iterable[Field]) -> Schema:
    """Return the property of those texts; none where there is nothing to translate."""
    schema = original_schema(fields)
    return {ORIGINAL: schema} if schema["properties"] else {}
