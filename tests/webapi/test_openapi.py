"""The OpenAPI document agrees with what the server does: a fuzzer finds no difference."""

from __future__ import annotations

import pytest
import schemathesis
from falcon import testing
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS, load_all_checks

from jara_webapi.app import create_app
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk

EXAMPLES = 50
"""For each operation (trust §5, row 10)."""
STRONG = {"POST /api/register", "POST /api/gifts"}


def test_the_document_holds_every_call(desk: Desk) -> None:
    """With its body, its answers, its refusals and whether it needs a token."""
    document = desk.get("/openapi.json").json
    listed = {
        (method.upper(), path.removeprefix("/api"))
        for path, item in document["paths"].items()
        for method in item
    }

    assert "3.1.0" == document["openapi"]
    assert {(call.method, call.path) for call in CALLS} == listed
