"""The cache of visitors' answers, under many parallel requests and writes."""

import threading
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
from jara.records.log import Cosignature, Witness
from jara.services.books.policies import add_fixed_cost, set_policy
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.reports import figures
from jara_webapi.app import api_routes, create_app
from jara_webapi.calls.operations import operation_of
from jara_webapi.pages.website import Website
from jara_webapi.resources import reports
from tests.harness import NOON
from tests.verifier.witness_keys import WITNESSES
from tests.webapi.desk import Desk, later, open_desk, reopen_desk
from tests.webapi.pages.site_world import Site, open_site

CROWD = 12


def ask_at_once(desk: Desk) -> set[int]:
    """Send parallel requests for the number of changemakers; return the answers."""
    heard: set[int] = set()
    gate = threading.Barrier(CROWD)

    def ask() -> None:
        gate.wait()
        heard.add(desk.get("/user/all-users").json["total"])
        desk.application.context.store.close()

    threads = [threading.Thread(target=ask) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return heard


def test_a_crowd_makes_one_answer_and_a_commit_another(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread computes the answer and the others wait; the next request sees a new commit."""
    desk, counted = open_desk(place), threading.Semaphore(0)
    begun: list[str] = []

    def counting(*arguments: object) -> object:
        begun.append(threading.current_thread().name)
        counted.acquire(timeout=0.2)  # long enough for the whole crowd to arrive
        return figures.site_figures(*arguments)  # type: ignore[arg-type] # handed on as they came

    monkeypatch.setattr(reports, "site_figures", counting)

    assert ask_at_once(desk) == {0}
    assert len(begun) == 1
    member = threading.Thread(target=desk.join)
    member.start()
    member.join()
    assert ask_at_once(desk) == {1}
    assert len(begun) == 2


def test_parameters_that_nobody_reads_make_no_new_answer(place: Path, made: list[int]) -> None:
    """An answer is made once, whatever a stranger appends to its address."""
    desk = open_desk(place)

    for query in ("", "x=1", "x=2", "x=1&x=2", "=", "%00=1", "lang=en"):
        assert desk.get("/user/all-users", query_string=query).status_code == 200
    assert len(made) == 1


def test_a_failed_answer_lets_the_next_one_try(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If computing an answer fails, the next request tries again."""
    desk = open_desk(place)

    def failing(*_: object) -> object:
        raise RuntimeError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(reports, "site_figures", failing)
        assert desk.get("/user/all-users").status_code == 500

    assert desk.get("/user/all-users").status_code == 200


def test_private_changes_keep_cached_public_answers(place: Path, made: list[int]) -> None:
    """Rate-limit counts and ended sessions do not clear the cache; a changed name does."""
    desk = open_desk(place)
    token = desk.join()

    desk.get("/user/all-users")
    assert desk.post("/user/login", {"email": "no@example.org", "password": "x"}).status_code == 401
    assert desk.post("/user/logout", token=token).status_code == 200
    desk.get("/user/all-users")
    assert len(made) == 1

    desk.join()
    assert desk.get("/user/all-users").json["total"] == 2
    assert len(made) == 2


def test_a_cosignature_is_visible_in_the_next_answer(place: Path) -> None:
    """A witness's cosignature is shown immediately, although nothing else changes."""
    desk = open_desk(place)
    context, signer = desk.application.context, WITNESSES[0]
    made = make_checkpoint(context)
    with context.store.write() as work:
        chosen = Witness(signer.name, signer.text, "https://w.example", context.now())
        work.witnesses.put(chosen)
    assert seen_by(desk) == (0, 1)

    line = signer.cosign(made.note).removeprefix(made.note)
    with context.store.write() as work:
        work.witnesses.keep(Cosignature(made.size, signer.name, line, context.now()))
    assert seen_by(desk) == (1, 1)


def seen_by(desk: Desk) -> tuple[int, int]:
    """Return how many of how many witnesses have seen the log."""
    told = desk.get("/proofs/witnesses").json
    return told["seen"], told["of"]


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
