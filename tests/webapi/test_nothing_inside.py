"""No error answer holds anything of the inside, whatever fails and whatever is asked."""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from falcon import testing
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from jara.store.unit_of_work import UnitOfWork
from jara_cli.main import execute
from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import JsonLines
from jara_webapi.pages.website import PAGES as WEBSITE
from jara_webapi.server.background_tasks import EmailTask
from tests.faults.cut_payments import CutStore
from tests.places import database_of, is_on_server, keep_on_server
from tests.sizes import IS_FULL, some, wait_until
from tests.webapi.calls import CALLS, Known
from tests.webapi.desk import Desk, open_desk, registration
from tests.webapi.pages.site_world import open_site
from tests.webapi.payments.live_desk import LiveDesk

INSIDE = re.compile(
    r"postgres|sqlite|psycopg|/tmp|/dev/shm|/var/|/work|pytest|\.db\b|\.key\b|secrets|jara_\d|\bowner\b"
    r"|SELECT |INSERT |Traceback|File \"|site-packages|falcon|pydantic|gunicorn|\.py\b"
    r"|(?-i:[A-Z][a-z]\w*(?:Error|Exception)\b)|migrate|\d+\.\d+\.\d+|api\.stripe\.com|HTTPSConnection|Errno",
    re.IGNORECASE,
)
PAGES = (
    *("/", "/impact", "/projects/wells", "/embed/projects/wells", "/readyz", "/log/checkpoint"),
    *(
        "/terms?version=9",
        "/og/projects/wells.png",
        "/media/none.jpg",
        "/log/tile/0/000",
        "/log/tile/entries/000",
        "/feed.xml",
        "/.well-known/security.txt",
        "/favicon.ico",
        "/robots.txt",
        "/no-such-page",
        "/sitemap.xml",
    ),
)
WEBSITE_ITEMS = ("/projects/wells", "/projects/none", "/proposals/bees", "/no-such-page.html")
SPOKEN = {"content-security-policy", "content-disposition", "link"}
"""Headers with names of our own files for visitors."""

METHODS = ("HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE")
_ADDRESSES = tuple(dict.fromkeys(f"/api{call.address}" for call in CALLS))
_OF_VISITORS = [call for call in CALLS if call.access == "visitor"]
_OF_MEMBERS = [call for call in CALLS if call.access != "visitor"]


def answers_of(
    desk: Desk, token: str | None, *, good_alone: bool = False, calls: Iterable[Known] = CALLS
) -> list[tuple[str, testing.Result]]:
    """Return the answers to every call, good and bad."""
    made = []
    for call in calls:
        for name, more in some(_requests(call).items(), 8 if good_alone else 1):
            headers = {**more.pop("headers", {}), **({"token": token} if token else {})}
            answer = desk.client.simulate_request(
                more.pop("method", call.method), f"/api{call.address}", headers=headers, **more
            )
            made.append((f"{call.method} {call.address}: {name}", answer))
    return made


def other_answers(desk: Desk, *, good_alone: bool = False) -> list[tuple[str, testing.Result]]:
    """Return the answers to pages, in two languages, and to every other method."""
    client = desk.client
    return [
        *(
            (f"{page} {language}", client.simulate_get(page, headers={"Accept-Language": language}))
            for page in PAGES
            for language in ("en", "fr")
        ),
        *(
            (f"{method} {path}", client.simulate_request(method, path))
            for path in (*(() if good_alone else _ADDRESSES), *PAGES)
            for method in some(METHODS, len(METHODS) if good_alone else 1)
        ),
    ]


def _requests(call: Known) -> dict[str, dict[str, Any]]:
    """Return the ways in which a call is made."""
    asked: dict[str, Any] = {"query_string": call.query}
    if call.body is not None:
        asked["json"] = call.body
    return {
        "as it should be": asked,
        "in French": {**asked, "headers": {"Accept-Language": "fr"}},
        "unknown fields": {"json": {"'; DROP TABLE members --": [None, 1e308]}},
        "not JSON": {"body": b"{\x00", "headers": {"Content-Type": "application/json"}},
        "another type": {"body": b"a=1", "headers": {"Content-Type": "text/xml"}},
        "too long": {"body": b"[" * 1_100_000, "headers": {"Content-Type": "application/json"}},
        "a forged session": {**asked, "headers": {"token": "e30.e30.e30"}},
        "a strange query": {"query_string": "limit=-1&index=a%00&size=%ff&lang=xx&version=1e9"},
    }


def require_nothing_inside(made: list[tuple[str, testing.Result]]) -> None:
    """Assert that no error answer names anything of the inside; some are errors.

    Nor does a header of any answer.
    """
    errors = [(name, answer) for name, answer in made if answer.status_code >= 400]
    assert errors != []
    found = {
        f"{name}: {answer.status_code} {answer.text[:200]}"
        for name, answer in errors
        if INSIDE.search(answer.text)
    }
    assert found == set()
    headers = {header for _, answer in made for header in answer.headers.items()}
    assert [
        header for header in headers if header[0] not in SPOKEN and INSIDE.search(": ".join(header))
    ] == []


def remove_database(desk: Desk, folder: Path) -> None:
    """Delete the database under the running server."""
    if is_on_server(folder):
        _administer(folder, "DROP DATABASE {name} WITH (FORCE)")
    else:
        (folder / "jara.db").unlink()


def spoil_database(desk: Desk, folder: Path) -> None:
    """Make the database unreadable."""
    if is_on_server(folder):
        _administer(folder, "ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    else:
        for path in folder.glob("jara.db*"):
            path.write_bytes(b"not a database " * 1000)


def age_database(desk: Desk, folder: Path) -> None:
    """Make the database one of an older version."""
    with desk.application.context.store.write() as work:
        older = "UPDATE schema_steps SET number = number - 1000"
        work.sql.run(older if is_on_server(folder) else "PRAGMA user_version = 30")


def fill_disk(desk: Desk, folder: Path) -> None:
    """Let every write find a full disk."""
    store: Any = CutStore(desk.application.context.store, 1, "full")
    context = replace(desk.application.context, store=store)
    desk.client.app = create_app(replace(desk.application, context=context))


def move_away(desk: Desk, folder: Path) -> None:
    """Copy the organisation to another database, which closes this one."""
    target = str(folder / "moved-to-here.db")
    assert execute(["--db", database_of(folder), "db", "copy", database_of(folder), target]) == 0


def end_in_the_middle(desk: Desk, folder: Path) -> None:
    """Let the database go away after each transaction has begun."""
    if not is_on_server(folder):
        pytest.skip("SQLite has no server")
    store: Any = DyingStore(desk.application.context.store, folder)
    context = replace(desk.application.context, store=store)
    desk.client.app = create_app(replace(desk.application, context=context))


def remove_secrets(desk: Desk, folder: Path) -> None:
    """Delete the folder of secrets."""
    shutil.rmtree(desk.application.secrets.folder)


def nothing(desk: Desk, folder: Path) -> None:
    """Leave everything as it is."""


class DyingStore(CutStore):
    """A store whose server ends each connection in the middle of a transaction."""

    def __init__(self, inner: Any, folder: Path) -> None:
        """Reach the server of a folder's database."""
        super().__init__(inner, 0, "none")
        self._folder = folder

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """Begin a transaction, and end its connection."""
        with self._inner.write() as work:
            self._end(work)
            yield work

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Begin a transaction, and end its connection."""
        with self._inner.read() as work:
            self._end(work)
            yield work

    def _end(self, work: UnitOfWork) -> None:
        (number,) = work.sql.one("SELECT pg_backend_pid()") or (0,)
        _administer(self._folder, f"SELECT pg_terminate_backend({number})")


def _administer(folder: Path, statement: str) -> None:
    parts = conninfo_to_dict(database_of(folder))
    name = str(parts.pop("dbname"))
    address = make_conninfo("", **{**parts, "dbname": "postgres"})
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement.format(name=name).encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    "fail",
    [
        nothing,
        remove_database,
        spoil_database,
        age_database,
        move_away,
        end_in_the_middle,
        fill_disk,
        remove_secrets,
    ],
)
def test_no_failure_shows_the_inside(
    own: Desk, place: Path, fail: Callable[[Desk, Path], None]
) -> None:
    """Every call and page, with the database or the keys gone.

    While all is well, every call is made by a visitor and by a member, in each way. A failure comes
    before the call looks at who asks, so then each call is made once, as it should be.
    """
    token = own.join()
    own.open_vote()
    own.application.context.store.close()
    fail(own, place)
    own.application.context.store.close()

    is_well = fail is nothing
    visitors, members = (CALLS, CALLS) if is_well or IS_FULL else (_OF_VISITORS, _OF_MEMBERS)
    require_nothing_inside(
        [
            *answers_of(own, None, good_alone=not is_well, calls=visitors),
            *answers_of(own, token, good_alone=not is_well, calls=members),
            *other_answers(own, good_alone=not is_well),
        ]
    )


@pytest.mark.parametrize(
    "fail", [remove_database, spoil_database, age_database, move_away, remove_secrets]
)
def test_no_page_shows_the_inside(place: Path, fail: Callable[[Desk, Path], None]) -> None:
    """Pages of the built website, as the build wrote them or filled by the server, and errors."""
    site = open_site(place)
    fail(site.desk, place)
    site.desk.application.context.store.close()

    made = [(path, site.get(path)) for path in (*WEBSITE, *WEBSITE_ITEMS, *PAGES)]

    shown = {(path, answer.text) for path, answer in made if "text/html" in str(answer.headers)}
    assert len(shown) > 20
    assert {path for path, text in shown if INSIDE.search(text)} == set()
    require_nothing_inside(made)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["before", "after", "500", "429"])
def test_no_failure_of_stripe_shows_the_inside(live: LiveDesk, fault: str) -> None:
    """Every change while Stripe does not answer, or answers with an error."""
    token = live.post("/register", registration(paymentMethodId=live.make_card())).json["token"]
    card = live.make_card()
    for _ in range(400):
        live.world.double.fault("", fault)
    asked = [
        ("/register", live.post("/register", registration(paymentMethodId=card))),
        (
            "/gifts",
            live.post(
                "/gifts", {"amountCents": 500, "email": "g@example.org", "paymentMethodId": card}
            ),
        ),
        ("/billing", live.get("/billing", token=token)),
    ]

    assert {answer.status_code for _, answer in asked} <= {502, 503}
    changes = [call for call in CALLS if call.method != "GET"]
    require_nothing_inside([*asked, *answers_of(live, token, good_alone=True, calls=changes)])


def test_a_defect_shows_a_request_id_only(own: Desk) -> None:
    """An exception that nobody expected."""

    class Broken(CutStore):
        """A store with a defect."""

        def write(self) -> Any:
            """Fail."""
            raise RuntimeError("SELECT secret FROM /var/lib/jara/jara.db")

        read = read_once = write

    token = own.join()
    store: Any = Broken(own.application.context.store, 0, "none")
    context = replace(own.application.context, store=store)
    own.client.app = create_app(replace(own.application, context=context))
    made = answers_of(own, token, good_alone=True)

    assert 500 in {answer.status_code for _, answer in made}
    require_nothing_inside([(name, one) for name, one in made])


PASSWORD = "hush-hush"
MAIL_SERVER = f"smtp://jara:{PASSWORD}@127.0.0.1:1"
"""Nothing listens there."""


def open_with_passwords(place: Path) -> Desk:
    """Open an organisation whose database and mail server have a password."""
    if is_on_server(place):
        keep_on_server(place, f"{database_of(place)}&password={PASSWORD}")
    return open_desk(place, smtp_url=MAIL_SERVER, mail_from="jara@example.org")


def answers_with_emails(desk: Desk, token: str) -> list[str]:
    """Return the answers to calls that send an email, and to a few others."""
    form = registration()
    made = [
        desk.post("/register", form),
        desk.post("/user/forgot-password", {"email": form["email"]}),
        desk.post("/newsletter", {"email": "news@example.org"}),
        desk.put("/user/update-profile", {"email": "other@example.org"}, token=token),
        desk.put("/user/pledge", {"subscriptionAmount": 20}, token=token),
        desk.get("/user/get-profile", token=token),
        *(desk.client.simulate_get(path) for path in ("/readyz", "/healthz", "/metrics", "/")),
    ]
    return [f"{answer.status_code} {dict(answer.headers)} {answer.text}" for answer in made]


def send_emails(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Let the server try to send its emails, until its log says that it could not."""
    task = EmailTask(desk.application, seconds=0.02)
    task.start()
    wait_until(lambda: "jara.web.mail" in {record.name for record in caplog.records})
    task.stop()


@pytest.mark.parametrize("fail", [nothing, remove_database, spoil_database])
def test_passwords_are_shown_nowhere(
    place: Path,
    fail: Callable[[Desk, Path], None],
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The mail server does not answer, and the database is there, gone or damaged."""
    desk = open_with_passwords(place)
    token = desk.join()
    desk.application.context.store.close()
    fail(desk, place)
    desk.application.context.store.close()
    answers = answers_with_emails(desk, token)
    send_emails(desk, caplog)
    for command in ("doctor", "outbox list", "run daily"):
        execute(["--db", database_of(place), *command.split()])
    shown = capsys.readouterr()

    if fail is nothing:  # nobody who asks learns that the mail server is away
        assert {answer[0] for answer in answers} <= set("24")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert [text for text in (*answers, *lines, shown.out, shown.err) if PASSWORD in text] == []
