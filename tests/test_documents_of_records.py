"""Records as JSON documents."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

import pytest

from jara.documents import HIDDEN, OPTIONAL, Json, to_document


class Fund(StrEnum):
    """A fund."""

    PROJECTS = "projects"


class Share(NamedTuple):
    """A share of a payment."""

    fund: Fund
    amount_cents: int


class Visits(NamedTuple):
    """Values inside an object."""

    by_name: dict[str, tuple[datetime, Share]]


@dataclass(frozen=True)
class Payment:
    """A payment, with every kind of value."""

    paid_on: date
    booked_at: datetime
    entry: str | None
    shares: tuple[Share, ...]
    by_fund: dict[Fund, int]
    is_kept: bool


class Return(NamedTuple):
    """A returned payment, whose documents differ from its fields."""

    day: Annotated[date, Json("date")]
    tenths: Annotated[int, Json("percent", write=lambda tenths: tenths / 10, kind=float)]
    note: Annotated[str, HIDDEN]
    reason: Annotated[str | None, OPTIONAL]
    cents: int

    @property
    def is_large(self) -> Annotated[bool, Json(after="tenths")]:
        """Whether it is more than a dollar."""
        return self.cents > 100


PAYMENT = Payment(
    date(2026, 1, 31),
    datetime(2026, 2, 1, 12, 30, tzinfo=UTC),
    None,
    (Share(Fund.PROJECTS, 801),),
    {Fund.PROJECTS: 801},
    is_kept=True,
)


def test_a_record_becomes_an_object_with_camel_case_keys() -> None:
    """Every field is written once, in order; records inside it become objects."""
    assert to_document(PAYMENT) == {
        "paidOn": "2026-01-31",
        "bookedAt": "2026-02-01T12:30:00+00:00",
        "entry": None,
        "shares": [{"fund": "projects", "amountCents": 801}],
        "byFund": {"projects": 801},
        "isKept": True,
    }


def test_fields_can_be_left_out() -> None:
    """Only fields of the record itself are left out, not those of records inside it."""
    document = to_document(PAYMENT, omit={"paid_on", "fund", "by_fund"})

    assert list(document) == ["bookedAt", "entry", "shares", "isKept"]
    assert document["shares"] == [{"fund": "projects", "amountCents": 801}]


def test_a_field_says_how_it_stands_in_documents() -> None:
    """It has another name or form, is left out, or is followed by a property."""
    returned = Return(date(2026, 1, 31), 805, "for operators only", None, 801)

    document = to_document(returned)

    assert list(document.items()) == [
        ("date", "2026-01-31"),
        ("percent", 80.5),
        ("isLarge", True),
        ("cents", 801),
    ]
    assert to_document(returned._replace(reason="twice"))["reason"] == "twice"


def test_the_caller_may_write_instants_in_another_form() -> None:
    """The command line keeps instants as values, and shows them to the minute."""
    document = to_document(PAYMENT, instant=lambda at: at)

    assert document["bookedAt"] == PAYMENT.booked_at


def test_instants_in_lists_and_objects_have_the_same_form() -> None:
    """Instants in lists and objects have the same form."""
    at = PAYMENT.booked_at
    document = to_document(Visits({"ama": (at, Share(Fund.PROJECTS, 1))}), instant=datetime.date)

    assert document == {"byName": {"ama": [at.date(), {"fund": "projects", "amountCents": 1}]}}


def test_a_value_without_a_form_in_json_is_refused() -> None:
    """An unknown type is an error of the program, never text by accident."""
    with pytest.raises(TypeError, match="bytes is not a record"):
        to_document(Share(Fund.PROJECTS, b"801"))  # type: ignore[arg-type]  # on purpose
