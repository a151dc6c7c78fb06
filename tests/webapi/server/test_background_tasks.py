"""The server sends queued emails."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara_webapi.server.background_tasks import EmailTask
from tests.webapi.desk import open_desk


def wait_for(condition: object, seconds: float = 10.0) -> None:
    """Wait until a condition is true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to hold in time"
        time.sleep(0.02)


def test_emails_leave_while_the_server_runs(place: Path) -> None:
    """A new member's welcome email is soon in the folder."""
    desk = open_desk(place)
    desk.join()
    task = EmailTask(desk.application, seconds=0.02)
    task.start()
    try:
        wait_for(lambda: list(desk.application.settings.mail_dir.glob("**/*.eml")))
    finally:
        task.stop()


@pytest.mark.parametrize("error", [Unavailable("locked"), RuntimeError("defect")])
def test_a_failing_round_is_told_and_tried_again(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    """The thread survives a failure, logs it and tries again."""
    desk = open_desk(place)

    def failing(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr("jara_webapi.server.background_tasks.send_due", failing)
    monkeypatch.setattr(logging.getLogger("jara.web"), "propagate", True)
    task = EmailTask(desk.application, seconds=0.02)
    task.start()
    try:
        wait_for(lambda: len(caplog.records) >= 2)
    finally:
        task.stop()

    assert "mail will be retried" in caplog.text
