"""Plans of years: versions, what members see, and payments that go over them."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import PostedEntry
from jara.domain.books.plan import OverPlan, PlanLine
from jara.domain.errors import InvalidInput, NotFound
from jara.reports.render import render
from jara.services.books import plans
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.content import add_item
from jara.services.context import Context
from jara.services.operations.approved_acts import show_approval
from jara.services.reports.plan import plan_report, public_plan_rows
from tests.fakes.operators import acting, approve_as
from tests.harness import copy_of
from tests.services.giving.giving_year import GRANT
from tests.services.operations.controlled_world import grant, make_controlled, waiting_grant
from tests.services.operations.test_money_alone import an_entry

GRANTS = PlanLine("expenses:grants", None, None, 1_200)
PLEDGES = PlanLine("income:pledges", None, "2026-03", 90_000)


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles, $1,000 of pledges, and a limit of $10."""
    return copy_of(make_controlled, place)


def planned(context: Context, *lines: PlanLine, year: int = 2026) -> None:
    """Import a plan as the bookkeeper."""
    plans.import_plan(acting(context, "kit"), year, lines, decided_on=date(2025, 12, 1))


def test_a_plan_has_versions(context: Context) -> None:
    """A new plan is the next version; the earlier one stays, and the same one is refused."""
    planned(context, GRANTS)
    planned(context, GRANTS, PLEDGES)
    with pytest.raises(InvalidInput, match="version 2"):
        planned(context, GRANTS, PLEDGES)

    assert [one.version for one in plans.list_plans(context, 2026)] == [1, 2]
    assert plans.show_plan(context, 2026).lines == (GRANTS, PLEDGES)
    assert plans.show_plan(context, 2026, 1).lines == (GRANTS,)
    with pytest.raises(NotFound):
        plans.show_plan(context, 2026, 3)


def test_an_unknown_account_or_project_is_refused(context: Context) -> None:
    """A name that is misspelt would be a line that no payment ever reaches."""
    for account in ("expenses:staf", "expenses:projects:no-such"):
        with pytest.raises(NotFound):
            planned(context, GRANTS._replace(account=account))


@pytest.mark.parametrize(
    ("name", "account"), [("shelves", "books"), ("books", "books"), ("school", "school")]
)
def test_a_payee_is_planned_by_slug_or_account(context: Context, name: str, account: str) -> None:
    """A grant may have another account than its slug; one that was paid may have no page."""
    grant(context, "kit", 300, slug="school")
    shelves = {**GRANT, "id": "shelves", "slug": "shelves", "account": "expenses:grants:books"}
    add_item(acting(context, "eve"), "grants", shelves)
    planned(context, GRANTS._replace(account=f"expenses:grants:{name}"))

    (line,) = plans.show_plan(context, 2026).lines
    assert line.account == f"expenses:grants:{account}"


def test_plan_and_books_stand_side_by_side(context: Context) -> None:
    """Each line has plan, actual and forecast; what is not planned is named, if it is not zero."""
    planned(context, GRANTS, PLEDGES)
    grant(context, "kit", 300)
    bought = post_entry(acting(context, "kit"), an_entry(100, "expenses:operations"))
    assert isinstance(bought, PostedEntry)
    assert "expenses:operations" in {row.account for row in plan_report(context, 2026).rows}
    reverse_entry(acting(context, "ada"), bought.id, why="typo")

    report = plan_report(context, 2026)

    rows = {row.account: row for row in report.rows}
    assert "expenses:operations" not in rows
    assert (report.version, report.period.end) == (1, date(2026, 11, 20))
    assert report.gone_tenths == 324 * 1000 // 365
    assert rows["expenses:grants"].actual_cents == 300
    assert rows["expenses:grants"].difference_cents == -900
    assert rows["expenses:grants"].forecast_cents == round(300 * 365 / 324)
    assert rows["income:pledges"].used_tenths == 1111
    text = render(report, "md").decode()
    assert "| Grants made |  | $12.00 | $3.00 | −$9.00 | 25.0% | $3.38 |" in text
    assert "Prévu" in render(report, "md", "fr").decode()


def test_members_see_the_version_that_was_published(context: Context) -> None:
    """A later version is shown when it is published, and none once the plan is hidden."""
    planned(context, GRANTS)
    assert public_plan_rows(context, 2026) == ()
    plans.publish_plan(acting(context, "kit"), 2026)
    planned(context, GRANTS._replace(cents=5_000))

    assert [row.planned_cents for row in public_plan_rows(context, 2026)] == [None, 1_200]
    plans.publish_plan(acting(context, "kit"), 2026)
    assert [row.planned_cents for row in public_plan_rows(context, 2026)] == [None, 5_000]
    plans.publish_plan(acting(context, "kit"), 2026, shown=False)
    assert public_plan_rows(context, 2026) == public_plan_rows(context, 2027) == ()
    with pytest.raises(NotFound, match="no plan of 2027"):
        plans.publish_plan(acting(context, "kit"), 2027)


def test_a_payment_over_the_plan_says_so(context: Context) -> None:
    """It is booked all the same; one within the plan, or of a year without one, says nothing."""
    small = grant(context, "kit", 300)
    planned(context, GRANTS)
    assert isinstance(small, PostedEntry)
    assert plans.over_plan_by(context, small.id) == []

    waiting = waiting_grant(context, cents=1_000)

    over = OverPlan("expenses:grants", 2026, 1_200, 1_300)
    assert plans.read_over(waiting.payload) == [over]
    assert show_approval(context, waiting.id)["overPlan"] == [
        "Over the plan of 2026: expenses:grants reaches $13.00 of $12.00."
    ]
    entry = approve_as(context, waiting, "ben")
    assert isinstance(entry, PostedEntry)
    assert plans.over_plan_by(context, entry.id) == [over]


def test_a_plan_counts_its_own_fund_alone(context: Context) -> None:
    """What another fund pays on the same account is not planned, and not over the plan."""
    planned(context, GRANTS._replace(fund=Fund.STAFF, cents=1))

    assert plans.read_over(waiting_grant(context).payload) == []
    (row,) = (one for one in plan_report(replace(context), 2026).rows if one.fund is Fund.STAFF)
    assert row.actual_cents == 0
