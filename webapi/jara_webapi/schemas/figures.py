"""The published figures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import WithJsonSchema

from jara.domain.content.kinds import CLAIMS, KINDS
from jara_webapi.schemas.base import Answer, Document
from jara_webapi.schemas.content import item_schema

Dollars = int | float


class MemberCount(Answer):
    """How many changemakers there are."""

    success: Literal[True] = True
    total: int


class ContributionCount(Answer):
    """How many contributions there were, and their sum."""

    success: Literal[True] = True
    total: int
    total_cents: int


class CashOverview(Answer):
    """The budget settings of spec §3, in dollars."""

    success: Literal[True] = True
    monthly_donation: Dollars
    cash_at_hand: Dollars
    monthly_fixed_cost: Dollars
    cash_deployed: Dollars
    available: Dollars
    allocated: Dollars
    unallocated: Dollars
    year: int


class Statistics(Answer):
    """Every figure of the home and about pages."""

    changemakers: int
    contributions: int
    contributions_cents: int
    monthly_donation_cents: int
    cash_at_hand_cents: int
    monthly_fixed_cost_cents: int
    cash_deployed_cents: int
    donations: int
    donations_cents: int
    projects: int
    countries: int
    claims: list[Annotated[Document, WithJsonSchema(item_schema(KINDS[CLAIMS]))]]
