"""Turns for drawing: one picture at a time in all processes of a site, a few wait.

A large photo takes 200 MB while it is drawn, so memory is bounded however many are sent.
"""

from __future__ import annotations

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


class DrawingTurns:
    """The turns of one site; its processes share a folder."""

    def __init__(self, folder: Path) -> None:
        """Use a folder for the lock; it is made at the first turn."""
        self._folder = folder
        self._places = threading.BoundedSemaphore(AT_ONCE + WAITING)
        self._drawing = threading.Lock()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and hold it.

        Raises:
            Busy: too many others wait.
        """
        if not self._places.acquire(blocking=False):
            raise Busy("Many images are being drawn right now; try again in a moment.")
        try:
            with self._drawing, self._alone():
                yield
        finally:
            self._places.release()

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
