"""The network between the log and its witnesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol


class WitnessAnswer(NamedTuple):
    """A witness's answer; status 0 means no answer, and the body says why."""

    status: int
    body: str
    media_type: str = ""


OnAnswer = Callable[[str, WitnessAnswer], bytes | None]
"""Called with a name and its answer; returns a follow-up request or None."""


class WitnessNetwork(Protocol):
    """Sends requests to all witnesses in parallel, within seconds."""

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each witness a request, and call `on_answer` for each, even if it does not answer.

        Args:
            urls: the addresses, by name.
            bodies: the requests, by name.
            on_answer: called in this thread for each answer.
        """
        ...
