"""A vote in which half of the members vote, and what its backups tell about who did.

The attacker gets backups alone, and knows which rows name which member. Reminders go to members
who have not voted, take seconds each, and are mixed with other emails.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

import pytest

from jara.bootstrap.emails import CompletingSender
from jara.records.operations import Email
from jara.services.notices import outbox
from jara.services.notices.outbox import send_due
from jara.services.operations.backups import make_backup
from jara.services.operations.daily_run import queue_due_emails
from jara.services.ports.outside import EmailRefused
from jara.services.proposals.vote_emails import REMINDER
from tests.fakes.clock import FakeClock
from tests.secrecy.attacker import FEWEST, Attack
from tests.secrecy.changes import changed_rows, rows_about
from tests.secrecy.copies import Tables, tables_of
from tests.secrecy.elections import LIMITS
from tests.secrecy.people import Person
from tests.services.members.software_authenticator import ORIGIN
from tests.webapi.desk import Desk, open_desk

Rows: TypeAlias = Sequence[Mapping[str, Any]]
Numbers: TypeAlias = list[tuple[int, float]]
"""Numbers, each of a member."""

MEMBERS = 40
LATE_VOTERS = 6
"""Members who vote after the reminders."""
_ids = count(1)


@dataclass
class SlowServer:
    """A mail server: an email takes seconds, an offer none, and some recipients are put off."""

    clock: FakeClock
    random: Random
    put_off: set[str]

    def offer(self, email: Email) -> None:
        """Answer for the recipient."""
        if email.address in self.put_off:
            self.put_off.discard(email.address)
            raise EmailRefused("Later.", reply=450)

    def send(self, email: Email) -> None:
        """Take an email."""
        self.offer(email)
        self.clock.advance(seconds=self.random.randint(2, 3))

    def keep_only(self, kept: object) -> int:
        """Keep nothing."""
        del kept
        return 0


@dataclass
class Turnout:
    """A new organisation, its vote, and the backups that the attacker gets."""

    desk: Desk
    folder: Path
    attack: Attack
    random: Random
    voted: Callable[[Turnout, Person], None] = lambda _turnout, _person: None
    """What a planted leak does after a ballot."""
    people: list[Person] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    def hold(self) -> None:
        """Let half of the members vote; look at a backup before and after the reminders."""
        context = self.desk.application.context
        for _ in range(MEMBERS):
            self.people.append(Person(self.desk, f"turnout{next(_ids)}@example.org"))
            self.people[-1].join()
        self._send()
        ends = context.today() + timedelta(days=10)
        proposal = self.desk.open_vote(endDate=ends.isoformat())
        voters = self.random.sample(self.people, MEMBERS // 2)
        self._act(voters[LATE_VOTERS:], proposal)
        early = self._backup("before the reminders")
        self.desk.clock.advance(days=8)
        queue_due_emails(context)
        self._queue_beside()
        self._send()
        self._look("after the reminders", early, self._backup("after the reminders"))
        late = self._backup("before the late voters")
        self._act(voters[:LATE_VOTERS], proposal)
        self._send()
        self._look("late in the vote", late, self._backup("late in the vote"))

    def _act(self, voters: Sequence[Person], proposal: str) -> None:
        """Let members vote, and all members do other things before and after."""
        acts: list[tuple[Person, bool]] = [(person, True) for person in voters]
        acts += [(person, False) for person in self.random.sample(self.people, MEMBERS // 2)]
        self.random.shuffle(acts)
        for person, votes in acts:
            self.desk.clock.advance(minutes=self.random.randint(1, 50))
            if votes:
                person.vote(proposal, self.random.choice(("up", "down")))
                self.voted(self, person)
            else:
                person.do_something(self.random, self.done)

    def _queue_beside(self) -> None:
        """Queue an email to many right behind each reminder."""
        context = self.desk.application.context
        with context.store.write() as work:
            reminders = [one for one in work.outbox.all() if one.kind == REMINDER]
            for reminder in reminders:
                after = str(UUID(int=UUID(reminder.id).int + 1))
                once = f"beside:{reminder.id}"
                work.outbox.add(reminder._replace(id=after, kind="coming_change", once_key=once))

    def _send(self) -> None:
        """Send what is due, in two runs: some recipients are put off by the first."""
        context = self.desk.application.context
        put_off = {one.email for one in self.random.sample(self.people, MEMBERS // 4)}
        server = SlowServer(self.desk.clock, self.random, put_off)
        for _ in range(2):
            send_due(context, CompletingSender(context, lambda: server))
            self.desk.clock.advance(minutes=6)

    def _backup(self, name: str) -> Tables:
        path = self.folder / f"{name}.db"
        make_backup(self.desk.application.context, path)
        return tables_of(str(path))

    def _look(self, when: str, before: Tables, after: Tables) -> None:
        """Add what two backups show of each member."""
        members = {
            name: number
            for number, person in enumerate(self.people)
            for name in names_of(person, after)
        }
        truths = [bool(person.choice) for person in self.people]
        for person in self.people:
            own = frozenset(name for name, one in members.items() if self.people[one] is person)
            truth = "voted" if person.choice else "did not vote"
            seen = rows_about(after, own)
            self.attack.note(f"whether, rows of members {when}", truth, seen)
            changed = changed_rows(only_about(before, own), only_about(after, own), own)
            self.attack.note(f"whether, changes of members {when}", truth, changed)
        for trace, numbers in numbers_of(after, members):
            deviation = rank_sum(numbers, truths)
            if deviation is not None:
                self.attack.agreement[f"whether, {trace} {when}"].append(deviation)


def names_of(person: Person, tables: Tables) -> Iterator[str]:
    """Yield what identifies a member: ids, address, and the ids of the emails to them."""
    own = {person.id, person.key, person.email}
    yield from own
    for row in tables["outbox"]:
        if row["member_id"] == person.id:
            yield str(row["id"])


def only_about(tables: Tables, names: frozenset[str]) -> Tables:
    """Return the rows that name somebody."""
    return {
        table: [row for row in rows if not names.isdisjoint(map(str, row.values()))]
        for table, rows in tables.items()
    }


def numbers_of(tables: Tables, members: Mapping[str, int]) -> Iterator[tuple[str, Numbers]]:
    """Yield each number that rows have about members: values, lengths, places, gaps of time.

    Places and gaps are taken in the order of the file, and in the order of each column; rows of
    several kinds are read for each kind.
    """
    for table, rows in tables.items():
        named = [_member_of(row, members) for row in rows]
        for kind in {row.get("kind") for row in rows}:
            own = [
                one if row.get("kind") == kind else None
                for one, row in zip(named, rows, strict=True)
            ]
            if len({one for one in own if one is not None}) >= 2 * FEWEST:
                for trace, numbers in _numbers_in(rows, own):
                    yield f"{table} {kind or ''}.{trace}", numbers


def _numbers_in(rows: Rows, named: Sequence[int | None]) -> Iterator[tuple[str, Numbers]]:
    counts = Counter(one for one in named if one is not None)
    yield "rows", [(one, float(number)) for one, number in counts.items()]
    timed = [column for column in rows[0] if any(_seconds(row[column]) for row in rows)]
    orders: dict[tuple[int, ...], str] = {}
    for column in rows[0]:
        cells = [
            (one, row[column]) for one, row in zip(named, rows, strict=True) if one is not None
        ]
        yield f"{column}, length", [(one, float(len(str(cell)))) for one, cell in cells]
        yield column, [(one, float(cell)) for one, cell in cells if isinstance(cell, int)]
        ordered = sorted(range(len(rows)), key=[str(row[column]) for row in rows].__getitem__)
        orders.setdefault(tuple(ordered), column)
    orders.setdefault(tuple(range(len(rows))), "file")
    for order, by in orders.items():
        places = [(named[at], float(rank)) for rank, at in enumerate(order)]
        yield f"place by {by}", [(one, place) for one, place in places if one is not None]
        for column in timed:
            yield from _gaps(by, column, rows, named, order)


def _gaps(
    by: str, column: str, rows: Rows, named: Sequence[int | None], order: Sequence[int]
) -> Iterator[tuple[str, Numbers]]:
    """Yield the times from the row before, and to the next row."""
    times = [_seconds(rows[at][column]) for at in order]
    for name, step in (("since the last", -1), ("until the next", 1)):
        numbers = []
        for place, at in enumerate(order):
            member, own = named[at], times[place]
            there = times[place + step] if 0 <= place + step < len(times) else None
            if member is not None and own is not None and there is not None:
                numbers.append((member, abs(own - there)))
        yield f"{column} {name} by {by}", numbers


def _seconds(cell: object) -> float | None:
    text = str(cell)
    if len(text) < 20 or text[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return None


def _member_of(row: Mapping[str, Any], members: Mapping[str, int]) -> int | None:
    found = {members[text] for text in map(str, row.values()) if text in members}
    return found.pop() if len(found) == 1 else None


def rank_sum(numbers: Sequence[tuple[int, float]], truths: Sequence[bool]) -> float | None:
    """Return how far the voters' numbers are from those of others, in standard deviations.

    The mean number of each member counts (Mann and Whitney's test, with ties). None if there are
    too few members of either kind, or all have the same number.
    """
    of_member: defaultdict[int, list[float]] = defaultdict(list)
    for member, number in numbers:
        of_member[member].append(number)
    values = sorted((sum(all_) / len(all_), truths[one]) for one, all_ in of_member.items())
    voters = sum(truth for _, truth in values)
    others = len(values) - voters
    if min(voters, others) < FEWEST:
        return None
    ties = Counter(value for value, _ in values)
    first: dict[float, float] = {}
    for rank, (value, _) in enumerate(values, 1):
        first.setdefault(value, rank)
    ranks = sum(first[value] + (ties[value] - 1) / 2 for value, truth in values if truth)
    n = len(values)
    tied = sum(size**3 - size for size in ties.values()) / (n * (n - 1))
    variance = voters * others / 12 * (n + 1 - tied)
    if variance <= 0:
        return None
    return (ranks - voters * (n + 1) / 2) / math.sqrt(variance)


def begin_turnout(folder: Path, attack: Attack, *, seed: int) -> Turnout:
    """Create an organisation."""
    return Turnout(open_desk(folder, site_url=ORIGIN, **LIMITS), folder, attack, Random(seed))


def own_times(patch: pytest.MonkeyPatch) -> None:
    """Give each email of a run the time at which it was sent."""
    patch.setattr(outbox, "_TO_MANY", frozenset())


def mark(turnout: Turnout, person: Person) -> None:
    """Complete an item of the checklist of those who vote."""
    with turnout.desk.application.context.store.write() as work:
        work.members.set_todo_done(person.id, ["vote"])


TURNOUT_LEAKS: dict[
    str, tuple[Callable[[pytest.MonkeyPatch], None], Callable[[Turnout, Person], None], str]
] = {
    "an email's own time": (own_times, lambda _turnout, _person: None, "sent_at"),
    "a mark of voters": (lambda _patch: None, mark, "members"),
}
"""Leaks that a version of Jara could have: its program, what follows a ballot, and the trace."""
