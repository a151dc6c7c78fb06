"""The server agrees with its OpenAPI document, as a fuzzer checks."""

from collections import Counter
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
from tests.places import so_many
from tests.sizes import only_full, size
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk

EXAMPLES = size(2, 1000, full=100)
"""The number of requests for each operation."""

CHECKED = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "allow_header_conformance",
]


def test_the_document_holds_every_call(desk: Desk) -> None:
    """The document has each call's body, answers, errors and need for a token."""
    document = desk.get("/openapi.json").json
    listed = {
        (method.upper(), path.removeprefix("/api"))
        for path, item in document["paths"].items()
        for method in item
    }

    assert document["openapi"] == "3.1.0"
    assert listed == {(call.method, call.path) for call in CALLS}


class Caller:
    """A client, signed in or not, that joins again when a call ends its session."""

    def __init__(self, desk: Desk, *, signed_in: bool) -> None:
        """Join if ``signed_in``, and start without any answers."""
        self._desk = desk
        self._token = desk.join() if signed_in else None
        self.answers: dict[str, Counter[int]] = {}

    def call(self, case: Any) -> Any:
        """Make a call and count its result."""
        answer = case.call(headers={"token": self._token} if self._token else {})
        label = case.operation.label
        self.answers.setdefault(label, Counter())[answer.status_code] += 1
        if self._token is not None and answer.status_code == 401:
            self._token = self._desk.join()
        return answer


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_every_refusal_has_the_one_shape(desk: Desk, method: str) -> None:
    """Errors have `fields`, and Retry-After where the client should try again."""
    document = desk.get("/openapi.json").json
    refusals = [
        (status, answer)
        for item in document["paths"].values()
        for status, answer in item.get(method, {"responses": {}})["responses"].items()
        if int(status) >= 400
    ]

    assert refusals
    for status, answer in refusals:
        schema = answer["content"]["application/json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/ErrorAnswer"}
        assert ("Retry-After" in answer.get("headers", {})) is (status in {"429", "503"})
    error = document["components"]["schemas"]["ErrorAnswer"]
    assert {"code", "message", "error"} <= set(error["required"])
    assert "fields" in error["properties"]


def test_documented_304_answers_are_sent(desk: Desk) -> None:
    """Calls that document 304 answer it to a visitor who has the newest answer."""
    document = desk.get("/openapi.json").json
    announced = [
        path.removeprefix("/api")
        for path, item in document["paths"].items()
        if "304" in item.get("get", {"responses": {}})["responses"]
    ]

    assert "/config" in announced
    assert "/ledger/transactions" not in announced
    for path in announced:
        answer = desk.get(path)
        etag = answer.headers.get("etag")
        if answer.status_code == 200:
            assert etag is not None, path
            assert desk.get(path, headers={"If-None-Match": etag}).status_code == 304, path


def _fuzz(desk: Desk, mode: GenerationMode, caller: Caller, examples: int) -> list[str]:
    """Fuzz each call from the document; return the differences."""
    load_all_checks()
    checks = CHECKS.get_by_names(CHECKED)
    # Undocumented parameters are ignored, as usual on the web; the fuzzer sometimes
    # takes an empty name for invalid data (its issue 3730).
    for_more = CHECKS.get_by_names([one for one in CHECKED if one != "negative_data_rejection"])
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", create_app(desk.application))
    found = []

    def check(case: Any) -> None:
        known = {parameter.name for parameter in case.operation.query}
        answer = caller.call(case)
        case.validate_response(answer, checks=checks if known >= set(case.query) else for_more)

    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        strategy = operation.as_strategy(generation_mode=mode)
        run = settings(
            max_examples=examples if mode is GenerationMode.POSITIVE else max(1, examples // 5),
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )(given(case=strategy)(check))
        try:
            run()
        except Unsatisfiable:
            continue  # a call without parameters cannot be invalid
        except (FailureGroup, Failure) as failure:
            found.append(f"{operation.label}: {failure}")
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("signed_in", "mode"),
    [
        (False, GenerationMode.POSITIVE),
        (True, GenerationMode.POSITIVE),
        pytest.param(True, GenerationMode.NEGATIVE, marks=only_full),
    ],
)
def test_the_server_does_what_its_document_says(
    place: Path, mode: GenerationMode, *, signed_in: bool
) -> None:
    """There is no server error and no undocumented answer, in either mode.

    Refusals of valid data are not checked, because a schema does not contain domain rules,
    such as that an email is free or a card works.
    """
    desk = open_desk(place)
    desk.open_vote()
    caller = Caller(desk, signed_in=signed_in)
    found = _fuzz(desk, mode, caller, so_many(EXAMPLES, place))

    assert found == []
    calls = sum(answers.total() for answers in caller.answers.values())
    assert calls > so_many(5 * EXAMPLES, place)
    if signed_in and mode is GenerationMode.POSITIVE:  # the other mode also leaves tokens out
        shut = {label for label, answers in caller.answers.items() if set(answers) == {401}}
        operators = {f"{one.method} /api{one.path}" for one in CALLS if one.access == "operator"}
        assert shut <= {"POST /api/user/login", "POST /api/desk/session", *operators}
