"""The public settings, the countries, and the published figures."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, WithJsonSchema

from jara.config.values import CardFee
from jara.documents import Json
from jara.domain.books import fund_policy
from jara.domain.content.kinds import CLAIMS, KINDS
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import NAME_MAX, PASSWORD_MAX, PASSWORD_MIN
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    PLEDGE_DOLLARS_MAX,
    PLEDGE_DOLLARS_MIN,
    QUICK_DOLLARS,
)
from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.plan import PlanRow
from jara.domain.reports.statement import Statement
from jara.domain.voting.tally import VoteRule
from jara.services.books.transactions import FundLine
from jara.services.giving.gifts import GIFT_CENTS_MAX, GIFT_CENTS_MIN
from jara.services.reports.followed import SampleTrace
from jara_webapi.schemas.accounts import OtherWay
from jara_webapi.schemas.base import Answer, Document, Shape
from jara_webapi.schemas.content import item_schema


class Payments(NamedTuple):
    """The payment provider."""

    provider: Annotated[str, Json(kind=Literal["none", "sandbox", "stripe"])]
    publishable_key: str | None


class FundWeights(Answer):
    """The weight of each fund in a split."""

    projects: int
    staff: int
    marketing: int
    other: int


class FundPolicy(Answer):
    """How payments and their fees are split over the funds."""

    valid_from: date = Field(alias="from")
    weights: FundWeights
    fee_weights: FundWeights


class PolicyHistory(FundPolicy):
    """The policy in force, and every earlier and later one."""

    history: list[FundPolicy]


class Limits(NamedTuple):
    """The limits and suggestions of the forms."""

    pledge_dollars_min: int = PLEDGE_DOLLARS_MIN
    pledge_dollars_max: int = PLEDGE_DOLLARS_MAX
    pledge_dollars_default: int = PLEDGE_DOLLARS_DEFAULT
    quick_dollars: tuple[int, ...] = QUICK_DOLLARS
    billing_days: tuple[BillingDay, ...] = tuple(BillingDay)
    gift_cents_min: int = GIFT_CENTS_MIN
    gift_cents_max: int = GIFT_CENTS_MAX
    password_min: int = PASSWORD_MIN
    password_max: int = PASSWORD_MAX
    name_max: int = NAME_MAX


class Settings(NamedTuple):
    """The public settings of the organisation."""

    organisation: str
    legal_name: str | None
    site_url: str
    payments: Payments
    card_fee: CardFee
    ways: Annotated[tuple[str, ...], Json(kind=list[OtherWay])]
    currency: str
    """The code of the currency of every amount, in lower case: ``usd``."""
    donate_url: str | None
    contact_email: str | None
    chat_url: str | None
    social: dict[str, str]
    fund_policy: Annotated[fund_policy.FundPolicy, Json(kind=FundPolicy)]
    vote_rule: VoteRule
    """Of proposals that open today."""
    today: date
    limits: Limits = Limits()


class Country(Answer):
    """A country in the list of the registration form."""

    name: str
    iso_code: str
    flag: str
    phonecode: str
    currency: str
    latitude: float
    longitude: float
    timezones: list[Document]


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
    """The budget settings of spec §3, in units of the currency."""

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
    pledges_cents: int
    donated_cents: int
    voted_on_cents: int
    claims: list[Annotated[Document, WithJsonSchema(item_schema(KINDS[CLAIMS]))]]


class Budget(Answer):
    """A year's money, in units of the currency and in cents."""

    year: int
    available: int | float
    allocated: int | float
    unallocated: int | float
    available_cents: int
    allocated_cents: int
    unallocated_cents: int
    spent_cents: int
    held_cents: int


class MemberBudget(Budget):
    """A year's money, each fund's part of it, and the plan if it is published."""

    funds: list[Annotated[Document, Shape(FundLine)]]
    plan: list[Annotated[Document, Shape(PlanRow)]]


@dataclass(frozen=True, kw_only=True)
class PublishedReport(ImpactReport):
    """What the organisation received, spent, decided and achieved, and the other reports."""

    is_over: bool
    archive: tuple[ReportPeriod, ...]


@dataclass(frozen=True, kw_only=True)
class MemberTrace(Statement):
    """Where a member's money went."""

    received_cents: int
    is_home_currency: bool


class TraceAnswer(NamedTuple):
    """The trace of one spent contribution, if there is one."""

    trace: SampleTrace | None
