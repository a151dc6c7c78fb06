"""A proposal that passes at 60 % says so everywhere, whatever the rule of new proposals is."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.tally import VoteRule
from jara.reports.impact_parts import describe_result
from jara.services.proposals import lifecycle
from jara.services.proposals.closing import close_due_votes
from jara.services.reports.impact import voting_report
from tests.webapi.desk import later
from tests.webapi.pages.site_world import Site, open_site

MEMBERS = 5


@pytest.fixture
def site(place: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A website with a vote that was opened at 60 %; new votes pass at one half again."""
    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "rule_in_force", lambda _rules, _day: VoteRule(3, 5))
        return open_site(place)


def test_the_page_and_the_api_count_by_the_proposals_rule(site: Site) -> None:
    """Three of five must vote yes, and the website is told the rule."""
    for _ in range(MEMBERS):
        site.desk.join()
    [proposal] = site.api("/user/get-proposals")

    assert proposal["tally"]["rule"] == {"num": 3, "den": 5, "of": "roll"}
    assert proposal["tally"]["needed"] == 3
    assert "Yes votes still needed 3" in " ".join(site.page("/proposals/bees").plain.split())


def test_the_report_names_the_proposals_rule(site: Site) -> None:
    """The report on a decided vote says by which rule it was decided."""
    for _ in range(MEMBERS):
        site.desk.join()
    later(site.desk, days=20)
    context = site.desk.application.context
    close_due_votes(context)
    period = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
    [record] = voting_report(context, period).decided

    assert "it needed 60% or more of the 5 changemakers" in describe_result(
        record, record.require_vote()
    )
