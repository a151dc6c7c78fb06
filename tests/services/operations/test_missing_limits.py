"""From the second operator on, an organisation without limits hears of it."""

from dataclasses import replace
from pathlib import Path

from jara.domain.control.state import Limits
from jara.domain.organisation import PaymentMode
from jara.services.context import Context
from jara.services.operations.control import describe_missing_limits, set_limits
from jara.services.operations.daily_run import run_daily
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.operators import add_operator
from jara.services.operations.start_page import read_start_page
from tests.fakes.operators import acting, enrol, public
from tests.harness import copy_of
from tests.services.giving.giving_year import make_year
from tests.services.operations.doctor import look

SENTENCE = "There are no limits, so each of 2 operators may pay out everything alone."
COMMAND = 'jara operators policy set --limit 100 --why "What one person may do alone"'


def told(context: Context) -> list[tuple[str, str]]:
    """Return what the start page and the doctor say, and the daily run of a live organisation."""
    live = replace(context, payment_mode=PaymentMode.LIVE)
    page = [("start", f"{one.what} {one.command}") for one in read_start_page(context).waiting]
    doctor = [("doctor", one.message) for one in look(context) if one.level is Level.WARNING]
    runs = [("daily", one.message) for one in run_daily(live, [])]
    runs += [("sandbox", one.message) for one in run_daily(context, [])]
    return [(where, text) for where, text in (*page, *doctor, *runs) if "no limits" in text]


def test_two_operators_without_limits_are_told_each_day(context: Context) -> None:
    """By names; the sandbox's daily run is silent."""
    assert told(context) == []
    add_operator(context, context.operator)
    assert told(context) == []
    add_operator(context, "ben")

    assert told(context) == [
        ("start", f"{SENTENCE} {COMMAND}"),
        ("doctor", f"{SENTENCE} Set them: {COMMAND}"),
        ("daily", f"{SENTENCE} {COMMAND}"),
    ]
    set_limits(context, Limits(10_000, 10_000, total_limit_cents=10_000), why="agreed")
    assert told(context) == []


def test_people_with_keys_count_not_their_keys(context: Context) -> None:
    """Whoever may not approve is no second person."""
    enrol(context, ada="admin", eve="editor")
    with context.store.read() as work:
        assert describe_missing_limits(acting(context, "ada"), work) is None
    add_operator(acting(context, "ada"), "ben", key=public("ben"))
    with context.store.read() as work:
        assert describe_missing_limits(context, work) == (SENTENCE, COMMAND)


def test_the_proposed_limit_is_the_weakest_month(place: Path) -> None:
    """Of what came in; the month that runs does not count."""
    context = copy_of(make_year, place)
    for name in (context.operator, "ben"):
        add_operator(context, name)
    with context.store.read() as work:
        found = describe_missing_limits(context, work)
    assert found is not None
    assert "--limit 55 " in found[1]
