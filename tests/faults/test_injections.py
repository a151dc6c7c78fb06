"""Injections over real HTTP: SQL in every text of a call, formulas in every export."""

import csv
import io
import itertools
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.csv_cells import shielded, unshielded
from jara.services.ballots.counting import count_open
from jara.services.books.posting import Books
from jara.services.books.verification import verify_books
from tests.faults.corpora import FORMULAS as ALL_FORMULAS
from tests.faults.corpora import SQL as ALL_SQL
from tests.faults.fault_world import Server, found, put_to_vote, reopen, serving
from tests.places import NewPlace, is_on_server
from tests.sizes import some
from tests.webapi.calls import CALLS, Known
from tests.webapi.desk import PASSWORD, registration

SQL = some(ALL_SQL, step=15)
FORMULAS = some(ALL_FORMULAS, step=3)
BYSTANDER = "bystander@example.org"
SECONDS_MAX = 60.0
"""An answer takes less on any machine; an injected sleep or an endless search would take longer."""

QUERIES = {
    "/projects": ("category",),
    "/ledger/budget": ("year",),
    "/ledger/budget/available": ("year",),
    "/impact": ("month", "year", "from", "to"),
    "/proofs/entries": ("from", "to"),
    "/proofs/inclusion": ("index", "size"),
    "/proofs/consistency": ("from", "to"),
    "/ledger/transactions": ("cursor", "limit", "kind", "q", "from", "to"),
}
PATHS = ("/projects/{}", "/ledger/budget/{}", "/media/{}", "/{}", "/user/todo/{}")
HEADERS = ("token", "Authorization", "Idempotency-Key", "X-Request-Id", "X-Forwarded-For")
UNLIMITED = {
    f"JARA_LIMIT_{name}": "1000000/h"
    for name in (
        "SIGN_IN_ACCOUNT",
        "DECLINED_EMAIL",
        "VOTE_MEMBER",
        "MAIL_ADDRESS",
        "FIELD_NETWORK",
    )
}
_numbers = itertools.count(1)
_SIGN = re.compile("(?:^|[;|\t\r\n])\\s*[-=+@\uff1d\uff0b\uff0d\uff20\ufe66\u2212]")
BODIES = [call for call in CALLS if call.body is not None]
pytestmark = pytest.mark.slow


@dataclass
class Place:
    """A served organisation, an attacker who is a member, and another member."""

    folder: Path
    server: Server
    token: str
    bystander: str

    def send(self, method: str, path: str, body: Any = None) -> int:
        """Make a call as the attacker; it must be quick and without a server error."""
        begin = time.monotonic()
        answer = self.server.live.call(method, path, body, self.token)
        assert answer.status in EXPECTED, (method, path, body, answer.raw)
        assert time.monotonic() - begin < SECONDS_MAX, (method, path, body)
        told = answer.raw.lower()
        assert [word for word in (b"traceback", b"syntax error") if word in told] == []
        if answer.status == 401 and "login" not in path:
            self.token = join(self.server)  # the value ended the session
        return answer.status


SCHEMA = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
PG_SCHEMA = """
    SELECT table_name, column_name, data_type, column_default, is_nullable
    FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL
    SELECT tablename, indexname, indexdef, NULL, NULL
    FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL
    SELECT event_object_table, trigger_name, action_statement, event_manipulation, action_timing
    FROM information_schema.triggers WHERE trigger_schema = current_schema()
    ORDER BY 1, 2, 4
"""
EXPECTED = {200, 201, 202, 204, 400, 401, 402, 403, 404, 405, 409, 422}


def join(server: Server, **changes: Any) -> str:
    """Register a member; return the token."""
    answer = server.live.call("POST", "/register", registration(**changes))
    assert answer.status == 201, answer.raw
    token: str = answer.json["token"]
    return token


@pytest.fixture(scope="module")
def place(new_place: NewPlace, programs: Path) -> Iterator[Place]:
    """One organisation for all attacks; at the end it must be unharmed."""
    folder = new_place()
    application = found(folder)
    proposal = put_to_vote(application)
    application.context.store.close()
    with serving(folder, programs, **UNLIMITED) as server:
        bystander = join(server, email=BYSTANDER)
        vote = {"id": proposal, "voteType": "upvote"}
        assert server.live.call("POST", "/user/votes", vote, bystander).status == 200
        schema = schema_of(folder)
        opened = Place(folder, server, join(server), bystander)
        yield opened
        require_unharmed(opened, proposal, schema)


def schema_of(folder: Path) -> list[tuple[Any, ...]]:
    """Return the schema of the database."""
    context = reopen(folder).context
    with context.store.read() as work:
        sql: Any = work.members
        rows = sql._sql.all(PG_SCHEMA if is_on_server(folder) else SCHEMA)
    return [tuple(row) for row in rows]


def require_unharmed(place: Place, proposal: str, schema: list[tuple[Any, ...]]) -> None:
    """Assert that the other member and the books are unchanged, except as requested."""
    credentials = {"email": BYSTANDER, "password": PASSWORD}
    assert place.server.live.call("POST", "/user/login", credentials).status == 200
    profile = place.server.live.call("GET", "/user/get-profile", token=place.bystander)
    assert (profile.status, profile.json["user"]["lastname"], profile.json["user"]["votes"]) == (
        200,
        "Mensah",
        {proposal: "voted"},
    )
    assert schema == schema_of(place.folder)
    context = reopen(place.folder).context
    with context.store.read() as work:
        assert count_open(context, work, proposal) == (1, 0)
    assert verify_books(context).findings == ()
    assert context.store.integrity_findings() == []


@pytest.mark.parametrize("known", BODIES, ids=lambda call: f"{call.method} {call.path}")
def test_sql_in_a_body_is_text_or_refused(place: Place, known: Known) -> None:
    """SQL is stored as text or refused."""
    assert known.body is not None
    for field, usual in known.body.items():
        if not isinstance(usual, str):
            continue
        for text in SQL:
            body = {**known.body, field: text}
            if known.path == "/register" and field != "email":
                body["email"] = f"somebody{next(_numbers)}@example.org"
            status = place.send(known.method, known.address, body)

            assert not (known.path == "/user/login" and status == 200)


@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path, names in QUERIES.items() for name in names]
)
def test_sql_in_a_query_finds_nothing(place: Place, path: str, name: str) -> None:
    """SQL is an invalid value or finds nothing; a search finds only rows with the text."""
    for text in SQL:
        usual = {"index": "0", "size": "1", "from": "1", "to": "1"}
        more = {key: usual[key] for key in QUERIES[path] if path.startswith("/proofs/in")}
        more |= {key: usual[key] for key in QUERIES[path] if path.endswith("consistency")}
        answer = place.server.live.call(
            "GET", f"{path}?{urlencode({**more, name: text})}", token=place.token
        )

        assert answer.status in {200, 404, 422}, (path, name, text, answer.raw)
        if name == "q":
            assert answer.status == 200
            assert all(text.casefold() in str(row).casefold() for row in answer.json["items"]), text


@pytest.mark.parametrize("path", PATHS)
def test_sql_in_a_path_is_refused(place: Place, path: str) -> None:
    """SQL, dots or slashes in a path give 404 or 400."""
    for text in (*SQL, "..", "../../etc/passwd", "%00", "a" * 3000):
        method, body = ("PUT", {"completed": True}) if "todo" in path else ("GET", None)
        status = place.send(method, path.format(quote(text, safe="")), body)

        assert status in {404, 400}, (path, text)


@pytest.mark.parametrize("header", HEADERS)
def test_sql_in_a_header_is_ignored_or_refused(place: Place, header: str) -> None:
    """SQL is no valid token, key or address, and is refused or ignored."""
    statuses: Counter[int] = Counter()
    for text in SQL:
        value = text.encode().decode("latin-1")
        answer = place.server.live.send(
            "GET", "/user/get-profile", None, {"token": place.bystander, header: value}
        )
        statuses[answer.status] += 1
        assert text not in answer.headers.get("x-request-id", "")

    assert set(statuses) == {401 if header == "token" else 200}


def test_formulas_are_quoted_in_the_export(place: Place) -> None:
    """Each text cell that starts like a formula is prefixed with a quote."""
    context = reopen(place.folder).context
    for formula in FORMULAS:
        form = registration(firstname=formula, lastname=formula)
        status = place.server.live.call("POST", "/register", form).status
        assert status in {201, 422}
        gift = {
            "amountCents": 500,
            "email": form["email"],
            "name": formula,
            "paymentMethodId": "pm_card_visa",
        }
        assert place.server.live.call("POST", "/gifts", gift).status in {201, 422}
        with context.store.write() as work:
            Books(context, work).post(
                JournalEntry(
                    day=context.today(),
                    kind=EntryKind.GRANT,
                    description=formula,
                    postings=(
                        Posting(BANK, Fund.OTHER, 100),
                        Posting("income:grants", Fund.OTHER, -100),
                    ),
                    reference=formula,
                )
            )

    answer = place.server.live.call("GET", "/ledger/export.csv", token=place.bystander)

    rows = list(csv.reader(io.StringIO(answer.raw.decode(), newline="")))
    assert {len(row) for row in rows} == {7}
    texts = [cell for row in rows[1:] for cell in (*row[:5], row[6])]
    assert [cell for cell in texts if _SIGN.search(cell)] == []
    amounts = [row[5] for row in rows[1:]]
    assert all(amount.lstrip("-").replace(".", "").isdecimal() for amount in amounts)
    quoted = {cell for cell in texts if cell != unshielded(cell)}
    assert quoted == {shielded(one) for one in FORMULAS if shielded(one) != one}
