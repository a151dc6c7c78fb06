"""Months that follow a short one end on the day of the first; the right to vote is counted again.

`ElectorRepository.renew` computes the ends after this step.
"""

from __future__ import annotations

STATEMENTS = ("UPDATE electors SET votes_until = NULL",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
