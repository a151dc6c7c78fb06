"""Writes the website's types of the API from the server's OpenAPI document."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pages.architecture import ROOT
from tests.webapi.desk import open_desk

SCHEMA = ROOT / "webui" / "src" / "api" / "schema.ts"

_HEAD = """\
/**
 * The types of the API. This file is generated: `python -m tests.pages` writes it from the server's
 * OpenAPI document.
 */
"""
_PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def make_schema() -> str:
    """Return the types of the API in TypeScript."""
    with TemporaryDirectory() as folder:
        document = open_desk(Path(folder)).get("/openapi.json").json
    return SchemaWriter(document["components"]["schemas"]).write(document["paths"])


class SchemaWriter:
    """Writes JSON schemas as TypeScript; objects with a title become types of that name."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self._named = {name: schema for name, schema in schemas.items() if name != "ErrorAnswer"}
        self._texts: dict[str, str] = {}

    def write(self, paths: dict[str, Any]) -> str:
        """Return the types of the named schemas and of the calls that answer JSON."""
        for name, schema in [*self._named.items()]:
            self._define(name, schema)
        calls = [
            f'  "{method.upper()} {path.removeprefix("/api")}": {self._call(operation)};\n'
            for path, item in sorted(paths.items())
            for method, operation in sorted(item.items())
            if _is_json(operation)
        ]
        return "\n".join(
            [_HEAD, *(self._texts[name] for name in sorted(self._texts)), _calls(calls)]
        )

    def _define(self, name: str, schema: dict[str, Any]) -> None:
        about = schema.get("description", "").partition("\n")[0]
        comment = f"/** {about} */\n" if about else ""
        self._texts[name] = f"{comment}export type {name} = {self._type(schema, '', named=True)};\n"

    def _call(self, operation: dict[str, Any]) -> str:
        answers = [
            self._type(answer["content"]["application/json"]["schema"], "  ")
            for status, answer in operation["responses"].items()
            if status.startswith("2")
        ]
        body = ""
        if "requestBody" in operation:
            ((kind, content),) = operation["requestBody"]["content"].items()
            schema = content["schema"]
            mark = "" if operation["requestBody"]["required"] else "?"
            sent = self._type(schema, "  ") if kind == "application/json" else "Blob"
            body = f"readonly body{mark}: {sent}; "
        return f"{{ {body}readonly answer: {_union(answers)} }}"

    def _type(self, schema: dict[str, Any], margin: str, *, named: bool = False) -> str:
        if "$ref" in schema:
            return str(schema["$ref"].rpartition("/")[2])
        if "anyOf" in schema:
            return _union(self._type(part, margin) for part in schema["anyOf"])
        if "enum" in schema or "const" in schema:
            return _union(json.dumps(one) for one in schema.get("enum", [schema.get("const")]))
        kind = schema.get("type")
        if kind == "null":
            return "null"
        if kind == "array":
            item = self._type(schema["items"], margin)
            is_union = " | " in item and not item.startswith("{")
            return f"readonly ({item})[]" if is_union else f"readonly {item}[]"
        if kind == "object":
            return self._object(schema, margin, named=named)
        return _PRIMITIVES.get(str(kind), "unknown")

    def _object(self, schema: dict[str, Any], margin: str, *, named: bool) -> str:
        if "properties" not in schema:
            values = schema.get("additionalProperties", True)
            value = "unknown" if values is True else self._type(values, margin)
            names = self._type(schema["propertyNames"], margin) if "propertyNames" in schema else ""
            record = f"Record<{names or 'string'}, {value}>"
            return f"Readonly<{f'Partial<{record}>' if names else record}>"
        if "title" in schema and not named:
            name = str(schema["title"])
            if name not in self._named:
                self._named[name] = schema
                self._define(name, schema)
            if self._named[name] != schema:
                raise ValueError(f"Two schemas have the name {name}.")
            return name
        required = schema.get("required", ())
        rows = [
            f"{margin}  readonly {name}{'' if name in required else '?'}:"
            f" {self._type(value, margin + '  ')};\n"
            for name, value in schema["properties"].items()
        ]
        return f"{{\n{''.join(rows)}{margin}}}"


def _calls(rows: list[str]) -> str:
    about = "/** The body and the answer of each call. */"
    return f"{about}\nexport type Calls = {{\n{''.join(rows)}}};\n"


def _is_json(operation: dict[str, Any]) -> bool:
    return any(
        "application/json" in answer["content"] and status.startswith("2")
        for status, answer in operation["responses"].items()
        if "content" in answer
    )


def _union(types: Any) -> str:
    return " | ".join(dict.fromkeys(types))
