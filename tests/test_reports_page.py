"""The examples of docs/reports.md for cron, systemd and a CI service work."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiosmtpd.controller import Controller

from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.journeys.live_server import free_port
from tests.webapi.desk import later, open_desk

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "reports.md").read_text("utf-8")
SCRIPT = DOCS / "deploy" / "monthly_report.py"
SERVICE = DOCS / "deploy" / "jara-report.service"


class Inbox:
    """Receives emails."""

    def __init__(self) -> None:
        """Start empty."""
        self.messages: list[Message] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Store an email."""
        self.messages.append(message_from_bytes(envelope.content))
        return "250 OK"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An organisation that received $20 two months ago and $10 last month."""
    now = datetime.now(UTC)  # noqa: TID251 - the script runs at the real time
    two_ago, last = _months_before(now, 2), _months_before(now, 1)
    desk = open_desk(tmp_path, at=two_ago)
    desk.join(contribution="20")
    later(desk, days=(last - two_ago).days)
    desk.join()
    desk.application.database.close()
    return tmp_path


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    """A local mail server and its address."""
    inbox = Inbox()
    controller = Controller(inbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    yield inbox, f"127.0.0.1:{controller.port}"
    controller.stop()


def _months_before(now: datetime, count: int) -> datetime:
    """Return noon of the 10th, the given number of months ago."""
    months = now.year * 12 + now.month - 1 - count
    return datetime(months // 12, months % 12 + 1, 10, 12, tzinfo=UTC)


def run(line: str, folder: Path, smtp: str) -> None:
    """Run a command line of the page with this checkout's program."""
    words = [
        {"python": sys.executable, "/opt/jara/bin/python": sys.executable}.get(word, word)
        for word in shlex.split(line)
    ]
    words = [str(SCRIPT) if word.endswith("monthly_report.py") else word for word in words]
    words = [word.removeprefix("/var/lib/jara/") for word in words]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": path, "REPORT_SMTP": smtp},
        check=True,
        timeout=60,
    )


@pytest.mark.parametrize("scheduler", ["cron", "systemd"])
def test_the_report_is_written_compared_and_mailed(
    scheduler: str, folder: Path, inbox: tuple[Inbox, str]
) -> None:
    """The report is written as HTML and PDF, and emailed to the board with both months' figures."""
    received, smtp = inbox
    if scheduler == "cron":
        (line,) = re.findall(r"^0 6 2 \* \* cd /var/lib/jara && (.*)$", PAGE, re.MULTILINE)
    else:
        (line,) = re.findall(r"^ExecStart=(.*)$", SERVICE.read_text("utf-8"), re.MULTILINE)

    run(line, folder, smtp)

    month = f"{_months_before(datetime.now(UTC), 1):%Y-%m}"  # noqa: TID251 - the real time
    written = sorted(path.name for path in (folder / "reports").iterdir())
    assert written == [f"{month}.html", f"{month}.pdf"]
    (message,) = received.messages
    _, text, attached = message.walk()
    assert message["To"] == "board@example.org"
    assert "Received: $10.00 (before: $20.00)" in str(text.get_payload())
    assert "Spent in all: $0.00, of it by one person alone: $0.00" in str(text.get_payload())
    assert attached.get_filename() == f"{month}.pdf"


def test_the_script_is_where_the_page_puts_it() -> None:
    """The installation puts the script where cron, the unit and the CI service look for it."""
    (place,) = re.findall(r"^install .* docs/deploy/monthly_report.py (.*)$", PAGE, re.MULTILINE)
    named = re.findall(r"\S+/monthly_report\.py(?= )", PAGE + SERVICE.read_text("utf-8"))

    assert set(named) == {"docs/deploy/monthly_report.py", place}


def test_the_steps_of_the_ci_service_run(folder: Path) -> None:
    """Report and open data are in one folder, and no email is sent."""
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    steps = yaml.safe_load(block)["jobs"]["report"]["steps"]

    for step in steps:
        run(step["run"], folder, "")

    published = {path.name for path in (folder / "public").iterdir()}
    assert "open-data" in published
    assert {".html", ".pdf"} <= {Path(name).suffix for name in published}


def test_the_reports_of_the_page_are_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the first block writes its file."""
    monkeypatch.chdir(folder)
    lines = re.findall(r"^jara (report .*)$", PAGE.split("```")[1], re.MULTILINE)

    assert [execute(shlex.split(line)) for line in lines] == [ExitCode.DONE] * 4
    assert all((folder / line.split()[-1]).stat().st_size for line in lines)
