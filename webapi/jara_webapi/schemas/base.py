"""Base classes of all bodies: camelCase in JSON, unknown fields refused."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import reduce
from inspect import cleandoc
from operator import or_
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, WrapValidator, create_model
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import definitions_schema

from jara.documents import Json, Part, parts_of
from jara.domain import texts

Text = Annotated[str, Field(max_length=2000)]
Email = Annotated[str, Field(max_length=1000)]
Password = Annotated[str, Field(max_length=1000)]
PaymentMethod = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{3,255}$")]
Code = Annotated[str, Field(min_length=1, max_length=600)]
LanguageCode = Annotated[str, Field(max_length=3)]
"""A language, such as ``en`` or ``fr``."""
Message = Annotated[
    str, WrapValidator(lambda text, check: text if isinstance(text, texts.Text) else check(text))
]
"""A sentence for people, which the answer has in the reader's language."""
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
    """Describes a document in the OpenAPI document; the document itself is sent as it is."""

    model: type[object]  # a model or a record with the properties
    base: Mapping[str, Any] | None = None  # the schema of the document's other properties

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the model, added to the base."""
        described = handler(answer_model(self.model).__pydantic_core_schema__)
        if self.base is None:
            return described
        own = handler.resolve_ref_schema(described)
        properties = {**self.base["properties"], **own["properties"]}
        required = dict.fromkeys([*self.base["required"], *own.get("required", ())])
        named = {"title": own["title"], "description": own["description"]}
        return {**self.base, **named, "properties": properties, "required": [*required]}


class Component(NamedTuple):
    """Describes a document by a named schema in the components of the OpenAPI document."""

    model: type[object]  # a model or a record with the properties

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return a reference to the schema of the model."""
        # Pydantic names only what is inside another schema.
        return handler(definitions_schema(answer_model(self.model).__pydantic_core_schema__, []))


def answer_model(record: type[object], name: str = "") -> type[Answer]:
    """Return the model that describes a record and the records inside it; a model is itself.

    It has the record's name, or another one, and the first paragraph of its docstring.
    """
    if issubclass(record, Answer):
        return record
    if (record, name) not in _MODELS:
        fields: dict[str, Any] = {
            part.key: (_with_models(_type_of(part)), _field(part)) for part in parts_of(record)
        }
        summary = cleandoc(record.__doc__ or "").partition("\n\n")[0]
        _MODELS[record, name] = create_model(
            name or record.__name__, __base__=Answer, __doc__=summary, **fields
        )
    return _MODELS[record, name]


def _type_of(part: Part) -> Any:  # noqa: ANN401 - a type
    """Return the type of a key's value; a key that may be left out is never null."""
    hint = part.hint.__origin__ if get_origin(part.hint) is Annotated else part.hint
    if not part.json.is_optional or get_origin(hint) not in {Union, UnionType}:
        return part.hint
    return reduce(or_, [one for one in get_args(hint) if one is not NoneType])


def _field(part: Part) -> Any:  # noqa: ANN401 - pydantic's own
    optional = Field(default=None, json_schema_extra=_without_default)
    return optional if part.json.is_optional else Field()


def _without_default(schema: JsonSchemaValue) -> None:
    del schema["default"]


_MODELS: dict[tuple[type, str], type[Answer]] = {}


def is_record(kind: object) -> bool:
    """Return whether a type is a NamedTuple or a dataclass."""
    return isinstance(kind, type) and (hasattr(kind, "_fields") or is_dataclass(kind))


def described(answer: Any) -> Any:  # noqa: ANN401 - a type
    """Return the type of an answer in which documents stand for records."""
    if is_record(answer):
        return Annotated[Document, Component(answer)]
    if get_origin(answer) is list:
        return GenericAlias(list, (described(get_args(answer)[0]),))
    return answer


def _with_models(hint: Any) -> Any:  # noqa: ANN401 - a type
    """Return a record's annotation with a model for each record, and texts for enumerations."""
    if is_record(hint):
        return answer_model(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Literal[tuple(one.value for one in hint)]
    if get_origin(hint) is Annotated and any(isinstance(one, Json) for one in hint.__metadata__):
        return _with_models(hint.__origin__)
    origin, arguments = get_origin(hint), tuple(map(_with_models, get_args(hint)))
    if origin in {Union, UnionType}:
        return reduce(or_, arguments)
    if origin in {list, tuple}:
        return GenericAlias(list, arguments[:1])
    if origin is Mapping:
        return GenericAlias(dict, (get_args(hint)[0], arguments[1]))
    return hint


class Done(Answer):
    """Success, with a message for the person."""

    success: Literal[True] = True
    message: Message


class ErrorAnswer(Answer):
    """An error: a code, a message under two names, and the invalid fields."""

    model_config = ConfigDict(extra="allow")

    success: Literal[False] = False
    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    message: Message
    error: str
    fields: dict[str, str] | None = None


def dollars(cents: int) -> int | float:
    """Return cents as the number of dollars that spec §3's fields hold; for display only."""
    return cents // 100 if cents % 100 == 0 else cents / 100
