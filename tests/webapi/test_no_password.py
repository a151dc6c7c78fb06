"""No answer, no line of the log and no command shows a password, whatever fails."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jara_cli.main import execute
from jara_webapi.middleware.request_metrics import JsonLines
from jara_webapi.server.background_tasks import EmailTask
from tests.places import database_of, is_on_server, keep_on_server
from tests.sizes import wait_until
from tests.webapi.desk import Desk, open_desk, registration
from tests.webapi.test_nothing_inside import nothing, remove_database, spoil_database

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
