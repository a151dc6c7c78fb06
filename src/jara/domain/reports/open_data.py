"""Open data: tables that anyone may copy, described as a Frictionless Data Package."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple


class FieldType(StrEnum):
    """The Table Schema types in use."""

    TEXT = "string"
    WHOLE = "integer"
    NUMBER = "number"
    DAY = "date"
    INSTANT = "datetime"
    MONTH = "yearmonth"
    YEAR = "year"
    FLAG = "boolean"


class Field(NamedTuple):
    """A column: its name, type and meaning."""

    name: str
    type: FieldType
    meaning: str


class Resource(NamedTuple):
    """A table: its name, title, columns and primary key."""

    name: str
    title: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()


Row = Mapping[str, Any]

_CENTS = "cents"
_SAMPLE = Field("sample", FieldType.FLAG, "Whether it is invented, to show how it will look")

PROJECTS = Resource(
    "projects",
    "Projects",
    (
        Field("slug", FieldType.TEXT, "The project's name in addresses"),
        Field("title", FieldType.TEXT, "Its title"),
        Field("status", FieldType.TEXT, "Its state; 'Not listed' if it has no page"),
        Field("milestones", FieldType.WHOLE, "How many milestones it has"),
        Field("milestones_done", FieldType.WHOLE, "How many of them are complete"),
        Field("paid_cents", FieldType.WHOLE, f"What it was paid, {_CENTS}"),
        _SAMPLE,
    ),
    key=("slug",),
)
RESULTS = Resource(
    "results",
    "What projects promised and what was measured",
    (
        Field("project", FieldType.TEXT, "The project's name in addresses"),
        Field("measure", FieldType.TEXT, "The measure's id within the project"),
        Field("name", FieldType.TEXT, "What is measured"),
        Field("unit", FieldType.TEXT, "Its unit"),
        Field("baseline", FieldType.NUMBER, "The value before the project"),
        Field("target", FieldType.NUMBER, "The value to reach"),
        Field("due_on", FieldType.DAY, "The last day to reach it"),
        Field("actual", FieldType.NUMBER, "The newest value that was measured"),
        Field("measured_on", FieldType.DAY, "The day of that value"),
        Field("state", FieldType.TEXT, "open, reached, missed or overdue"),
        Field(
            "cost_per_unit_cents",
            FieldType.WHOLE,
            f"What the project was paid, divided by the change, {_CENTS}",
        ),
        Field("note", FieldType.TEXT, "How that value was measured"),
    ),
    key=("project", "measure"),
)
PAYOUTS = Resource(
    "payouts",
    "Payments to projects, grants and donations",
    (
        Field("day", FieldType.DAY, "Day of the payment, in the organisation's time zone"),
        Field("kind", FieldType.TEXT, "projects, grants or donations"),
        Field("slug", FieldType.TEXT, "The project, grant or donation"),
        Field("title", FieldType.TEXT, "Its title"),
        Field("proposal", FieldType.TEXT, "The proposal that members voted on, if there was one"),
        Field("cents", FieldType.WHOLE, f"{_CENTS}; negative where money came back"),
        Field(
            "currency",
            FieldType.TEXT,
            "What the payee received it in, if not in the currency of the books",
        ),
        Field("currency_minor", FieldType.WHOLE, "How much of it, in its smallest unit"),
        _SAMPLE,
    ),
)
VOTES = Resource(
    "votes",
    "Proposals that were put to the vote",
    (
        Field("slug", FieldType.TEXT, "The proposal's name in addresses"),
        Field("title", FieldType.TEXT, "Its title"),
        Field("country", FieldType.TEXT, "Its country"),
        Field("category", FieldType.TEXT, "What it is about"),
        Field("goal_cents", FieldType.WHOLE, f"What it asks for, {_CENTS}"),
        Field("status", FieldType.TEXT, "open, passed, funded, rejected or withdrawn"),
        Field("opened_at", FieldType.INSTANT, "When the vote began, UTC"),
        Field("ends_at", FieldType.INSTANT, "When the vote ends, UTC"),
        Field("decided_at", FieldType.INSTANT, "When it was decided, UTC"),
        Field("yes", FieldType.WHOLE, "Ballots for it"),
        Field("no", FieldType.WHOLE, "Ballots against it"),
        Field("void", FieldType.WHOLE, "Ballots that do not count, after a refund"),
        Field("roll", FieldType.WHOLE, "How many could vote"),
        _SAMPLE,
    ),
    key=("slug",),
)
FUNDS = Resource(
    "funds",
    "Each fund by year",
    (
        Field("year", FieldType.YEAR, "The year"),
        Field("fund", FieldType.TEXT, "The fund"),
        Field("opening_cents", FieldType.WHOLE, f"What it held when the year began, {_CENTS}"),
        Field("received_cents", FieldType.WHOLE, f"Income less refunds, {_CENTS}"),
        Field("transfers_cents", FieldType.WHOLE, f"From other funds less to them, {_CENTS}"),
        Field("spent_cents", FieldType.WHOLE, f"Expenses, {_CENTS}"),
    ),
    key=("year", "fund"),
)
MONTHS = Resource(
    "months",
    "Each fund by month",
    (
        Field("month", FieldType.MONTH, "The month"),
        Field("fund", FieldType.TEXT, "The fund"),
        Field("received_cents", FieldType.WHOLE, f"Income less refunds, {_CENTS}"),
        Field("spent_cents", FieldType.WHOLE, f"Expenses, {_CENTS}"),
    ),
    key=("month", "fund"),
)

RESOURCES = (PROJECTS, RESULTS, PAYOUTS, VOTES, FUNDS, MONTHS)
"""The tables of the package, in order."""


class OpenData(NamedTuple):
    """The package: its organisation, the state of the books, and the rows of each resource."""

    organisation: str
    time_zone: str
    site_url: str
    log_size: int
    root: str
    rows: Mapping[str, Sequence[Row]]
