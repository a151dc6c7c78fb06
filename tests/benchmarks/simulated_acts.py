"""Measurements on a simulated organisation: reads for random members, and durable writes."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import count, islice
from typing import TypeVar

import psycopg

from jara.bootstrap import Application, build_from_environ
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.giving.member import Member
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_within, draw_nonce
from jara.services.books.tracing import trace_member
from jara.services.payments.movement_booking import MovementBooker
from jara.services.proposals.closing import close_vote
from jara.services.samples.stage import StoryClock
from jara.store.unit_of_work import UnitOfWork

Asked = TypeVar("Asked")
ASKED = 300
VOTES = 192
PAYMENTS = 3000
AT_ONCE = 8
ROUNDS = 3
INDEXES = (
    "members_email_key_key",
    "entries_by_member",
    "postings_pkey",
    "trace_lot_member",
    "sealed_ballots_by_box",
    "log_pkey",
)


class Acts:
    """One organisation: the first members have paid, and only the last have voted."""

    def __init__(self, environ: dict[str, str], *, payments: int) -> None:
        """Open the organisation."""
        self._app: Application = build_from_environ(environ)
        self._url = environ["JARA_DATABASE_URL"]
        self._payments = payments
        self._numbers = iter(range(1, payments))
        self._names = count()
        with self._app.context.store.read() as work:
            (self._proposal, *_) = work.proposals.all(ProposalStatus.OPEN)
            self._size = work.log.size()

    def random_ms(self) -> dict[str, float]:
        """Return the median milliseconds of reads about random members."""
        dice = random.Random(7)
        drawn = [dice.randint(1, self._payments) for _ in range(ASKED)]
        keys = [self._member(number).key for number in drawn]
        places = [dice.randrange(self._size) for _ in range(ASKED)]
        context = self._app.context

        def sign_in(work: UnitOfWork, number: int) -> object:
            member = work.members.by_email(_email(number))
            assert member is not None
            return work.members.password_hash(member.id)

        return {
            "an address and its password hash": self._each(sign_in, drawn),
            "a member's payments": self._each(lambda work, key: work.payments.of_member(key), keys),
            "the trace of a member": _median_ms(lambda key: trace_member(context, key), keys),
            "a leaf, and the proof that it is in the log": self._each(
                lambda work, place: (work.log.leaf(place), work.log.inclusion(place, self._size)),
                places,
            ),
        }

    def writes(self) -> dict[str, Callable[[], float]]:
        """Return the writes; each returns its rate per second, and every transaction is durable."""
        return {
            "commits of the row that all writers lock": self._bare_commits,
            "votes, one a transaction, one after the other": lambda: self._votes(1),
            f"votes, one a transaction, {AT_ONCE} connections": lambda: self._votes(
                1, at_once=AT_ONCE
            ),
            "votes, 16 a transaction": lambda: self._votes(16),
            "votes, 64 a transaction": lambda: self._votes(64),
            "payments, one a transaction": lambda: self._book(1, PAYMENTS // 10),
            "payments, 1,000 a transaction": lambda: self._book(1000, PAYMENTS),
        }

    def closing_seconds(self) -> float:
        """Close the vote, which lists its ballots and freezes its roll; return the seconds."""
        later = StoryClock(self._proposal.proposal.ends_at + timedelta(hours=1))
        context = replace(self._app.context, clock=later)
        begin = time.perf_counter()
        close_vote(context, self._proposal.proposal.id)
        return time.perf_counter() - begin

    def depths(self) -> dict[str, tuple[int, int]]:
        """Return the levels of each index, and the rows in one of its leaf pages."""
        found = {}
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS pageinspect")
            for name in INDEXES:
                row = connection.execute(
                    "SELECT level + 1, c.reltuples, c.relpages FROM bt_metap(%(name)s), pg_class c "
                    "WHERE c.relname = %(name)s",
                    {"name": name},
                ).fetchone()
                assert row is not None
                found[name] = int(row[0]), max(2, round(row[1] / row[2]))
        return found

    def _each(self, ask: Callable[[UnitOfWork, Asked], object], things: Sequence[Asked]) -> float:
        def act(thing: Asked) -> None:
            with self._app.context.store.read() as work:
                ask(work, thing)

        return _median_ms(act, things)

    def _bare_commits(self) -> float:
        with psycopg.connect(self._url, autocommit=True) as connection:

            def commit() -> None:
                for _ in range(VOTES):
                    connection.execute("UPDATE log_head SET size = size")

            return _rate(commit, VOTES)

    def _votes(self, together: int, *, at_once: int = 1) -> float:
        voters = [self._member(number).id for number in islice(self._numbers, VOTES)]
        groups = [voters[start : start + together] for start in range(0, VOTES, together)]
        context = self._app.context

        def cast(group: Sequence[str]) -> None:
            with context.store.write() as work:
                for voter in group:
                    nonce = draw_nonce(context)
                    cast_within(context, work, self._proposal, voter, Choice.UP, nonce=nonce)

        with ThreadPoolExecutor(at_once) as threads:
            return _rate(lambda: list(threads.map(cast, groups)), VOTES)

    def _book(self, together: int, number: int) -> float:
        rows = list(self._rows(number))
        groups = [rows[start : start + together] for start in range(0, number, together)]

        def book() -> None:
            for group in groups:
                with self._app.context.store.write() as work:
                    booker = MovementBooker(self._app.context, work)
                    booker.load(group)
                    for row in group:
                        assert booker.book(row)

        return _rate(book, number)

    def _rows(self, number: int) -> Iterator[ProviderRow]:
        at = self._app.context.now() - timedelta(days=8)  # too long ago for an email
        for place in range(1, number + 1):
            name = next(self._names)
            yield ProviderRow(
                created=at,
                category=RowCategory.CHARGE,
                amount=1000,
                fee=59,
                net=941,
                txn_id=f"txn_{name}",
                source_id=f"ch_{name}",
                charge_kind=ChargeKind.PLEDGE,
                member_id=self._member(place).id,
            )

    def _member(self, number: int) -> Member:
        with self._app.context.store.read() as work:
            member = work.members.by_email(_email(number))
        assert member is not None
        return member


def best_rates(few: Acts, many: Acts) -> tuple[dict[str, float], dict[str, float]]:
    """Return the best rate of each, run in turn on the same disk."""
    seen: tuple[dict[str, float], dict[str, float]] = ({}, {})
    acts = few.writes(), many.writes()
    for name in acts[0]:
        for _ in range(ROUNDS):
            for rates, of in zip(seen, acts, strict=True):
                rates[name] = max(rates.get(name, 0.0), of[name]())
    return seen


def levels(rows: int, rows_of_a_page: int) -> int:
    """Return the levels of an index of so many rows, if inner pages hold as many as leaf pages."""
    return 1 + math.ceil(math.log(max(1.0, rows / rows_of_a_page), rows_of_a_page))


def _email(number: int) -> str:
    return f"member.{number}@example.net"


def _median_ms(act: Callable[[Asked], object], things: Sequence[Asked]) -> float:
    taken = []
    for thing in things:
        begin = time.perf_counter()
        act(thing)
        taken.append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken)


def _rate(act: Callable[[], object], number: int) -> float:
    begin = time.perf_counter()
    act()
    return number / (time.perf_counter() - begin)
