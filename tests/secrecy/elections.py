"""Votes of members who do all kinds of things around voting, while an attacker watches."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from jara.services.operations.daily_run import queue_due_emails
from jara.services.operations.upkeep import wipe_erased
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key
from jara.services.proposals.closing_steps import prepare, stop_vote
from tests.secrecy.answers import bundle, files_in, leaves_in, public_answers
from tests.secrecy.attacker import Attack
from tests.secrecy.changes import changed_rows, changed_values, rows_about
from tests.secrecy.copies import Tables, files_of, sizes_of, tables_of
from tests.secrecy.orders import BALLOTS, Names, aliases, orders_in_bytes, orders_in_rows
from tests.secrecy.people import Person
from tests.secrecy.recount import Result, recount, stated
from tests.services.members.software_authenticator import ORIGIN
from tests.sizes import IS_FULL
from tests.webapi.desk import Desk, open_desk

ALONE = 16
"""Members who vote alone in an hour."""
CROWDS = (5, 4, 7)
"""Members who vote in the same hour, in turns with each other."""
COPY_HOURS = 1 if IS_FULL else 6
"""The attacker gets a copy of everything after so many hours."""
REFUNDED = 10
PAUSING = 14
LIMITS: dict[str, Any] = {
    f"limit_{name}": "10000/h"
    for name in ("mail_address", "sign_in_account", "vote_member", "sign_in_unknown")
}
_ids = count(1)


class Cast(NamedTuple):
    """A ballot as it was cast."""

    person: Person
    member: frozenset[str]
    """What identified the member at that time."""
    choice: str
    receipt: dict[str, Any]

    @property
    def leaf(self) -> str:
        """The bytes of its leaf, as text."""
        return str(self.receipt["leafBytes"])

    @property
    def names(self) -> tuple[str, str, str]:
        """The hashes that name it in the log once it is listed."""
        fields = json.loads(self.leaf)
        return fields["voter"], fields["nonce_hash"], str(self.receipt["leaf"])


class Look(NamedTuple):
    """A whole copy of everything, at one time."""

    when: str
    files: list[tuple[str, bytes]]
    tables: Tables


class Leak(NamedTuple):
    """A planted leak: what it does after a ballot and after a refund, and what it publishes."""

    voted: Callable[[Election, Cast], None] = lambda _election, _cast: None
    refunded: Callable[[Election, Cast], None] = lambda _election, _cast: None
    published: Callable[[Election], dict[str, str]] = lambda _election: {}


@dataclass
class Election:
    """A new organisation whose members vote once."""

    desk: Desk
    place: str
    folder: Path
    attack: Attack
    random: Random
    leaks: Sequence[Leak] = ()
    proposal: str = ""
    people: list[Person] = field(default_factory=list)
    cast: list[Cast] = field(default_factory=list)
    """The ballots in the order in which they were cast."""
    refunded: list[Cast] = field(default_factory=list)
    """The ballots whose members got everything back, in that order."""
    done: list[str] = field(default_factory=list)
    """What members did besides voting."""

    def hold(self) -> Result:
        """Hold the vote, watch it, and count its bundle again; return the result."""
        context = self.desk.application.context
        voters = ALONE + sum(CROWDS)
        self.people = [self._person() for _ in range(voters + PAUSING // 2)]
        joiners = self.random.sample(range(voters), voters // 5)
        for number, person in enumerate(self.people):
            if number not in joiners:
                person.join()
        ends = context.today() + timedelta(days=10)
        self.proposal = self.desk.open_vote(endDate=ends.isoformat())
        looks = self._vote_by_hours(self.people[:voters])
        looks.append(self._look("during the vote"))
        self._pause()
        self._refund()
        self._leave()
        self.desk.clock.advance(days=8)
        queue_due_emails(context)
        looks.append(self._look("late in the vote"))
        self._seek_ballots(looks, "of an open vote", self.cast)
        self.desk.clock.advance(days=8)
        lease = stop_vote(context, self.proposal, unattended=True)
        prepare(lease)
        looks.append(self._look("in the close"))
        lease.release()  # as after a kill: the close begins again with another draw
        close_due_votes(context)
        looks.append(self._look("after the close"))
        self._watch_members("after the close", looks[-1])
        destroy_ballot_key(context, self.proposal)
        wipe_erased(context)
        looks.append(self._look("after the key"))
        self._watch_members("after the key", looks[-1])
        self._seek_ballots(looks, "that was dropped", self.refunded)
        self._try_orders(looks)
        files = files_in(bundle(self.desk, None))
        leaves = leaves_in(files)
        result = recount(files, leaves, self.proposal)
        assert stated(leaves, self.proposal) == result
        return result

    def _reader(self) -> Person:
        """Return a contributor who does nothing else."""
        reader = self._person()
        reader.join()
        return reader

    def _person(self) -> Person:
        return Person(self.desk, f"member{next(_ids)}@example.org")

    def _vote_by_hours(self, voters: list[Person]) -> list[Look]:
        """Let people vote, some of them alone in an hour; return the copies of the hours."""
        hours = [[person] for person in voters[:ALONE]]
        choices = {}
        for part in (voters[:ALONE], voters[ALONE:]):
            drawn = ["up", "down"] * (len(part) // 2)
            self.random.shuffle(drawn)
            choices.update(
                {person.email: choice for person, choice in zip(part, drawn, strict=True)}
            )
        rest = iter(voters[ALONE:])
        hours += [[next(rest) for _ in range(size)] for size in CROWDS]
        self.random.shuffle(hours)
        looks = []
        for number, hour in enumerate(hours, 1):
            self.desk.clock.advance(hours=1)
            before = [one for one in hour for _ in range(self.random.randint(0, 2))]
            after = [one for one in hour for _ in range(self.random.randint(0, 2))]
            for person in hour:
                if not person.token:
                    person.join()
            self._do(before)
            self.random.shuffle(hour)
            for person in hour:
                self._vote(person, choices[person.email], is_alone=len(hour) == 1)
            self._do(after)
            if number % COPY_HOURS == 0:
                looks.append(self._look(f"after hour {number}"))
                self._watch_members(f"after hour {number}", looks[-1])
        return looks

    def _do(self, people: list[Person]) -> None:
        self.random.shuffle(people)
        for person in people:
            self.desk.clock.advance(seconds=self.random.randint(5, 90))
            person.do_something(self.random, self.done)

    def _vote(self, person: Person, choice: str, *, is_alone: bool) -> None:
        self.desk.clock.advance(seconds=self.random.randint(5, 90))

        def vote() -> None:
            receipt = person.vote(self.proposal, choice)
            names = frozenset((person.id, person.key, person.email))
            self.cast.append(Cast(person, names, choice, receipt))
            for leak in self.leaks:
                leak.voted(self, self.cast[-1])

        kind = "vote alone" if is_alone else "vote in company"
        self._watch(kind, person, choice, vote, only_public=not is_alone)

    def _pause(self) -> None:
        """Let voters and members who did not vote pause, and some of them go on."""
        voters = self.random.sample([cast.person for cast in self.cast], PAUSING // 2)
        pausing = voters + [one for one in self.people if not one.choice]
        self.random.shuffle(pausing)
        for person in pausing:
            self.desk.clock.advance(minutes=self.random.randint(1, 50))
            truth = "voted" if person.choice else "did not vote"
            self._watch("pause", person, truth, person.pause, only_public=True)
        for person in pausing[::2]:
            person.pause(paused=False)

    def _refund(self) -> None:
        """Let an operator refund whole payments, some of them after a dispute."""
        for choice in ("up", "down"):
            own = [cast for cast in self.cast if cast.choice == choice]
            self.refunded += self.random.sample(own, REFUNDED // 2)
        self.random.shuffle(self.refunded)
        for number, cast in enumerate(self.refunded):
            self.desk.clock.advance(minutes=self.random.randint(1, 50))

            def refund(cast: Cast = cast, number: int = number) -> None:
                (cast.person.dispute if number % 3 == 0 else cast.person.refund)()
                for leak in self.leaks:
                    leak.refunded(self, cast)

            self._watch("refund", cast.person, cast.choice, refund)

    def _leave(self) -> None:
        """Let members leave, and one of them join again."""
        kept = [cast.person for cast in self.cast if cast not in self.refunded]
        leavers = self.random.sample(kept, 4)
        for person in leavers:
            person.leave()
        leavers[0].join()

    def _watch(
        self,
        kind: str,
        person: Person,
        truth: str,
        act: Callable[[], None],
        *,
        only_public: bool = False,
    ) -> None:
        """Compare everything right before and right after an act."""
        earlier = self._values(), {} if only_public else self._tables()
        act()
        later = self._values(), {} if only_public else self._tables()
        own = (self.proposal, person.id, person.key, person.email)
        self.attack.note(f"{kind}, in public", truth, changed_values(earlier[0], later[0], own))
        if not only_public:
            seen = changed_rows(earlier[1], later[1], own)
            self.attack.note(f"{kind}, in the database", truth, seen)

    def _values(self) -> dict[str, str]:
        values = public_answers(self.desk)
        for leak in self.leaks:
            values.update(leak.published(self))
        return values

    def _tables(self) -> Tables:
        sizes: Tables = {"files": [{"name": "database", **sizes_of(self.place)}]}
        return {**tables_of(self.place, with_dead=False), **sizes}

    def _look(self, when: str) -> Look:
        files = list(files_of(self.desk.application.context, self.place, self.folder))
        # Entries, which visitors do not get, are between the ballots.
        files.append(("bundle of a contributor", bundle(self.desk, self._reader().token)))
        return Look(when, files, tables_of(self.place))

    def _watch_members(self, when: str, look: Look) -> None:
        """Compare the rows that name each member."""
        for cast in self.cast:
            seen = rows_about(look.tables, cast.member)
            self.attack.note(f"rows of members, {when}", cast.choice, seen)

    def _seek_ballots(self, looks: list[Look], what: str, ballots: list[Cast]) -> None:
        """Look for ballots that must not be readable anywhere."""
        for look in looks:
            for copy, data in look.files:
                for cast in ballots:
                    seen = {copy: cast.choice} if cast.leaf.encode() in data else {}
                    self.attack.note(f"a ballot {what}", cast.choice, seen)

    def _try_orders(self, looks: list[Look]) -> None:
        """Compare each order in each copy: of members with the log, of ballots with casting."""
        listed = self._listed()
        members: Names = {
            name: listed[cast.names[0]]
            for cast in self.cast
            if cast.names[0] in listed
            for name in cast.member
        }
        ballots = {name: rank for rank, cast in enumerate(self.cast) for name in cast.names}
        dropped = {name: rank for rank, cast in enumerate(self.refunded) for name in cast.names}
        choices = {rank: cast.choice for rank, cast in enumerate(self.cast)}
        own = {BALLOTS: ballots, f"{BALLOTS} of refunded members": dropped}
        known = aliases(members)
        for look in looks:
            for copy, data in look.files:
                trace = f"{copy} {look.when}"
                self.attack.try_orders(orders_in_bytes(trace, data, known, self.proposal))
                self.attack.try_orders(orders_in_bytes(trace, data, own, self.proposal), choices)
            trace = f"tables {look.when}"
            self.attack.try_orders(orders_in_rows(trace, look.tables, known, self.proposal))
            self.attack.try_orders(orders_in_rows(trace, look.tables, own, self.proposal), choices)

    def _listed(self) -> dict[str, int]:
        """Return the index of each listed ballot by its voter's token."""
        leaves = leaves_in(files_in(bundle(self.desk, None)))
        return {
            leaf["voter"]: index
            for index, leaf in enumerate(leaves)
            if leaf.get("t") == "jara/v1/ballot"
        }


def begin(folder: Path, attack: Attack, *, place: str, seed: int) -> Election:
    """Create an organisation."""
    desk = open_desk(folder, site_url=ORIGIN, **LIMITS)
    return Election(desk, place, folder, attack, Random(seed))
