"""PostgreSQL commits, and its answer is lost: the same request again finds what was committed.

A proxy cuts the connection after each commit of a request in turn. The request is repeated with
its key, at once or after an outage, and everything has happened exactly once.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result

from jara.services.books.verification import verify_books
from jara.services.payments.reconciling import reconcile
from tests.faults.commit_cutter import CommitCutter
from tests.pgbouncer import PGBOUNCER, PORT, pooling
from tests.places import keep_on_server
from tests.postgres_server import PostgresServer, database_name
from tests.services.ballots.voting_world import open_sealed
from tests.sizes import PATIENCE_SECONDS, only_full, some
from tests.webapi.desk import Desk, later, open_desk, promise, registration
from tests.webapi.test_promises import take_transfers

Request = Callable[[], Result]
COMMITS_MAX = 20
pytestmark = pytest.mark.slow


class Cut:
    """An organisation whose database is behind the proxy."""

    def __init__(self, desk: Desk, proxy: CommitCutter) -> None:
        """Remember both."""
        self.desk, self.proxy = desk, proxy

    def at_each_commit(
        self, prepare: Callable[[int], Request], *, stays_down: bool
    ) -> list[tuple[int, int]]:
        """Cut a new request at each of its commits, and repeat it; return both statuses."""
        statuses: list[tuple[int, int]] = []
        for number in range(1, COMMITS_MAX):
            request = prepare(number)
            self.proxy.cut(number, stays_down=stays_down)
            first = request()
            was_cut = self.proxy.commits >= number
            self.proxy.recover()
            if not was_cut:
                assert first.status_code < 300
                return statuses
            again = _insist(request)
            statuses.append((first.status_code, again.status_code))
            if first.status_code < 300:
                assert _facts(again) == _facts(first)
        raise AssertionError("a request with so many commits is not expected")


def _insist(request: Request) -> Result:
    """Repeat a request while the pool of connections recovers from the outage."""
    end = time.monotonic() + PATIENCE_SECONDS
    answer = request()
    while answer.status_code == 503 and time.monotonic() < end:
        time.sleep(0.2)
        answer = request()
    return answer


def _facts(answer: Result) -> dict[str, Any]:
    """Return an answer without what may differ: session, message, and whether it is booked."""
    return {
        name: answer.json[name] for name in answer.json if name not in {"token", "entry", "message"}
    }


POOLED = pytest.param(
    True,
    marks=[only_full, pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")],
)


@pytest.fixture(params=[False, POOLED], ids=["server", "pooler"])
def cutter(request: pytest.FixtureRequest, postgres: PostgresServer) -> Iterator[CommitCutter]:
    """Return the proxy before PostgreSQL, or before PgBouncer in transaction mode."""
    if not request.param:
        yield CommitCutter(postgres.folder)
        return
    with pooling(postgres) as folder:
        yield CommitCutter(folder, PORT)


@pytest.fixture
def cut(tmp_path: Path, postgres: PostgresServer, cutter: CommitCutter) -> Iterator[Cut]:
    """Return the organisation."""
    proxy = cutter
    name = database_name(postgres.create_database())
    keep_on_server(tmp_path, f"postgresql://owner@/{name}?host={proxy.folder}")
    desk = open_desk(tmp_path)
    yield Cut(desk, proxy)
    desk.application.context.store.close()
    proxy.close()
    postgres.drop_database(postgres.url(name))


@pytest.fixture(params=[False, pytest.param(True, marks=only_full)], ids=["cut", "outage"])
def stays_down(request: pytest.FixtureRequest) -> bool:
    """Whether the database cannot be reached until the request has its answer."""
    return bool(request.param)


def require(statuses: list[tuple[int, int]], success: int) -> None:
    """Assert that each first answer is a success or 503, and each second one a success."""
    assert len(statuses) > 1
    assert {first for first, _ in statuses} <= {success, 503}
    assert {again for _, again in statuses} == {success}, statuses


def require_booked(desk: Desk, cents: list[int]) -> None:
    """Assert the charges at the provider and in the books."""
    context = desk.application.context
    later(desk, hours=1)
    assert reconcile(context).ok
    assert verify_books(context).findings == ()
    with context.store.read() as work:
        booked = [one.cents for one in work.payments.all()]
    assert sorted(booked) == sorted(cents)


def test_a_join_is_found_again(cut: Cut, stays_down: bool) -> None:
    """One account, one charge, and the repeated answer is that of the account."""

    def prepare(number: int) -> Request:
        form = registration(email=f"member{number}@example.org")
        headers = {"Idempotency-Key": f"joining-{number}"}
        return lambda: cut.desk.post("/register", form, headers=headers)

    statuses = cut.at_each_commit(prepare, stays_down=stays_down)

    require(statuses, 201)
    require_booked(cut.desk, [1000] * (len(statuses) + 1))


@only_full
def test_a_promise_is_found_again(cut: Cut, stays_down: bool) -> None:
    """One account with one reference."""
    take_transfers(cut.desk)

    def prepare(number: int) -> Request:
        form = promise(email=f"member{number}@example.org")
        headers = {"Idempotency-Key": f"promise-{number}"}
        return lambda: cut.desk.post("/register/promise", form, headers=headers)

    require(cut.at_each_commit(prepare, stays_down=stays_down), 201)


def test_a_gift_is_found_again(cut: Cut, stays_down: bool) -> None:
    """One charge, booked once."""

    def prepare(number: int) -> Request:
        gift = {
            "amountCents": 2500,
            "email": f"giver{number}@example.org",
            "paymentMethodId": "pm_card_visa",
        }
        headers = {"Idempotency-Key": f"giving-{number}"}
        return lambda: cut.desk.post("/gifts", gift, headers=headers)

    statuses = cut.at_each_commit(prepare, stays_down=stays_down)

    require(statuses, 201)
    require_booked(cut.desk, [2500] * (len(statuses) + 1))


def test_a_vote_is_found_again(cut: Cut, stays_down: bool) -> None:
    """The same nonce and choice return the receipt of the ballot that is in the box."""
    token, proposals = cut.desk.join(), []

    def prepare(number: int) -> Request:
        proposals.append(cut.desk.open_vote())
        body = {"id": proposals[-1], "voteType": "upvote", "nonce": f"{number:032x}"}
        return lambda: cut.desk.post("/user/votes", body, token=token)

    statuses = cut.at_each_commit(prepare, stays_down=stays_down)

    assert {again for _, again in statuses} == {200}
    context = cut.desk.application.context
    assert [len(open_sealed(context, one)) for one in proposals] == [1] * len(proposals)


@pytest.mark.parametrize(
    "change",
    some([{"subscriptionAmount": 25}, {"skipNext": True}, {"paused": True}, {"canceled": True}], 4),
    ids=str,
)
def test_a_change_of_a_pledge_is_found_again(
    cut: Cut, stays_down: bool, change: dict[str, Any]
) -> None:
    """Asking for the same again gives the same pledge, and nothing is charged."""

    def prepare(number: int) -> Request:
        token = cut.desk.join(email=f"member{number}@example.org")
        return lambda: cut.desk.put("/user/pledge", change, token=token)

    statuses = cut.at_each_commit(prepare, stays_down=stays_down)

    require(statuses, 200)
    require_booked(cut.desk, [1000] * (len(statuses) + 1))


@only_full
def test_a_pledge_that_starts_again_is_found_again(cut: Cut, stays_down: bool) -> None:
    """A new card starts one subscription, which is charged once."""

    def prepare(number: int) -> Request:
        token = cut.desk.join(email=f"member{number}@example.org")
        assert cut.desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200
        card = {"paymentMethodId": "pm_card_mastercard"}
        return lambda: cut.desk.put("/user/pledge", card, token=token)

    statuses = cut.at_each_commit(prepare, stays_down=stays_down)

    require(statuses, 200)
    require_booked(cut.desk, [1000] * 2 * (len(statuses) + 1))
