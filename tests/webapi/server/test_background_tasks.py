"""The server sends queued emails."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.domain.voting.proposal import ProposalStatus
from jara_webapi.middleware.request_metrics import RequestMetrics
from jara_webapi.server.background_tasks import ClosingTask, EmailTask, count_first, start_tasks
from tests.fakes.operators import enrol
from tests.sizes import wait_until
from tests.webapi.desk import open_desk


def test_emails_leave_while_the_server_runs(place: Path) -> None:
    """A new member's welcome email is soon in the folder."""
    desk = open_desk(place)
    desk.join()
    task = EmailTask(desk.application, seconds=0.02)
    task.start()
    try:
        wait_until(lambda: list(desk.application.settings.mail_dir.glob("**/*.eml")))
    finally:
        task.stop()


def test_a_vote_is_closed_soon_after_its_end(place: Path) -> None:
    """No daily run and no operator is needed; until then readers see that it is over."""
    desk = open_desk(place)
    proposal = desk.open_vote()
    context = desk.application.context
    enrol(context, ada="admin")
    desk.clock.set(datetime(2026, 12, 1, tzinfo=UTC))
    with context.store.read() as work:
        assert not work.proposals.find(proposal).proposal.takes_ballots(context.now())
    task = ClosingTask(desk.application, seconds=0.02)
    task.start()

    def is_decided() -> bool:
        with context.store.read() as work:
            return work.proposals.find(proposal).proposal.status is ProposalStatus.REJECTED

    try:
        wait_until(is_decided)
    finally:
        task.stop()
    with context.store.read() as work:
        (row,) = work.operations.audit(action="proposals.close")
    assert row.operator == "scheduler"


@pytest.mark.parametrize("error", [Unavailable("locked"), RuntimeError("defect")])
def test_a_failing_round_is_told_and_tried_again(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
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
        wait_until(lambda: len(caplog.records) >= 2)
    finally:
        task.stop()

    assert "mail will be retried" in caplog.text


def test_open_votes_are_counted_when_a_process_starts(place: Path) -> None:
    """No visitor waits until the ballots of a long vote are opened."""
    desk = open_desk(place)
    proposal = desk.open_vote()
    known = desk.application.context.open_counts.by_proposal
    known.clear()

    tasks = start_tasks(desk.application, RequestMetrics(None))
    try:
        wait_until(lambda: known.get(proposal))
    finally:
        for task in tasks:
            task.stop()


def test_a_failed_first_count_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The process starts anyway."""
    desk = open_desk(place)

    def failing(_context: object) -> None:
        raise Unavailable("locked")

    monkeypatch.setattr("jara_webapi.server.background_tasks.count_open_votes", failing)
    monkeypatch.setattr(logging.getLogger("jara.web"), "propagate", True)

    count_first(desk.application)

    assert "locked" in caplog.text
