"""The two choices of a vote."""

from __future__ import annotations

from enum import StrEnum

from jara.domain.errors import InvalidInput


class Choice(StrEnum):
    """Yes or no, as written in the public log."""

    UP = "up"
    DOWN = "down"

    @property
    def wire(self) -> str:
        """The value in API calls: ``upvote`` or ``downvote`` (spec §3)."""
        return f"{self}vote"


def parse_choice(text: str) -> Choice:
    """Read ``upvote`` or ``downvote``, or ``up`` or ``down`` as in the log.

    Raises:
        InvalidInput: anything else.
    """
    for choice in Choice:
        if text in {choice.value, choice.wire}:
            return choice
    raise InvalidInput(f"'{text[:20]}' is not a vote; use up or down (upvote or downvote).")
