"""What money was spent on, and by which fund."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.books.account import EXCHANGE, FEES, MARKETING, STAFF, Fund

PURPOSES = (
    ("expenses:projects", "Projects"),
    ("expenses:grants", "Grants made"),
    ("expenses:donations", "Donations made"),
    (STAFF, "Staff"),
    (MARKETING, "Marketing"),
    ("expenses:operations", "Operations"),
    (FEES, "Card and bank fees"),
    (EXCHANGE, "Exchange differences"),
)
"""The accounts of each purpose, with its name in reports."""

OTHER_COSTS = "Other costs"
"""The name of expenses of no other purpose."""


class PurposeLine(NamedTuple):
    """What was spent on a purpose by each fund; `committed` is counted with projects."""

    label: str
    by_fund: Annotated[Mapping[Fund, int], Json("fundCents")]

    @property
    def cents(self) -> Annotated[int, Json(after="by_fund")]:
        """All funds together."""
        return sum(self.by_fund.values())
