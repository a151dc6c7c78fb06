"""Names that people typed stay as typed in a French report, also those that look like texts."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from jara.domain.books.account import Fund
from jara.domain.reports.statement import TraceFund, TracePayment
from jara.reports.render import render
from tests.reports.builders.reports import (
    a_month_impact_report,
    a_statement,
    a_voting_report,
    an_impact_report,
)


def pages(name: str, language: str) -> Iterator[str]:
    """Yield reports in which the organisation, the members and everything listed have a name."""
    for report in (an_impact_report(), a_month_impact_report()):
        impact = replace(
            report,
            organisation=name,
            drift_note=name,
            disbursements=tuple(one._replace(title=name) for one in report.disbursements),
            proposals=tuple(replace(one, title=name) for one in report.proposals),
            projects=tuple(one._replace(title=name) for one in report.projects),
        )
        yield render(impact, "html", language).decode()
    votes = a_voting_report()
    named = (
        tuple(replace(one, title=name) for one in each) for each in (votes.decided, votes.open)
    )
    decided, still_open = named
    votes = replace(votes, organisation=name, decided=decided, open=still_open)
    yield render(votes, "html", language).decode()
    paid = (TracePayment("expenses:projects:x", name, "e_01", date(2026, 5, 30), 1_600),)
    statement = a_statement(trace=(TraceFund(Fund.PROJECTS, 1_600, 0, 0, paid),))
    statement = replace(statement, organisation=name, member_name=name, imprint=name)
    yield render(statement, "html", language).decode()


@pytest.mark.parametrize("name", ["Operations", "Total", "5 May 2026", "Refund", "CHF 12", "{day}"])
def test_a_typed_name_stays_as_typed(name: str) -> None:
    """A name stands in the French page as often as in the English one."""
    texts = zip(pages(name, "en"), pages("Nemo", "en"), pages(name, "fr"), strict=True)
    for english, unlike, french in texts:
        assert french.count(name) >= english.count(name) - unlike.count(name) > 0
