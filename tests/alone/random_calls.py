"""Random calls of the API, made from its OpenAPI document, by somebody with one mailbox."""

import random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from falcon import testing

from jara.bootstrap import Application
from jara.services.notices.links import complete_links
from jara_webapi.app import create_app
from tests.alone.alone_world import MALLORY

_PASSWORD = "correct horse"
_KNOWN = {
    "contribution": ("10", "5"),
    "billingDay": ("current", "28"),
    "country": ("Ghana",),
    "language": ("en", "fr"),
    "paymentMethodId": ("pm_card_visa", "pm_card_mastercard"),
    "amountCents": (500, 100_000),
}


class Caller:
    """Makes calls without an operator's key, signed in once a call answers with a token."""

    def __init__(self, application: Application, draw: random.Random) -> None:
        """Open the API."""
        self._context = application.context
        self._client = testing.TestClient(create_app(application))
        self._draw = draw
        self._token = ""
        self._ids: list[str] = []
        self._codes: list[str] = []
        self._document = self._client.simulate_get("/api/openapi.json").json
        self._calls = sorted(
            (method, path)
            for path, item in self._document["paths"].items()
            for method in item
            if method != "get"
        )

    def call(self) -> str:
        """Make a call; return its name if it was accepted, else nothing."""
        method, path = self._draw.choice(self._calls)
        operation = self._document["paths"][path][method]
        body = None
        for content in operation.get("requestBody", {}).get("content", {}).values():
            body = self._value("", content["schema"])
        with self._context.store.read() as work:
            proposals = [record.proposal.id for record in work.proposals.all()]
            mine = [one for one in work.outbox.all() if one.address == MALLORY]
        self._ids = proposals
        links = [complete_links(self._context, one).doc.get("link", "") for one in mine]
        self._codes = [
            code for link in links for code in parse_qs(urlsplit(str(link)).query).get("code", ())
        ]
        while "{" in path:
            before, _, rest = path.partition("{")
            path = before + self._draw.choice(["wells", "x", "terms"]) + rest.partition("}")[2]
        answer = self._client.simulate_request(
            method.upper(), path, json=body, headers={"token": self._token} if self._token else {}
        )
        if answer.status_code >= 300:
            return ""
        if isinstance(answer.json, dict):
            self._token = answer.json.get("token") or self._token
        return f"{method} {path}"

    def _value(self, name: str, schema: dict[str, Any]) -> Any:
        if "$ref" in schema:
            model = schema["$ref"].rpartition("/")[2]
            return self._value(name, self._document["components"]["schemas"][model])
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self._value(name, self._draw.choice(schema[several]))
        if "enum" in schema or "const" in schema:
            return self._draw.choice(schema.get("enum") or [schema["const"]])
        if schema.get("type") == "object":
            required = schema.get("required", ())
            return {
                key: self._value(key, part)
                for key, part in schema.get("properties", {}).items()
                if key in required or self._draw.random() < 0.5
            }
        return self._plain(name, schema.get("type"))

    def _plain(self, name: str, kind: str | None) -> Any:
        if name in _KNOWN:
            return self._draw.choice(_KNOWN[name])
        if "assword" in name:
            return _PASSWORD
        if "mail" in name and kind == "string":
            return MALLORY
        if name == "code" and self._codes:
            return self._draw.choice(self._codes)
        if name == "id" and self._ids:
            return self._draw.choice(self._ids)
        plain = {"boolean": True, "integer": 5, "number": 5, "array": [], "null": None}
        return plain.get(kind or "", "Mallory")
