"""What a partner writes is text wherever an operator, a visitor or a member reads it."""

import os
import re
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.services.field.partners import Caller
from jara.services.field.receiving import ReportForm, receive_report
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell

pytestmark = pytest.mark.usefixtures("stopped_clock")

MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&"
COMMANDS = "\x1b]0;owned\x07\x1b[2J\u202ereversed"
NAME = f"Maji {MARKUP[:48]}"


class Tags(HTMLParser):
    """The tags that could run something of a page or an email."""

    def __init__(self, html: str) -> None:
        """Read a page."""
        super().__init__()
        self.running: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect a tag with a handler, and each picture or script of the partner's."""
        names = [name for name, _ in attrs]
        if tag == "script" or ("src", "x") in attrs or any(name[:2] == "on" for name in names):
            self.running.append(f"{tag} {names}")


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """An organisation with a project, a member, and a report with markup in every field."""
    wells = ("title=Wells", "status=In Progress", "category=water")
    jara.done("projects", "add", *(word for pair in wells for word in ("--set", pair)))
    jara.done("projects", "publish", "wells")
    jara.add()
    jara.done("members", "confirm", "ama@example.org")
    jara.done("members", "edit", "ama@example.org", "--emails", "at-once", "--why", "asked")
    words = ("partners", "add", NAME, "--project", "wells")
    code = jara.json(*words)["address"].partition("#")[2]
    application = build_from_environ(os.environ)
    form = ReportForm(f"{MARKUP} {COMMANDS}"[:120], f"{MARKUP}\n\n{COMMANDS}")
    caller = Caller(code, "192.0.2.1")
    receive_report(application.context, application.limits, caller, "phone-made-key-01", form)
    application.context.store.close()
    return jara


def test_the_terminal_shows_no_commands(shell: GivingShell) -> None:
    """Neither escape sequences nor turned text reach the operator's terminal."""
    report = shell.json("field", "list")[0]["id"]
    shown = [
        shell.done("field", "list"),
        shell.done("field", "show", report),
        shell.done("partners", "list"),
        shell.done("field", "publish", report, "--yes"),
        shell.done("projects", "show", "wells"),
        shell.done("updates", "list"),
        shell.done(),
    ]

    assert [re.findall("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text) for text in shown] == (
        [[]] * len(shown)
    )


def test_a_report_shows_original_and_published_text(shell: GivingShell) -> None:
    """Its title and text follow the partner's own; before, there is nothing to show."""
    report = shell.json("field", "list")[0]["id"]
    assert "Published as" not in shell.done("field", "show", report)
    Path("edited.txt").write_text("Shorter & clear.\n\nThanks.", "utf-8")
    words = ("--title", "Water!", "--text", "edited.txt", "--yes")
    shell.done("field", "publish", report, *words)

    shown = shell.done("field", "show", report)
    written, _, published = shown.partition("Published as 'Water!':")
    assert "alert(1)" in written
    assert published.strip().startswith("Shorter & clear.\n\nThanks.")


def test_confirmations_name_the_report(shell: GivingShell) -> None:
    """An unknown report is not asked about; a known one is named, with its partner."""
    status, _, err = shell.answer("n\n", "field", "refuse", "field_zzz", "--why", "No.")
    assert (status, "Refuse" in err) == (ExitCode.NOT_FOUND, False)

    report = shell.json("field", "list")[0]["id"]
    _, out, err = shell.answer("n\n", "field", "refuse", report, "--why", "No.")
    assert f"Refuse the report '{MARKUP[:20]}" in out + err
    assert f"of {NAME}" in out + err
    assert len(shell.json("field", "list")) == 1


def test_pages_and_emails_run_nothing(shell: GivingShell) -> None:
    """The sheet, the emails to members and each form of the report have the text, escaped."""
    shell.done("partners", "link", "Maji", "--print", "sheet.html")
    report = shell.json("field", "list")[0]["id"]
    shell.done("field", "publish", report, "--yes")
    shell.done("run", "daily")
    shell.done("mail", "send")
    emails = [
        message_from_bytes(path.read_bytes(), policy=default)
        for path in Path("jara.mail").glob("*.eml")
    ]
    bodies = [one.get_body(("html",)) for one in emails if "alert(1)" in str(one)]
    told = [body.get_content() for body in bodies if body is not None]
    pages = [
        Path("sheet.html").read_text("utf-8"),
        shell.done("report", "impact", "--month", "2026-11", "--format", "html"),
        shell.done("report", "impact", "--month", "2026-11", "--format", "md"),
        *told,
    ]

    assert len(told) == 1
    assert [Tags(page).running for page in pages] == [[]] * len(pages)
    assert "&lt;img src=x" in told[0]
