"""The server sends the mail that waits."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara_webapi.server.email_task import MailRounds
from tests.webapi.desk import open_desk


def wait_for(condition: object, seconds: float = 10.0) -> None:
    """Wait until something holds."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to hold in time"
        time.sleep(0.02)


def test_emails_leave_while_the_server_runs(place: Path) -> None:
    """A newcomer's welcome lies in the folder soon."""
    desk = open_desk(place)
    desk.join()
    rounds = MailRounds(desk.application, seconds=0.02)
    rounds.start()
    try:
        wait_for(lambda: list(desk.application.settings.mail_dir.glob("**/*.eml")))
    finally:
        rounds.stop()


@pytest.mark.parametrize("error", [Unavailable("locked"), RuntimeError("defect")])
def test_a_failing_round_is_told_and_tried_again(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    """The thread lives on, whatever happened."""
    desk = open_desk(place)

    def failing(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr("jara_webapi.server.email_task.send_due", failing)
    monkeypatch.setattr(logging.getLogger("jara.web"), "propagate", True)
    rounds = MailRounds(desk.application, seconds=0.02)
    rounds.start()
    try:
        wait_for(lambda: len(caplog.records) >= 2)
    finally:
        rounds.stop()

    assert "mail waits" in caplog.text
