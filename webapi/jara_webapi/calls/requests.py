"""Requests: Falcon's types, and the reading and validating of bodies and queries."""

from typing import Any, TypeAlias, TypeVar

import falcon
from pydantic import BaseModel, ValidationError

from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.texts import tr
from jara_webapi.calls.strict_json import BODY_BYTES_MAX, read_json

Model = TypeVar("Model", bound=BaseModel)


class Request(falcon.Request):
    """A request whose context is a plain dict."""

    __slots__ = ()
    context_type = dict
    site_language: Language = ENGLISH
    """The language of whoever has chosen none."""


def requests_in(language: Language) -> type[Request]:
    """Return the type of the requests to a site in a language."""
    return type("SiteRequest", (Request,), {"__slots__": (), "site_language": language})


Response: TypeAlias = falcon.Response
App: TypeAlias = falcon.App[Request, falcon.Response]


def read_body(req: Request, model: type[Model], *, optional: bool) -> Model:
    """Read and check the body of a request."""
    if optional and not req.content_length and not req.get_header("Transfer-Encoding"):
        return model()
    if (req.content_type or "").split(";")[0].strip().lower() != falcon.MEDIA_JSON:
        raise falcon.HTTPUnsupportedMediaType
    return validate(model, read_json(read_bytes(req, BODY_BYTES_MAX)))


def read_bytes(req: Request, bytes_max: int) -> bytes:
    """Read the raw body of a request, up to a size."""
    if (req.content_length or 0) > bytes_max:
        raise falcon.HTTPContentTooLarge
    # A chunked body has no length; the server marks its end.
    ended = req.content_length is None and req.env.get("wsgi.input_terminated")
    stream = req.stream if ended else req.bounded_stream
    raw: bytes = stream.read(bytes_max + 1)
    if len(raw) > bytes_max:
        raise falcon.HTTPContentTooLarge
    return raw


def known_params(req: Request, model: type[BaseModel]) -> dict[str, str | list[str]]:
    """Return the parameters of a request that a model has; others change nothing."""
    names = {f.alias or name for name, f in model.model_fields.items()}
    return {name: value for name, value in req.params.items() if name in names}


def read_query(req: Request, model: type[Model]) -> Model:
    """Read and check the query of a request."""
    given = known_params(req, model)
    for name, value in given.items():
        if isinstance(value, list):
            raise _wrong_fields({name: "This appears more than once."})
        if "\0" in value:
            raise _wrong_fields({name: "This holds the character U+0000."})
    return validate(model, given, strict=False)


def validate(model: type[Model], value: object, *, strict: bool = True) -> Model:
    """Validate a value against a model; the message names every invalid field."""
    try:
        return model.model_validate(value, strict=strict)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
    # For a field of several possible types, pydantic reports an error for each of them.
    by_field: dict[str, list[Any]] = {}
    for one in details:
        by_field.setdefault(str(one["loc"][0]) if one["loc"] else "body", []).append(one)
    raise _wrong_fields({name: _sentence_of(errors) for name, errors in by_field.items()})


def _wrong_fields(fields: dict[str, str]) -> InvalidInput:
    message = " ".join(f"{name}: {sentence}" for name, sentence in fields.items())
    return InvalidInput(message, fields=fields)


_SENTENCES = {
    "missing": "This is missing.",
    "extra_forbidden": "Unknown field.",
    "string_type": "This must be text.",
    "int_type": "This must be a whole number.",
    "int_parsing": "This must be a whole number.",
    "bool_type": "This must be true or false.",
    "string_too_short": "This is too short.",
    "string_too_long": "This is too long.",
    "string_pattern_mismatch": "Invalid format.",
    "model_type": "The body must be an object.",
    "model_attributes_type": "The body must be an object.",
    "date_from_datetime_parsing": "This must be a day like 2026-11-20.",
    "date_parsing": "This must be a day like 2026-11-20.",
}


def _sentence_of(details: list[Any]) -> str:
    """Describe what is wrong with one field: its value, or else its type."""
    values = [one for one in details if not one["type"].endswith("_type")]
    if not values and len(details) > 1:
        return "This must be a number or text."
    return _sentence((values or details)[0])


def _sentence(detail: Any) -> str:  # noqa: ANN401 - pydantic's error details
    kind, limits = detail["type"], detail.get("ctx", {})
    if kind in {"literal_error", "enum"}:
        return tr("This must be {choices}.", choices=limits["expected"].replace("True", "true"))
    if kind == "greater_than_equal":
        return tr("This must be {limit} or more.", limit=str(limits["ge"]))
    if kind == "less_than_equal":
        return tr("This must be {limit} or less.", limit=str(limits["le"]))
    return _SENTENCES.get(kind, f"{detail['msg']}.")
