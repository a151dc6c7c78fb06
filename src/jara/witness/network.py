"""Asks witnesses over HTTP, all at the same time."""

import threading
import time
from collections.abc import Mapping
from queue import Empty, SimpleQueue

from jara.services.ports.outside import OnAnswer, WitnessAnswer

SECONDS = 5.0
"""The time limit for all witnesses together."""


class HttpWitnesses:
    """Offers checkpoints to witnesses, each in a thread of its own."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each witness its request and any follow-up; no answer counts as status 0."""
        # HTTP and TLS are slow to import, and most commands ask nobody.
        from jara.witness.fetching import fetch  # noqa: PLC0415

        end = time.monotonic() + self._seconds
        answers: SimpleQueue[tuple[str, WitnessAnswer]] = SimpleQueue()

        def ask(name: str, body: bytes) -> None:
            def work() -> None:
                answers.put((name, fetch(f"{urls[name]}/add-checkpoint", end, body=body)))

            # As a daemon: a witness that answers byte by byte must not keep the process alive.
            threading.Thread(target=work, name=f"jara-witness-{name}", daemon=True).start()

        waiting = set(bodies)
        for name, body in bodies.items():
            ask(name, body)
        while waiting:
            try:
                name, answer = answers.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                break
            again = on_answer(name, answer)
            if again is None:
                waiting.discard(name)
            else:
                ask(name, again)
        for name in sorted(waiting):
            on_answer(name, WitnessAnswer(0, f"did not answer within {self._seconds:g} seconds"))
