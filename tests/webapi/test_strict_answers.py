"""Answers of the web API keep the rows of docs/asvs.md about headers, methods, files and logs."""

import io
import json
import logging
import re
import ssl
from pathlib import Path
from typing import Any

import pytest
from falcon import testing
from gunicorn.http.errors import LimitRequestHeaders

from jara.services.ports.payments import ProviderUnavailable
from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import JsonLines, log_to
from jara_webapi.middleware.security_headers import POLICY
from jara_webapi.pages.website import Website
from jara_webapi.server.deadline_worker import answer_to_malformed
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """The web API of an organisation."""
    return open_desk(tmp_path)


@pytest.fixture
def site(tmp_path: Path, desk: Desk) -> testing.TestClient:
    """The web API with a website, in whose folder are hidden files and one folder."""
    folder = tmp_path / "site"
    for name in ("index.html", "404.html", "assets/one.js", ".env", ".git/config"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return testing.TestClient(create_app(desk.application, website=Website(folder)))


def test_an_uploaded_file_runs_nothing(desk: Desk) -> None:
    """Opened directly, a file is shown as its type and loads nothing."""
    folder = desk.application.settings.media_dir
    folder.mkdir()
    name = f"{'a' * 64}.pdf"
    (folder / name).write_bytes(b"%PDF-1.7 <script>alert(1)</script>")
    headers = desk.client.simulate_get(f"/media/{name}").headers

    assert headers["content-type"] == "application/pdf"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-disposition"] == f'inline; filename="{name}"'
    assert "default-src 'none'" in headers["content-security-policy"]


def test_hidden_files_and_folders_are_not_served(site: testing.TestClient) -> None:
    """A hidden file and a folder of the website are answered with 404."""
    assert site.simulate_get("/").status_code == 200
    assert site.simulate_get("/assets/one.js").text == "assets/one.js"
    for path in ("/.git/config", "/.env", "/.git/", "/assets", "/assets/", "/media", "/media/"):
        answer = site.simulate_get(path)
        assert (answer.status_code, "one.js" in answer.text) == (404, False)


def test_no_get_writes(desk: Desk) -> None:
    """A GET request changes nothing, so a link cannot either; wrong links are counted."""
    token = desk.join()
    before = dump(desk)
    for call in CALLS:
        if call.method == "GET":
            desk.get(call.address, token=token, query_string=call.query)

    assert dump(desk) == before


def dump(desk: Desk) -> list[Any]:
    """Return every row of the database."""
    with desk.application.database.transaction(write=False) as sql:
        names = sql.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [sql.all(f"SELECT * FROM {name}") for (name,) in names if name != "limit_uses"]  # noqa: S608 - names of our own tables


STRICT = ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")


def test_every_answer_has_the_policy(desk: Desk) -> None:
    """Requests refused before the application get it too."""
    malformed = answer_to_malformed(LimitRequestHeaders("too many")).decode()
    policies = [malformed]
    for path in ("/healthz", "/metrics", "/robots.txt", "/media/none", "/api/config", "/api/none"):
        headers = desk.client.simulate_get(path).headers
        policies.append(headers["content-security-policy"])
        assert headers["x-content-type-options"] == "nosniff"

    assert "X-Content-Type-Options: nosniff\r\n" in malformed
    assert all(part in policy for part in STRICT for policy in policies)


def test_an_unchanged_answer_keeps_its_policy(site: testing.TestClient) -> None:
    """Otherwise nginx would add the policy of its own errors to a 304."""
    for path in ("/api/config", "/"):
        first = site.simulate_get(path).headers
        again = site.simulate_get(path, headers={"If-None-Match": first["etag"]})
        assert again.status_code == 304
        assert first["content-security-policy"] == again.headers["content-security-policy"]
        assert again.headers["x-content-type-options"] == "nosniff"


def test_the_policy_names_this_site_and_stripe_alone() -> None:
    """The policy allows no tracker, foreign font or other script."""
    hosts = set(re.findall(r"https?://\S+?(?=[; ]|$)", POLICY))

    assert hosts
    assert all(re.fullmatch(r"https://([a-z*]+\.)*stripe\.com", host) for host in hosts)


def test_trace_is_refused(site: testing.TestClient) -> None:
    """Calls, pages and all other paths refuse TRACE."""
    for path in ("/api/config", "/", "/healthz"):
        assert site.simulate_request("TRACE", path).status_code == 405


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines of the log and close it."""
    logging.getLogger("jara.web").handlers.clear()
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_refusals_are_in_the_log(desk: Desk) -> None:
    """Every sign-in attempt, refused token and refused value is logged."""
    log_to(stream := io.StringIO())
    desk.post("/user/login", {"email": "ama@example.org", "password": "not this one"})
    forged = {"id": "AA", "clientData": "AA", "authenticatorData": "AA", "signature": "AA"}
    desk.post("/user/login/passkey", forged)
    desk.get("/user/get-profile", token="forged")
    desk.post("/newsletter", {"email": 1})

    assert [(line["route"], line["status"]) for line in logged(stream)] == [
        ("/api/user/login", 401),
        ("/api/user/login/passkey", 422),
        ("/api/user/get-profile", 401),
        ("/api/newsletter", 422),
    ]


def test_a_failure_outside_is_logged_by_its_class(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the error's class is logged, because the message may name a person."""

    def failing(_context: object) -> None:
        raise ProviderUnavailable("ama@example.org") from ssl.SSLError("bad certificate")

    monkeypatch.setattr("jara_webapi.resources.reports.site_figures", failing)
    log_to(stream := io.StringIO())
    answer = desk.get("/user/all-users", query_string="n=failing")
    line, _ = logged(stream)

    assert answer.status_code == 502
    assert "ama@" not in stream.getvalue()
    assert (line["code"], line["causes"]) == ("payment_provider_failed", ["SSLError"])
    assert answer.headers["x-request-id"] == line["request"]


def test_a_line_of_the_log_is_one_line() -> None:
    """A log entry is one line for any content, with the time in UTC."""
    text = 'x\r\n{"time": "2026"}\u2028\x1b[2J'
    line = JsonLines().format(logging.makeLogRecord({"msg": text, "created": 0.0}))

    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert (json.loads(line)["message"], json.loads(line)["time"]) == (text, "1970-01-01T00:00:00Z")
