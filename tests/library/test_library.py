"""The Python library agrees with the commands, and its page's examples run."""

import io
import re
import smtplib
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Self

import pytest

import jara
from jara.bootstrap import SystemClock
from jara.domain.books.account import Fund
from jara.domain.errors import Conflict, InvalidInput, JaraError, NotFound
from jara.library import Organisation
from tests.harness import NOON
from tests.webapi.desk import open_desk

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three members, two of whom voted yes for solar lamps."""
    desk = open_desk(tmp_path)
    tokens = [desk.join(email=f"{name}@example.org") for name in ("ama", "kofi", "efua")]
    proposal = desk.open_vote(slug="solar", title="Solar lamps for a school")
    for token in tokens[:2]:
        desk.post("/user/votes", {"id": proposal, "voteType": "upvote"}, token=token)
    desk.application.database.close()
    monkeypatch.setattr(SystemClock, "now", lambda _: NOON)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def organisation(folder: Path) -> Iterator[Organisation]:
    """The same organisation, opened for reading."""
    with jara.open(folder / "jara.db") as opened:
        yield opened


class Mailbox:
    """Replaces a mail server."""

    sent: list[EmailMessage]

    def __init__(self, host: str) -> None:
        """Connect."""
        assert host == "localhost"

    def __enter__(self) -> Self:
        """Return the connection."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def send_message(self, message: EmailMessage) -> None:
        """Store a message."""
        self.sent.append(message)


def test_the_examples_print_the_pages_output(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of docs/python.md run in order, and the report is mailed."""
    del folder
    Mailbox.sent = []
    monkeypatch.setattr(smtplib, "SMTP", Mailbox)
    names: dict[str, Any] = {}
    examples = EXAMPLE.findall(PAGE.read_text("utf-8"))

    for code, shown in examples:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102 - our own page
        assert shown == printed.getvalue()

    assert len(examples) > 5
    (message,) = Mailbox.sent
    assert message["Subject"] == "Jara: November 2026"
    assert [one.get_content_type() for one in message.walk()][1:] == [
        "text/plain",
        "application/pdf",
    ]


def test_a_script_that_mails_a_report_is_short() -> None:
    """The page's example has at most fifteen lines of code."""
    (code,) = [code for code, _ in EXAMPLE.findall(PAGE.read_text("utf-8")) if "smtplib" in code]

    assert len([line for line in code.splitlines() if line.strip()]) <= 15


def test_a_read_only_organisation_cannot_be_changed(organisation: Organisation) -> None:
    """Neither the library nor the database underneath allows a write."""
    with pytest.raises(Conflict, match="write=True"):
        _ = organisation.context
    with pytest.raises(Conflict, match="read only"), organisation._app.context.store.write():
        pass
    with pytest.raises(TypeError):
        organisation.split(100)[Fund.STAFF] = 1  # type: ignore[index]


def test_writing_has_to_be_asked_for(folder: Path) -> None:
    """With ``write=True``, use cases accept the context."""
    with jara.open(str(folder / "jara.db"), write=True) as opened, opened.context.store.write():
        pass


def test_reports_are_the_files_of_the_command(organisation: Organisation) -> None:
    """Each kind of report exists, in the format of its suffix."""
    assert "# Voting report" in organisation.report.voting("2026").text()
    assert "Ama" in organisation.report.statement("ama@example.org", "this-month").text("json")
    assert organisation.report.funds(2026).facts.period.last == date(2026, 12, 31)
    target = organisation.report.impact("this-month").write("impact.pdf")
    assert target.read_bytes().startswith(b"%PDF")
    with pytest.raises(InvalidInput, match="xlsx"):
        organisation.report.impact("this-month").write("impact.xlsx")
    assert not Path("impact.xlsx").exists()


def test_figures_agree_with_each_other(organisation: Organisation) -> None:
    """All balances sum to zero, and a date is accepted as object and as text."""
    assert sum(balance.cents for balance in organisation.balances()) == 0
    assert organisation.balances(at="2026-11") == organisation.balances(at=NOON.date())
    assert list(organisation.entries(NOON.date())) == list(organisation.entries())
    assert organisation.budget().total.received == 3000
    assert {one.email.split("@")[0] for one in organisation.members()} == {"ama", "kofi", "efua"}
    with pytest.raises(NotFound, match="clean-water"):
        organisation.trace_project("clean-water")


def test_a_file_that_is_not_an_organisation_is_refused(folder: Path) -> None:
    """The error is a sentence, and no file is created."""
    with pytest.raises(NotFound, match="`jara restore FILE`"):
        jara.open(folder / "none.db")
    assert not (folder / "none.db").exists()
    (folder / "letter.db").write_text("Dear members, " * 100)
    with pytest.raises(JaraError):
        jara.open(folder / "letter.db")


def test_settings_beside_the_database_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings are found if the program runs in another folder."""
    (folder / "jara.toml").write_text('site_url = "https://jara.example"\n')
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")

    with jara.open(folder / "jara.db") as opened:
        text = opened.report.statement("ama@example.org", "this-month").text()

    assert "https://jara.example" in text
