"""Builds the OpenAPI document from the declarations of the calls."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import falcon
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from jara import __version__
from jara_webapi.calls.operations import Access, Endpoint, Resource
from jara_webapi.schemas.base import ErrorAnswer

_METHODS = ("get", "post", "put", "delete")
_REFS = "#/components/schemas/{model}"
_SCHEMES = {Access.MEMBER: "token", Access.LINK: "link", Access.OPERATOR: "desk"}
"""The security scheme of the calls that need one."""

_DESCRIPTIONS = {
    200: "Done.",
    201: "Created.",
    202: "Accepted.",
    304: "Not modified.",
    400: "Not JSON.",
    401: "The token is missing or invalid.",
    402: "The card was declined.",
    403: "Not allowed.",
    404: "Not found.",
    408: "The body did not arrive in time.",
    409: "Conflict with the current state.",
    410: "Somebody has decided on it already.",
    413: "The body is too large.",
    415: "The Content-Type is not JSON.",
    422: "A field is invalid.",
    429: "Too many requests; Retry-After says when to try again.",
    502: "The payment provider failed.",
    503: "The database is busy; Retry-After says when to try again.",
}


_RETRY_LATER = (429, 503)
_SECONDS = {"required": True, "schema": {"type": "integer", "minimum": 1}}


def describe(routes: Iterable[tuple[str, Resource]]) -> dict[str, Any]:
    """Return the OpenAPI document of some routes."""
    calls = [
        (path, method, resource.endpoints[method.upper()])
        for path, resource in routes
        for method in _METHODS
        if method.upper() in resource.endpoints
    ]
    bodies = {endpoint.body for _, _, endpoint in calls if endpoint.body is not None}
    refs, top = models_json_schema(
        [*((body, "validation") for body in sorted(bodies, key=_name)), _error()],
        ref_template=_REFS,
    )
    schemas = dict(top.get("$defs", {}))
    paths: dict[str, dict[str, Any]] = {}
    for path, method, endpoint in calls:
        described = _describe(endpoint, refs, schemas)
        if method == "get" and _may_be_unchanged(endpoint):
            described["responses"]["304"] = {"description": _DESCRIPTIONS[304]}
        described["operationId"] = _operation_id(method, path)
        names = re.findall(r"{(\w+)}", path)
        described["parameters"] = [_path_parameter(name) for name in names] + _query(endpoint)
        paths.setdefault(path, {})[method] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Jara", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "token"},
                "link": {"type": "http", "scheme": "bearer"},
                "desk": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _describe(
    endpoint: Endpoint, refs: Mapping[Any, dict[str, Any]], schemas: dict[str, Any]
) -> dict[str, Any]:
    operation = endpoint.operation
    error = {falcon.MEDIA_JSON: {"schema": refs[_error()]}}
    responses: dict[str, Any] = {
        str(status): {
            "description": _DESCRIPTIONS[status],
            "content": {operation.media_type: {"schema": _schema(answer, schemas)}},
        }
        for status, answer in endpoint.answers.items()
    }
    for status in _refusals(endpoint):
        responses[str(status)] = {"description": _DESCRIPTIONS[status], "content": error}
        if status in _RETRY_LATER:
            responses[str(status)]["headers"] = {"Retry-After": _SECONDS}
    described: dict[str, Any] = {"summary": endpoint.summary, "responses": responses}
    if endpoint.body is not None:
        described["requestBody"] = {
            "required": not operation.body_optional,
            "content": {falcon.MEDIA_JSON: {"schema": refs[endpoint.body, "validation"]}},
        }
    if operation.raw_body is not None:
        kind = operation.raw_body.media_type
        schema = {"type": "object"} if kind == falcon.MEDIA_JSON else {}
        described["requestBody"] = {"required": True, "content": {kind: {"schema": schema}}}
    if operation.access in _SCHEMES:
        described["security"] = [{_SCHEMES[operation.access]: []}]
    elif operation.access is Access.OPTIONAL:
        described["security"] = [{}, {"token": []}]
    return described


def _refusals(endpoint: Endpoint) -> list[int]:
    operation, common = endpoint.operation, [503]
    if operation.access in {Access.OPTIONAL, Access.MEMBER, Access.OPERATOR}:
        common.append(401)
    if endpoint.body is not None:
        common += [400, 408, 413, 415, 422]
    if operation.raw_body is not None:
        common += [400, 408, 413, *([401] if operation.raw_body.header else [])]
    if endpoint.query is not None or operation.idempotent:
        common.append(422)
    return sorted({*common, *operation.refuses})


def _may_be_unchanged(endpoint: Endpoint) -> bool:
    """Return whether a visitor may get 304 instead of the response."""
    operation = endpoint.operation
    is_stream = endpoint.answer is None and not operation.cached
    is_own = operation.access in {Access.MEMBER, Access.OPERATOR}
    return not is_own and not is_stream


def _schema(answer: Any, schemas: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - a model or a type
    if answer is None:
        return {"type": "string"}
    schema = TypeAdapter(answer).json_schema(
        by_alias=True, ref_template=_REFS, mode="serialization"
    )
    schemas.update(schema.pop("$defs", {}))
    return schema


def _query(endpoint: Endpoint) -> list[dict[str, Any]]:
    raw_body = endpoint.operation.raw_body
    if raw_body is not None and raw_body.header:
        return [_header(raw_body.header, {"type": "string"}, required=True)]
    if endpoint.query is None:
        return _idempotency() if endpoint.operation.idempotent else []
    schema = endpoint.query.model_json_schema(by_alias=True)
    required = set(schema.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _without_null(part)}
        for name, part in schema["properties"].items()
    ]


def _idempotency() -> list[dict[str, Any]]:
    schema = {"type": "string", "pattern": "^[!-~]{8,200}$"}
    return [_header("Idempotency-Key", schema, required=False)]


def _header(name: str, schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": required, "schema": schema}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out the null of an absent parameter: a query holds text, never null."""
    kinds = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    return {**rest, **kinds[0]} if len(kinds) == 1 else schema


def _path_parameter(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "schema": {"type": "string", "minLength": 1},
    }


def _operation_id(method: str, path: str) -> str:
    return f"{method}_" + re.sub(r"\W+", "_", path.removeprefix("/api/")).strip("_")


def _name(model: type[BaseModel]) -> str:
    return model.__name__


def _error() -> tuple[type[BaseModel], JsonSchemaMode]:
    return ErrorAnswer, "validation"
