"""Work that is done again and again while the server runs, in a thread of its own."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod

from jara.bootstrap import Application
from jara.domain.errors import JaraError


class Rounds(ABC):
    """A thread that looks for work; what it takes is leased, so every process may have one."""

    what = ""

    def __init__(self, application: Application, *, seconds: float) -> None:
        """Work for an application, every so many seconds."""
        self._app = application
        self._seconds = seconds
        self._log = logging.getLogger(f"jara.web.{self.what}")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"jara-{self.what}", daemon=True)

    @abstractmethod
    def work(self) -> str:
        """Do what is due; return what did not succeed, or nothing."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, after the round that is being made."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                complaint = self.work()
            except JaraError as error:
                self._log.warning("%s waits: %s", self.what, error.message)
            except Exception:  # noqa: BLE001 - the thread must live on; the log has it
                self._log.exception("%s waits", self.what)
            else:
                if complaint:
                    self._log.warning("%s", complaint)
        self._app.context.store.close()
