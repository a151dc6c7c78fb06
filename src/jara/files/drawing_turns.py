"""Turns: short queues for work that visitors cause, such as drawing a picture.

One picture is drawn at a time in all processes of a site, and a few wait.

A large photo takes 200 MB while it is drawn, so memory is bounded however many are sent.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jara.domain.errors import Busy

AT_ONCE, WAITING = 1, 2
"""How many pictures a process draws, and how many requests wait for it."""
_FOLDER_MODE = 0o700


class Turns:
    """A short queue of one process: a few work at once, a few wait, others are refused."""

    def __init__(self, at_once: int, waiting: int, refusal: str) -> None:
        """Set how many work at once, how many wait, and what others are told."""
        self._places = threading.BoundedSemaphore(at_once + waiting)
        self._working = threading.BoundedSemaphore(at_once)
        self._refusal = refusal

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and hold it.

        Raises:
            Busy: too many others wait.
        """
        if not self._places.acquire(blocking=False):
            raise Busy(self._refusal)
        try:
            with self._working:
                yield
        finally:
            self._places.release()


class DrawingTurns:
    """The turns of one site; its processes share a folder."""

    def __init__(self, folder: Path) -> None:
        """Use a folder for the lock; it is made at the first turn."""
        self._folder = folder
        self._turns = Turns(
            AT_ONCE, WAITING, "Many images are being drawn right now; try again in a moment."
        )

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and hold it.

        Raises:
            Busy: too many others wait.
        """
        with self._turns.take(), self._alone():
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until no other process of this site draws."""
        try:
            self._folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            lock = os.open(self._folder / ".lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:  # without the folder, each process draws one
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)
