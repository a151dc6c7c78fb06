"""The media handler's limits, and that no value of any field causes a server error."""

import json
from typing import Any

import pytest

from jara_webapi.calls.strict_json import MalformedJson, read_json
from tests.webapi.calls import CALLS, Known
from tests.webapi.desk import Desk

BODIES = [call for call in CALLS if call.body is not None and call.access != "operator"]

REFUSED = {
    "empty": b"",
    "not JSON": b"hello",
    "cut off": b'{"email": "a',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": Infinity}',
    "negative Infinity": b'{"a": -Infinity}',
    "a number too large": b'{"a": 1e999}',
    "an integer beyond 2^53": b'{"a": 9007199254740993}',
    "a negative one": b'{"a": -9007199254740993}',
    "a hundred thousand digits": b'{"a": ' + b"9" * 60000 + b"}",
    "duplicate keys": b'{"a": 1, "a": 2}',
    "duplicate keys deep down": b'{"a": [{"b": 1, "b": 1}]}',
    "a lone surrogate": b'{"a": "\\ud800"}',
    "a lone surrogate as key": b'{"\\udfff": 1}',
    "U+0000": b'{"a": "\\u0000"}',
    "U+0000 as key": b'{"\\u0000": 1}',
    "too deep": b"[" * 22 + b"]" * 22,
    "far too deep": b"[" * 30000,
    "too deep objects": b'{"a":' * 22 + b"1" + b"}" * 22,
    "not UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "non-ASCII digits": '{"a": १०}'.encode(),
    "leading zero": b'{"a": 01}',
    "hexadecimal": b'{"a": 0x10}',
    "comment": b'{"a": 1} // x',
    "single quotes": b"{'a': 1}",
    "trailing comma": b'{"a": 1,}',
    "two values": b"{} {}",
}
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**53,
    0.5,
    "",
    " ",
    "\u202eevil",
    "\ufeff",
    "a" * 3000,
    "１０",
    "'; DROP TABLE members; --",
    '" OR "1"="1',
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00",
    "\r\nSet-Cookie: a=b",
    "{{7*7}}",
    "${jndi:ldap://x}",
    [],
    ["a"],
    {},
    {"a": 1},
    {"$ne": None},
)


@pytest.fixture
def token(desk: Desk) -> str:
    """A new member's token for each test, because some calls end the session."""
    return desk.join()


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_json_that_could_be_read_in_two_ways_is_refused(desk: Desk, kind: str) -> None:
    """Ambiguous JSON is 400 with an explanation, for all calls in one place."""
    answer = desk.client.simulate_post(
        "/api/user/login", body=REFUSED[kind], headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json["code"]) == (400, "invalid_json")


@pytest.mark.parametrize(
    "text",
    ["9007199254740992", "-9007199254740992", "0.1", '"\\ud83d\\ude00"', "[" * 20 + "]" * 20, "{}"],
)
def test_ordinary_json_is_let_in(text: str) -> None:
    """JSON at the limits is accepted."""
    assert json.loads(text) == read_json(text.encode())


def test_one_level_more_is_too_deep() -> None:
    """JSON may be nested twenty levels deep."""
    with pytest.raises(MalformedJson, match="20 levels"):
        read_json(b"[" * 21 + b"]" * 21)


@pytest.mark.parametrize("size", [64 * 1024 + 1, 200_000])
def test_a_body_over_64_kib_is_refused(desk: Desk, size: int) -> None:
    """A larger body is 413, with or without a Content-Length."""
    body = b'{"email": "' + b"a" * size + b'"}'
    headers = {"Content-Type": "application/json"}
    answer = desk.client.simulate_post("/api/user/login", body=body, headers=headers)

    assert (answer.status_code, answer.json["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data", None])
def test_a_body_that_is_not_sent_as_json_is_refused(desk: Desk, kind: str | None) -> None:
    """Another content type is 415, so other sites cannot post a form here."""
    headers = {"Content-Type": kind} if kind else {}
    answer = desk.client.simulate_post("/api/user/login", body=b"{}", headers=headers)

    assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")


def test_json_with_a_charset_is_json(desk: Desk) -> None:
    """Parameters of the content type are ignored."""
    answer = desk.client.simulate_post(
        "/api/user/login",
        body=b'{"email": "a", "password": "b"}',
        headers={"Content-Type": "application/json; charset=utf-8"},
    )

    assert answer.status_code == 401


@pytest.mark.parametrize("body", [[], "text", 7, None, True])
def test_a_body_is_an_object(desk: Desk, body: object) -> None:
    """Other JSON values are 422."""
    headers = {"Content-Type": "application/json"}
    raw = json.dumps(body).encode()
    answer = desk.client.simulate_post("/api/user/login", body=raw, headers=headers)

    assert (answer.status_code, set(answer.json["fields"])) == (422, {"body"})


@pytest.mark.parametrize("known", BODIES, ids=lambda call: f"{call.method} {call.path}")
def test_no_value_in_any_field_breaks_a_call(desk: Desk, known: Known, token: str) -> None:
    """Malformed values give no 500 and no traceback, only the standard error form."""
    assert known.body is not None
    for field in known.body:
        for value in ODD_VALUES:
            answer = desk.call(
                known.method, known.address, {**known.body, field: value}, token=token
            )
            if answer.status_code == 401 and "login" not in known.path:
                token = desk.join()  # the value closed the account
            assert answer.status_code < 500, (field, value, answer.text)
            assert "Traceback" not in answer.text
            if answer.status_code >= 400:
                assert answer.json["success"] is False


@pytest.mark.parametrize("known", BODIES, ids=lambda call: f"{call.method} {call.path}")
def test_unknown_and_missing_fields_are_named(desk: Desk, known: Known, token: str) -> None:
    """The error is 422 with the field's JSON name, without the submitted value."""
    body = {**(known.body or {}), "isAdmin": "secret-value"}
    answer = desk.call(known.method, known.address, body, token=token)

    assert (answer.status_code, next(iter(answer.json["fields"]))) == (422, "isAdmin")
    assert "secret-value" not in answer.text


ODD_TEXTS = [value for value in ODD_VALUES if isinstance(value, str) and len(value) < 100]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_no_text_in_a_path_or_a_query_breaks_a_call(desk: Desk, text: str, token: str) -> None:
    """Unusual texts give no server error."""
    for path in ("/projects/", "/ledger/budget/", "/user/todo/"):
        address = path + (text.replace("/", "%2F").replace("\r\n", "") or "x")
        method = "PUT" if "todo" in path else "GET"
        body = {"completed": True} if method == "PUT" else None
        assert desk.call(method, address, body, token=token).status_code < 500
    for name in ("cursor", "limit", "kind", "q", "from", "to"):
        answer = desk.get("/ledger/transactions", token=token, params={name: text})
        assert answer.status_code in {200, 422}
    for path in ("/proofs/inclusion", "/proofs/entries", "/impact", "/ledger/budget"):
        for name in ("index", "size", "from", "to", "month", "year"):
            assert desk.get(path, params={name: text}).status_code < 500


@pytest.mark.parametrize(
    ("path", "name"),
    [("/ledger/budget", "year"), ("/proofs/inclusion", "index"), ("/ledger/transactions", "limit")],
)
@pytest.mark.parametrize(
    "text",
    ["2_026", "2026.0", "2026e0", " 2026", "+2026", "२०२६", "２０２６", "0x7ea", "", "9" * 40],
)
def test_a_number_of_a_query_is_written_in_plain_digits(
    desk: Desk, token: str, path: str, name: str, text: str
) -> None:
    """Non-ASCII digits and all other notations are refused."""
    answer = desk.get(path, token=token, params={name: text})

    assert answer.status_code == 422
    assert answer.json["fields"][name] == "This must be a whole number."


@pytest.mark.parametrize(
    "text",
    ["1763683200", "2026-11-20T00:00:00", "20261120", "2026-1-1", "２０２６-11-20", "2026-02-30"],
)
def test_a_day_of_a_query_is_year_month_day(desk: Desk, token: str, text: str) -> None:
    """Any other form is refused."""
    for path in ("/ledger/transactions", "/impact"):
        answer = desk.get(path, token=token, params={"from": text})

        assert answer.status_code == 422
        assert answer.json["fields"]["from"] == "This must be a day like 2026-11-20."


@pytest.mark.parametrize(
    ("path", "query", "sentence"),
    [
        ("/impact", {"from": "0001-01-01"}, "Years begin with 1900."),
        ("/ledger/transactions", {"to": "1899-12-31"}, "Years begin with 1900."),
        ("/impact", {"month": "0001-02"}, "Years begin with 1900."),
        ("/impact", {"year": "1899"}, "This must be 1900 or more."),
    ],
)
def test_a_query_reaches_back_to_1900(
    desk: Desk, token: str, path: str, query: dict[str, str], sentence: str
) -> None:
    """Before the first days of the calendar there is nothing to count back to."""
    answer = desk.get(path, token=token, params=query)

    assert (answer.status_code, [*answer.json["fields"].values()]) == (422, [sentence])


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/no-such-call", 404, "not_found"),
        ("GET", "/user/login", 405, "method_not_allowed"),
        ("PATCH", "/user/login", 405, "method_not_allowed"),
        ("DELETE", "/config", 405, "method_not_allowed"),
    ],
)
def test_unknown_calls_get_the_common_error_shape(
    desk: Desk, method: str, path: str, status: int, code: str
) -> None:
    """404 and 405 are JSON with a request id, like every error."""
    answer = desk.call(method, path)

    assert (status, code) == (answer.status_code, answer.json["code"])
    assert answer.headers["x-request-id"]
