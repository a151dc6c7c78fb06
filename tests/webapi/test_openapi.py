"""The OpenAPI document agrees with what the server does: a fuzzer finds no difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok

from jara_webapi.app import create_app
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk

EXAMPLES = 50
"""For each operation (trust §5, row 10)."""


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


def _fuzz(desk: Desk, mode: GenerationMode, *, token: str | None) -> tuple[int, list[str]]:
    """Make calls from the document alone; return how many, and what did not agree."""
    load_all_checks()
    checks = CHECKS.get_by_names(
        [
            "not_a_server_error",
            "status_code_conformance",
            "content_type_conformance",
            "response_headers_conformance",
            "response_schema_conformance",
            "negative_data_rejection",
            "missing_required_header",
            "allow_header_conformance",
        ]
    )
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", create_app(desk.application))
    made, found = 0, []

    def check(case: Any) -> None:
        nonlocal made
        made += 1
        answer = case.call(headers={"token": token} if token else {})
        case.validate_response(answer, checks=checks)

    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        strategy = operation.as_strategy(generation_mode=mode)
        run = settings(
            max_examples=EXAMPLES if mode is GenerationMode.POSITIVE else EXAMPLES // 5,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )(given(case=strategy)(check))
        try:
            run()
        except Unsatisfiable:
            continue  # nothing can be wrong about a call without parameters
        except (FailureGroup, Failure) as failure:
            found.append(f"{operation.label}: {failure}")
    return made, found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("signed_in", [False, True])
def test_the_server_does_what_its_document_says(
    tmp_path: Path, mode: GenerationMode, *, signed_in: bool
) -> None:
    """No server error and no answer that the document does not announce, in either mode.

    Whether good data may be refused is not checked: a rule of the domain, such as a free
    email or a card that works, is no part of a schema.
    """
    desk = open_desk(tmp_path)
    desk.open_vote()
    made, found = _fuzz(desk, mode, token=desk.join() if signed_in else None)

    assert [] == found
    assert made > 100
