"""Background tasks, each in its own thread: email, events, ends of votes, the request log."""

import logging
import threading
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar

from jara.bootstrap import Application
from jara.bootstrap.emails import mail_sender
from jara.domain.errors import JaraError
from jara.services.authority import SCHEDULER
from jara.services.ballots.counting import count_open_votes
from jara.services.idempotency import settle
from jara.services.news.fan_out import fan_out_news
from jara.services.notices.outbox import send_due
from jara.services.payments.events import work_events
from jara.services.proposals.closing import close_due_votes
from jara_webapi.middleware.request_metrics import RequestMetrics


def start_tasks(application: Application, metrics: RequestMetrics) -> "list[PeriodicTask]":
    """Start the tasks of one process; only live payments have events."""
    tasks: list[PeriodicTask] = [
        MetricsTask(application, metrics),
        EmailTask(application),
        ClosingTask(application),
        RequestTask(application),
    ]
    if application.live is not None:
        tasks.append(EventTask(application))
    for task in tasks:
        task.start()
    threading.Thread(target=count_first, args=[application], name="jara-count", daemon=True).start()
    return tasks


def count_first(application: Application) -> None:
    """Count the open votes, which takes a while for many ballots, before a visitor asks."""
    try:
        count_open_votes(application.context)
    except JaraError as error:  # the first visitor's request will count
        logging.getLogger("jara.web.count").warning("the votes are not counted: %s", error.message)
    finally:
        application.context.store.close()


class PeriodicTask(ABC):
    """A thread that polls for work.

    Work is leased, so every process may run one.
    """

    name: ClassVar[str]
    seconds: ClassVar[float]
    """How long it waits between its runs."""

    def __init__(self, application: Application, *, seconds: float | None = None) -> None:
        self._app = application
        self._seconds = self.seconds if seconds is None else seconds
        self._log = logging.getLogger(f"jara.web.{self.name}")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"jara-{self.name}", daemon=True)

    @abstractmethod
    def work(self) -> str:
        """Do the due work; return a message about failures, or an empty text."""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current run."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                failure = self.work()
            except JaraError as error:
                self._log.warning("%s will be retried: %s", self.name, error.message)
            except Exception:  # noqa: BLE001 - the thread must live on; the log has it
                self._log.exception("%s will be retried", self.name)
            else:
                if failure:
                    self._log.warning("%s", failure)
        self._app.context.store.close()


class EmailTask(PeriodicTask):
    """Queues the emails of news, and sends those in the outbox."""

    name, seconds = "mail", 10.0

    def __init__(self, application: Application, *, seconds: float | None = None) -> None:
        super().__init__(application, seconds=seconds)
        self._sender = mail_sender(application.context, application.settings)

    def work(self) -> str:
        """Queue the newest news, and send the due emails."""
        fan_out_news(self._app.context)
        done = send_due(self._app.context, self._sender)
        return f"{done.failed} emails could not be sent" if done.failed else ""


class ClosingTask(PeriodicTask):
    """Closes votes soon after their end; the daily run does so too, without a server."""

    name, seconds = "votes", 15.0

    def work(self) -> str:
        """Close the votes that have ended."""
        close_due_votes(replace(self._app.context, operator=SCHEDULER), unattended=True)
        return ""


class RequestTask(PeriodicTask):
    """Stores the ends of requests during which the database went away.

    It runs often, because a client repeats its request soon.
    """

    name, seconds = "requests", 0.5

    def work(self) -> str:
        """Store them."""
        settle(self._app.context)
        return ""


class EventTask(PeriodicTask):
    """Processes the stored events of the payment provider; only with live payments.

    It runs often, because new members wait for the right to vote; a poll costs one small read.
    """

    name, seconds = "events", 1.0

    def work(self) -> str:
        """Process the due events."""
        run = work_events(self._app.context, self._app.live_payments().events)
        return f"{run.failed} events failed: {run.failure}" if run.failed else ""


class MetricsTask(PeriodicTask):
    """Counts and logs the finished requests."""

    name, seconds = "log", 0.1

    def __init__(self, application: Application, metrics: RequestMetrics) -> None:
        super().__init__(application)
        self._metrics = metrics

    def work(self) -> str:
        """Count and log the requests since the last run."""
        self._metrics.flush()
        return ""

    def stop(self) -> None:
        """Stop, then count and log the last requests."""
        super().stop()
        self.work()
