"""Base classes of all bodies: camelCase in JSON, unknown fields refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

Text = Annotated[str, Field(max_length=2000)]
Email = Annotated[str, Field(max_length=1000)]
Password = Annotated[str, Field(max_length=1000)]
PaymentMethod = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{3,255}$")]
Code = Annotated[str, Field(min_length=1, max_length=600)]
LanguageCode = Annotated[str, Field(max_length=3)]
"""A language, such as ``en`` or ``fr``."""
Document = dict[str, Any]


class Body(BaseModel):
    """A request body."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, validate_by_alias=True
    )


class Answer(BaseModel):
    """A response body."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, validate_by_name=True
    )


class Shape(NamedTuple):
    """Describes a document in the OpenAPI document; the document itself is sent as it is.

    Args:
        model: the properties.
        base: the schema of the document's other properties.
    """

    model: type[Answer]
    base: Mapping[str, Any] | None = None

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the model, added to the base."""
        described = handler(self.model.__pydantic_core_schema__)
        if self.base is None:
            return described
        own = handler.resolve_ref_schema(described)
        properties = {**self.base["properties"], **own["properties"]}
        required = dict.fromkeys([*self.base["required"], *own.get("required", ())])
        named = {"title": own["title"], "description": own["description"]}
        return {**self.base, **named, "properties": properties, "required": [*required]}


class Done(Answer):
    """Success, with a message for the person."""

    success: Literal[True] = True
    message: str


class ErrorAnswer(Answer):
    """An error: a code, a message under two names, and the invalid fields."""

    model_config = ConfigDict(extra="allow")

    success: Literal[False] = False
    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    message: str
    error: str
    fields: dict[str, str] | None = None


def dollars(cents: int) -> int | float:
    """Return cents as the number of dollars that spec §3's fields hold; for display only."""
    return cents // 100 if cents % 100 == 0 else cents / 100
