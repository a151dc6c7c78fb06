"""The answers of a rich organisation have the form that the OpenAPI document describes.

The website's types are generated from this document, and it checks no answer itself.
"""

import contextlib
import io
import json
from typing import Any

import jsonschema_rs
import pytest
from falcon import testing

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara_cli.main import execute
from jara_webapi.app import create_app

VARIANTS = {
    "/api/projects/{name}": ["/api/projects/clean-water-boreholes", "/api/projects/reef"],
    "/api/ledger/budget/{row}": [
        f"/api/ledger/budget/{row}" for row in ("available", "allocated", "unallocated")
    ],
    "/api/legal/{text}": ["/api/legal/terms", "/api/legal/privacy?lang=fr"],
    "/api/impact": ["/api/impact", "/api/impact?all=true"],
    "/api/ledger/transactions": ["/api/ledger/transactions?limit=100"],
    "/api/proofs/inclusion": ["/api/proofs/inclusion?index=3&size=9"],
    "/api/proofs/consistency": ["/api/proofs/consistency?from=3&to=9"],
    "/api/ledger/entries/{entry}": [],  # needs an id: tests/webapi/test_entry_pages.py
    "/api/field": [],  # needs a link of a partner: tests/webapi/field
    "/api/desk/session/options": [],  # needs a site with a name: tests/webapi/test_desk_calls.py
    "/api/desk/waiting": [],
    "/api/desk/waiting/{act}": [],
    "/api/desk/waiting/{act}/papers/{document}": [],
    "/api/desk/waiting/{act}/options": [],
    "/api/user/payment": [],  # the member of the demonstration pays with a card
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[testing.TestClient, str]:
    """Make a small demonstration; return a client and the token of its member."""
    folder, out = tmp_path_factory.mktemp("demo"), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        assert execute(["demo", "--members", "6", "--json"]) == 0
    made = json.loads(out.getvalue())
    settings = load_settings({}, overrides={"database_url": str(folder / "jara-demo/jara.db")})
    client = testing.TestClient(create_app(build(settings)))
    credentials = {"email": made["email"], "password": made["password"]}
    return client, client.simulate_post("/api/user/login", json=credentials).json["token"]


def test_answers_conform_to_their_schemas(site: tuple[testing.TestClient, str]) -> None:
    """Every GET call, as a visitor and as a member, and the options of passkeys."""
    client, token = site
    document = client.simulate_get("/api/openapi.json").json
    calls = [
        (method, address, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method == "get" or path.endswith("/options")
        for address in VARIANTS.get(path, [path])
        if "application/json" in operation["responses"]["200"].get("content", {})
    ]
    checked = 0
    for method, address, operation in calls:
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        for headers in ({}, {"token": token}):
            answer = client.simulate_request(method.upper(), address, headers=headers)
            if answer.status_code == 401 and not headers:
                continue
            assert answer.status_code == 200, address
            found = differences(document, schema, answer.json)
            assert found == [], address
            checked += 1

    assert checked > 60


def differences(document: dict[str, Any], schema: dict[str, Any], answer: Any) -> list[str]:
    """Return where an answer differs from its schema."""
    whole = {**schema, "components": document["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(answer)]
