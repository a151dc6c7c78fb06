"""Requests that people wait for, timed on one organisation."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from falcon.testing import TestClient

from jara.bootstrap import build_from_environ
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_within, draw_nonce
from jara.services.ballots.counting import count_vote
from jara.services.payments.movement_booking import MovementBooker
from jara.store.unit_of_work import UnitOfWork
from jara_webapi.app import create_app
from tests.benchmarks.grown_organisation import EMAIL, PASSWORD, SPARE_EMAIL

ROUNDS = 40
FOR_ALL = {
    "the home page's figures": "/api/stats",
    "the overview": "/api/user/get-cash-overviews",
    "the budget": "/api/ledger/budget",
    "all proposals with their tallies": "/api/user/get-proposals",
    "a project and its payments": "/api/projects/clean-water-boreholes",
    "the log's signed head": "/api/proofs/checkpoint",
    "proof that an entry is in the log": "/api/proofs/inclusion?index={middle}&size={size}",
    "proof that the log only grew": "/api/proofs/consistency?from={middle}&to={size}",
}
FOR_MEMBERS = {
    "my profile": "/api/user/get-profile",
    "the newest page of the ledger": "/api/ledger/transactions",
    "a page in the middle of the ledger": "/api/ledger/transactions?cursor={cursor}",
    "a row of the budget, by account": "/api/ledger/budget/available",
    "where my dollars went": "/api/user/impact",
    "my contributions": "/api/user/contributions",
    "where I have voted": "/api/user/votes",
    "all that is held about me": "/api/user/export",
}


class Site:
    """The API and the services of one organisation."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Open the organisation and sign in."""
        application = build_from_environ(environ)
        self.context = application.context
        self.client = TestClient(create_app(application))
        with self.context.store.read() as work:
            size = work.log.size()
            middle = work.journal.newest(size // 2)
            (self.proposal, *_) = work.proposals.all(ProposalStatus.OPEN)
            self.member = work.members.find(EMAIL)
            self.spare = work.members.find(SPARE_EMAIL)
        with application.database.transaction(write=False) as sql:
            counted = sql.one("SELECT COUNT(*) FROM postings")
        assert middle is not None
        assert counted is not None
        self.postings = int(counted[0])
        self.places = {
            "size": size,
            "middle": middle.index,
            "cursor": f"{middle.entry.day.isoformat()}.{middle.index}",
        }
        signed_in = self.client.simulate_post(
            "/api/user/login", json={"email": EMAIL, "password": PASSWORD}
        )
        self.token: str = signed_in.json["token"]

    def answer(self, path: str, *, signed_in: bool) -> None:
        """Call the API."""
        path, _, query = path.format(**self.places).partition("?")
        headers = {"token": self.token} if signed_in else {}
        answer = self.client.simulate_get(path, query_string=query, headers=headers)
        assert answer.status_code == 200, (path, answer.text)

    def read(self, act: Callable[[UnitOfWork], object]) -> None:
        """Run a read."""
        with self.context.store.read() as work:
            act(work)

    def write(self, act: Callable[[UnitOfWork], object]) -> None:
        """Run a write without its commit, which only waits for the disk."""
        with suppress(_TakenBack), self.context.store.write() as work:
            act(work)
            raise _TakenBack

    def balance(self) -> None:
        """Read the balance of one account."""
        self.read(lambda work: work.journal.balances(accounts=("expenses:staff",)))

    def tally(self) -> None:
        """Count one vote."""
        self.read(lambda work: count_vote(self.context, work, self.proposal))

    def vote(self) -> None:
        """Vote without a receipt: the signer would refuse the log after the rollback."""
        context, nonce = self.context, draw_nonce(self.context)

        def cast(work: UnitOfWork) -> None:
            cast_within(context, work, self.proposal, self.spare.id, Choice.UP, nonce=nonce)

        self.write(cast)

    def payment(self) -> None:
        """Book a payment of the member."""
        row = ProviderRow(
            created=self.context.now() - timedelta(hours=1),
            category=RowCategory.CHARGE,
            amount=1000,
            fee=59,
            net=941,
            txn_id="txn_new",
            source_id="ch_new",
            charge_kind=ChargeKind.PLEDGE,
            member_id=self.member.id,
        )

        def book(work: UnitOfWork) -> None:
            booker = MovementBooker(self.context, work)
            booker.load([row])
            assert booker.book(row)

        self.write(book)


class _TakenBack(Exception):
    """Rolls a transaction back."""


def acts_of(site: Site) -> dict[str, Callable[[], None]]:
    """Return the timed requests by their names in the table."""
    acts: dict[str, Callable[[], None]] = {
        "the balance of one account, no HTTP": site.balance,
        "the tally of one vote, no HTTP": site.tally,
    }
    for pages, signed_in in ((FOR_ALL, False), (FOR_MEMBERS, True)):
        for name, path in pages.items():
            acts[name] = partial(site.answer, path, signed_in=signed_in)
    return acts | {
        "voting, without the receipt and the commit": site.vote,
        "booking a payment, without the commit": site.payment,
    }


def measure(sites: Sequence[Site]) -> dict[str, list[float]]:
    """Return the milliseconds of every answer, in the order of the organisations."""
    acts = [acts_of(site) for site in sites]
    return {name: least_ms([of[name] for of in acts]) for name in acts[0]}


def least_ms(acts: Sequence[Callable[[], None]]) -> list[float]:
    """Return the shortest time of each request, run in turn under the same load."""
    least = [float("inf")] * len(acts)
    for _ in range(ROUNDS):
        for place, act in enumerate(acts):
            begin = time.perf_counter()
            act()
            least[place] = min(least[place], (time.perf_counter() - begin) * 1000)
    return least
