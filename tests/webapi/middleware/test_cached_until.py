"""Cached pages and answers expire at the moment at which their content changes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from falcon import testing

from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.overview import FixedCost
from jara.domain.giving.changemaker import GRACE
from jara.domain.giving.pledge import PledgeState
from jara.records.journal import EntryQuery
from jara.services.books.policies import add_fixed_cost, set_policy
from jara.services.reports import figures
from jara_webapi.app import api_routes, create_app
from jara_webapi.calls.operations import operation_of
from jara_webapi.pages.website import Website
from jara_webapi.resources import reports
from tests.harness import NOON
from tests.webapi.desk import later, open_desk, reopen_desk
from tests.webapi.pages.site_world import Site, open_site

END = datetime(2026, 11, 25, 15, 30, tzinfo=UTC)
MOMENTS = {
    "a vote ends": END,
    "a fixed cost begins": datetime(2026, 11, 27, tzinfo=UTC),
    "a policy holds": datetime(2026, 11, 28, tzinfo=UTC),
    "a vote and a month end": datetime(2026, 12, 1, tzinfo=UTC),
    "a failed charge costs the vote": NOON + GRACE + timedelta(seconds=1),
    "a year ends": datetime(2027, 1, 1, tzinfo=UTC),
}
PAGES = (
    *("/", "/projects", "/projects/school", "/donations", "/proposals", "/proposals/bees"),
    *("/ledger", "/impact", "/impact?period=2026-11", "/impact?period=2026"),
)
NAMED = {
    "/api/projects/{name}": "/api/projects/school",
    "/api/proofs/inclusion": "/api/proofs/inclusion?index=0&size=1",
    "/api/proofs/consistency": "/api/proofs/consistency?from=1&to=2",
    "/api/legal/{text}": "/api/legal/terms",
    "/api/impact": "/api/impact?month=2026-11",
    "/api/open-data/{file}": "/api/open-data/votes.csv",
}


@pytest.fixture
def site(place: Path) -> Site:
    """An organisation without pending work, in which only time passes."""
    site = open_site(place)
    context, clock = site.desk.application.context, site.desk.clock
    site.desk.join()
    site.desk.join()
    site.desk.open_vote(slug="soon", title="Soon over", endDate="2026-11-25T15:30:00Z")
    add_fixed_cost(context, FixedCost("Rent", 7000, date(2026, 11, 27)))
    policy = replace(DEFAULT_POLICY, valid_from=date(2026, 11, 28))
    set_policy(context, policy, why="It was agreed.")
    with context.store.write() as work:
        member = next(iter(work.members.all()))
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        late = replace(pledge, state=PledgeState.PAST_DUE, past_due_since=clock.now())
        work.pledges.put(late, member_key=member.key, at=clock.now())
    return site


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of times the figures of the home page were computed."""
    made: list[int] = []

    def counting(*arguments: Any) -> Any:
        made.append(1)
        return figures.site_figures(*arguments)

    monkeypatch.setattr(reports, "site_figures", counting)
    return made


def answers(site: Site, client: testing.TestClient) -> dict[str, tuple[int, str]]:
    """Return the visitor's answer for every address with cached answers."""
    paths = [*PAGES, *kept_calls(site)]
    seen = {path: client.simulate_get(path) for path in paths}
    return {path: (answer.status_code, answer.text) for path, answer in seen.items()}


def kept_calls(site: Site) -> Iterator[str]:
    """Yield the address of every cached call, with its parameters."""
    with site.desk.application.context.store.read() as work:
        entry = next(iter(work.journal.entries(EntryQuery()))).id
    for path, resource in api_routes(site.desk.application):
        marked = operation_of(resource, "GET")
        if marked is not None and marked.cached:
            yield NAMED.get(path, path).replace("{entry}", entry)


def test_no_page_and_no_answer_outlives_its_moment(site: Site, place: Path) -> None:
    """One second before and at each moment, cached pages and answers equal fresh ones."""
    for moment in MOMENTS.values():
        for at in (moment - timedelta(seconds=1), moment):
            site.desk.clock.set(at)
            fresh = create_app(site.desk.application, website=Website(place / "dist"))
            told = answers(site, testing.TestClient(fresh))
            assert told == answers(site, site.client)
    assert {path: status for path, (status, _) in told.items() if status != 200} == {}


def test_every_moment_changes_something(site: Site) -> None:
    """Each moment changes an answer, so the test above does test something."""
    for name, moment in MOMENTS.items():
        site.desk.clock.set(moment - timedelta(seconds=1))
        before = answers(site, site.client)
        site.desk.clock.set(moment)
        assert answers(site, site.client) != before, name


def test_answers_are_not_recomputed_in_a_quiet_hour(site: Site, made: list[int]) -> None:
    """In an hour without changes, neither pages nor answers are computed again."""
    for _ in range(3):
        assert site.get("/").status_code == 200
        assert site.api("/stats")["changemakers"] == 2
        later(site.desk, hours=1)

    assert len(made) == 2  # one for the pages, one for the API


def test_a_vote_is_shown_as_over_from_its_end_on(site: Site) -> None:
    """A vote is shown as closed, after the open ones, from its end on without any commit."""
    site.desk.clock.set(END - timedelta(seconds=1))
    assert [one["slug"] for one in site.api("/user/get-proposals")] == ["soon", "bees"]
    assert "Proposal to vote on" in site.page("/proposals/soon").plain

    site.desk.clock.set(END)
    assert [one["slug"] for one in site.api("/user/get-proposals")] == ["bees", "soon"]
    assert "Proposal to vote on" not in site.page("/proposals/soon").plain


def test_commits_of_another_process_are_visible_after_a_quiet_hour(
    place: Path, made: list[int]
) -> None:
    """A commit by another process is visible in the next request."""
    desk = open_desk(place)
    for _ in range(2):
        assert desk.get("/stats").json["changemakers"] == 0
        later(desk, hours=1)
    other = reopen_desk(place, at=desk.clock.now())
    other.join()
    other.application.context.store.close()

    assert desk.get("/stats").json["changemakers"] == 1
    assert len(made) == 2


def test_a_clock_that_is_set_back_is_used(site: Site) -> None:
    """After the clock is set back, answers cached with a later time are not used."""
    later(site.desk, days=1)
    assert site.api("/config")["today"] == "2026-11-21"
    later(site.desk, days=-1)
    assert site.api("/config")["today"] == "2026-11-20"
