"""The access matrix, and forged tokens on every call that needs one."""

import re
from typing import Any

import pytest

from jara.services.context import Context
from jara.services.members.sessions import Session, member_for_token, sign_out
from jara_webapi.app import api_routes
from tests.places import rows_of
from tests.webapi.calls import CALLS, Known, served_calls
from tests.webapi.desk import PASSWORD, Desk
from tests.webapi.forgeries import FORGERIES, KEY

SECRETS = ("Ama", "Mensah", "@example.org", "expenses:", "income:", "key_")
PROTECTED = [call for call in CALLS if call.access in {"more", "member"}]


@pytest.fixture(scope="module")
def token(desk: Desk) -> str:
    """The token of a member, in an organisation with a vote."""
    desk.open_vote()
    return desk.join()


def make(desk: Desk, known: Known, token: str | None = None, **more: Any) -> Any:
    """Make a call."""
    return desk.call(
        known.method, known.address, known.body, token=token, query_string=known.query, **more
    )


def test_every_route_is_in_the_matrix(desk: Desk) -> None:
    """The route table and the matrix list the same calls."""
    known = [(call.method, call.path, call.access) for call in CALLS]
    served = served_calls(desk.application)

    assert sorted(known) == sorted([*served, ("GET", "/openapi.json", "visitor")])


def test_the_calls_of_the_specification_come_first(desk: Desk) -> None:
    """The thirteen calls of spec §7 come first, in its order."""
    paths = [path for path, _ in api_routes(desk.application)][:13]

    assert [f"/api{call.path}" for call in CALLS[:13]] == paths


@pytest.mark.parametrize("known", CALLS, ids=lambda call: f"{call.method} {call.path}")
def test_members_alone_pass_where_members_alone_may(desk: Desk, known: Known) -> None:
    """Without a token, calls for members or operators and a wrong sign-in are 401, no others."""
    answer = make(desk, known)

    is_closed = known.access in {"member", "operator"}
    assert (answer.status_code == 401) is (is_closed or known.path == "/user/login")
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert answer.json["success"] is False
        assert answer.json["message"] == answer.json["error"]
        assert re.fullmatch("[a-z][a-z0-9_]*", answer.json["code"])


@pytest.mark.parametrize("known", PROTECTED, ids=lambda call: f"{call.method} {call.path}")
def test_a_member_passes_and_nothing_is_kept_by_the_browser(
    desk: Desk, known: Known, token: str
) -> None:
    """With a token, no call is 401 and every answer is no-store."""
    answer = make(desk, known, desk.join() if "logout" in known.path else token)

    assert answer.status_code < 500
    assert answer.status_code != 401
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("known", PROTECTED, ids=lambda call: f"{call.method} {call.path}")
def test_forged_tokens_open_nothing(
    desk: Desk, known: Known, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty kinds of forgeries, also with the real key, are refused and write nothing."""
    claims = _claims(desk, token)
    monkeypatch.setitem(desk.application.tokens.__dict__, "_key", KEY)
    monkeypatch.setattr("jara.security.tokens.JwtIssuer.key_id", "0123456789abcdef")
    good = desk.application.tokens.issue(claims)
    mark = rows_of(desk.application.database)
    for kind, forge in FORGERIES.items():
        forged = forge(good).encode().decode("latin-1")
        if not forged.strip():
            continue
        answer = make(desk, known, forged)

        assert answer.status_code == 401, kind
    assert rows_of(desk.application.database) == mark


ENDING: dict[str, tuple[str, str, Any]] = {
    "name": ("PUT", "/user/update-profile", {"firstname": "Eve", "lastname": "X"}),
    "country": ("PUT", "/user/update-profile", {"country": "Kenya"}),
    "emails": ("PUT", "/user/update-profile", {"emailChoice": "nothing"}),
    "language": ("PUT", "/user/update-profile", {"language": "fr"}),
    "address": ("PUT", "/user/update-profile", {"email": "eve@example.org"}),
    "password": (
        *("PUT", "/user/update-profile"),
        {"newPassword": "kente-river-8", "confirmNewPassword": "kente-river-8"},
    ),
    "vote": ("POST", "/user/votes", {"voteType": "upvote"}),
    "close": ("DELETE", "/user/delete-account", {"currentPassword": PASSWORD}),
    "task": ("PUT", "/user/todo/follow", {"completed": True}),
    "sign out everywhere": ("POST", "/user/logout-everywhere", None),
}


@pytest.mark.parametrize("name", ENDING)
def test_a_request_ends_with_its_session(
    desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was authenticated, waits, and would overtake the owner who ended the session."""
    token, vote = desk.join(), desk.open_vote()
    seen = []

    def authenticated(context: Context, tokens: Any, text: str) -> Session:
        session = member_for_token(context, tokens, text)
        sign_out(context, session.claims)
        seen.append(rows_of(desk.application.database))
        return session

    monkeypatch.setattr("jara_webapi.middleware.authentication.member_for_token", authenticated)
    method, path, body = ENDING[name]
    answer = desk.call(method, path, {"id": vote, **body} if name == "vote" else body, token=token)

    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert rows_of(desk.application.database) == seen[0]


def test_what_the_provider_did_is_stored(desk: Desk) -> None:
    """These calls alone go on if their session ends meanwhile."""
    going_on = {
        path
        for path, resource in api_routes(desk.application)
        for endpoint in resource.endpoints.values()
        if endpoint.operation.outlives_session
    }

    paths = {"/user/update-subscription", "/user/pledge", "/user/pledge/pay"}
    assert going_on == {f"/api{path}" for path in paths}


def _claims(desk: Desk, token: str) -> Any:
    return desk.application.tokens.read(token, now=desk.application.context.now())


@pytest.mark.parametrize(
    "known",
    [call for call in CALLS if call.access != "member" and call.method == "GET"],
    ids=lambda call: call.path,
)
def test_visitors_get_nothing_that_is_for_contributors(
    desk: Desk, known: Known, token: str
) -> None:
    """Public answers contain no contributor's name, key or account in the books."""
    del token
    if known.path in {"/openapi.json", "/countries"}:
        return
    text = make(desk, known).text.partition("jara_verify.py")[0]  # the program in the bundle
    text = text.replace('"passkey_added"', "")  # a kind of email

    assert [secret for secret in SECRETS if secret in text] == []


def test_the_bearer_header_is_as_good_as_token(desk: Desk, token: str) -> None:
    """A bearer token is read like the token header (spec §7)."""
    answer = desk.get("/user/get-profile", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"


def test_an_unknown_scheme_is_no_token(desk: Desk) -> None:
    """Basic authentication is not supported."""
    answer = desk.get("/user/get-profile", headers={"Authorization": "Basic YTpi"})

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
