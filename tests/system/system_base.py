"""Compares the organisation with its model."""

import random
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from hypothesis.stateful import RuleBasedStateMachine, invariant

from jara import jara_verify
from jara.domain.books.journal import EntryKind
from jara.domain.checks.log import read_leaf
from jara.domain.giving.pledge import RUNNING, Pledge, PledgeState
from jara.domain.publiclog.leaves import LeafType
from jara.files.publiclog.bundle import bundle_pieces
from jara.services.books.posting import fund_balances
from jara.services.books.verification import verify_books
from jara.services.proposals.views import tally_vote
from jara.services.publiclog.proofs import bundle_contents
from jara.store.unit_of_work import UnitOfWork
from tests.system.money_model import MoneyModel
from tests.system.provider_worlds import SandboxWorld, World
from tests.system.vote_model import VoteModel

GRACE = timedelta(days=14)
_BY_ITSELF = {EntryKind.COMMITMENT, EntryKind.RELEASE, EntryKind.PAYOUT_ARRIVED}
"""Entries that move money between the organisation's accounts or within {projects, committed}."""

Item = TypeVar("Item")


@dataclass
class Person:
    """A person who joined or tries to."""

    email: str
    id: str = ""
    key: str = ""
    secret: str | None = None
    """The client secret of the open confirmation."""
    ran: bool = False
    """Whether the pledge was ever active: then only leaving ends the account."""


@dataclass
class Expected:
    """The expected results of the machine's own acts."""

    people: dict[str, Person] = field(default_factory=dict)
    """By email: accounts, and interrupted registrations."""
    gone: set[str] = field(default_factory=set)
    """The ids of former members."""
    entries: set[int] = field(default_factory=set)
    """Log indexes of entries that operators posted."""
    assets_cents: int = 0
    """The money that operators booked, in and out, besides the provider."""


class SystemBase(RuleBasedStateMachine):
    """The real services with a real database and a provider, and a model of dictionaries."""

    world_type: ClassVar[type[World]] = SandboxWorld

    def __init__(self) -> None:
        """Create the organisation."""
        super().__init__()
        self.world = self.open_world()
        self.money, self.voting, self.expected = MoneyModel(), VoteModel(), Expected()
        self.dice = random.Random(2026)
        self.number = 0
        self.size = 0
        self.heads: list[tuple[int, bytes]] = []
        self.reversed_net = 0

    def open_world(self) -> World:
        """Create the organisation of one history."""
        return self.world_type()

    @property
    def context(self) -> Any:
        """The context of the services."""
        return self.world.context

    def next_number(self) -> int:
        """Return a number for a unique name."""
        self.number += 1
        return self.number

    @property
    def members(self) -> list[Person]:
        """Members with an account, in order of joining."""
        return [person for person in self.expected.people.values() if person.id]

    @invariant()
    def everything_holds(self) -> None:
        """Update the model and compare it, then run Jara's own checks."""
        self.money.look_at(self.world.rows())
        chargeable = list(self.world.running())
        with self.context.store.read() as work:
            self._meet_people(work)
            self._follow_the_log(work)
            self._compare_money(work)
            self._compare_people(work, chargeable)
            self._compare_log(work)
        for name in self.voting.votes:
            self._compare_vote(name)
        assert verify_books(self.context).findings == ()

    def teardown(self) -> None:
        """Run the daily run once more; verify the bundle against an older note."""
        try:
            if self.size:
                self.require_daily()
                self.everything_holds()
                self._verify_as_a_stranger()
        finally:
            self.world.close()

    def require_daily(self) -> None:
        """Run the daily run; every step must succeed, and the provider must agree."""
        results = self.world.run_daily()
        bad = {result.step: result.message for result in results if not result.ok}
        if self.reversed_net:
            bad.pop("reconcile", None)  # the books deny a movement that the provider reports
        assert not bad, bad

    def electors(self, work: UnitOfWork) -> set[str]:
        """Return today's changemakers, from the pledges and the model's own payments."""
        now = self.world.clock.now()
        return {
            person.id
            for person in self.members
            if self._stands(work.pledges.get(person.id)) and self.money.gives_vote(person.id, now)
        }

    def _stands(self, pledge: Pledge | None) -> bool:
        if pledge is None:
            return False
        if pledge.state is PledgeState.PAST_DUE:
            assert pledge.past_due_since is not None
            return bool(self.world.clock.now() - pledge.past_due_since <= GRACE)
        return pledge.state is PledgeState.ACTIVE

    def _meet_people(self, work: UnitOfWork) -> None:
        """Add accounts that the daily run completed, and remove those that it ended."""
        found = {member.email: member for member in work.members.all()}
        for email, member in found.items():
            person = self.expected.people[email]  # otherwise there is a person who never joined
            assert person.id in {"", member.id}
            person.id, person.key = member.id, member.key
        for person in self.members:
            if person.email not in found:
                assert not person.ran, f"{person.email} is gone without having left"
                self.forget(person)
            else:
                pledge = work.pledges.get(person.id)
                assert pledge is not None
                person.ran |= pledge.state in RUNNING

    def forget(self, person: Person) -> None:
        """Record that a person has left for good."""
        self.expected.gone.add(person.id)
        del self.expected.people[person.email]

    def _follow_the_log(self, work: UnitOfWork) -> None:
        for leaf in work.log.leaves(self.size):
            if leaf.type == LeafType.ENTRY:
                self._follow_entry(work, leaf.index)
            elif leaf.type == LeafType.PROPOSAL_CLOSE:
                name = read_leaf(leaf.body)["proposal"]
                opened_at = work.proposals.find(name).opened_at
                assert opened_at is not None
                gave = partial(self.money.gives_vote, at=opened_at)
                self.voting.votes[name].close(self.electors(work), gave)
        self.size = work.log.size()

    def _follow_entry(self, work: UnitOfWork, index: int) -> None:
        entry = work.journal.get(index).entry
        if entry.external_id in self.money.rows:
            row = self.money.rows[str(entry.external_id)]
            known = {person.id: person for person in self.members}
            person = known.get(row.member_id or "")
            if person is not None and row.charge_id in {None, row.source_id}:
                assert entry.member_key == person.key
            # An interrupted registration has a key already; a former member has none.
            is_gone = row.member_id in self.expected.gone
            self.money.book(str(entry.external_id), None if is_gone else row.member_id)
        else:
            assert entry.kind in _BY_ITSELF or index in self.expected.entries, entry

    def _compare_money(self, work: UnitOfWork) -> None:
        """Compare money per fund, per account of income and fees, and in total."""
        held = fund_balances(work)
        real = {str(fund): cents for fund, cents in held.items()}
        real["projects"] += real.pop("committed")
        assert real == {fund: self.money.funds[fund] for fund in real}
        cells: dict[str, int] = {}
        for row in work.journal.balances():
            cells[row.account] = cells.get(row.account, 0) + row.cents
        for account in ("income:pledges", "income:gifts", "expenses:fees"):
            assert cells.get(account, 0) == self.money.accounts[account], account
        nets = [self.money.rows[txn] for txn in self.money.booked]
        assert cells.get("assets:stripe", 0) == sum(row.net for row in nets) - self.reversed_net
        earned = sum(row.net for row in nets if row.category != "payout")
        assets = sum(cents for name, cents in cells.items() if name.startswith("assets:"))
        assert assets == earned + self.expected.assets_cents
        for record in work.commitments.all():
            one = record.commitment
            assert self.money.paid_out[one.proposal] == one.paid
            assert one.held >= 0
            assert one.held + one.paid + one.released <= one.goal

    def _compare_people(self, work: UnitOfWork, chargeable: list[tuple[str, str]]) -> None:
        """Nobody is charged twice, or without an account or a registration."""
        running: dict[str, str] = {}
        for member_id, subscription in chargeable:
            assert member_id not in running, f"{member_id} would be charged twice"
            running[member_id] = subscription
            pledge = work.pledges.get(member_id)
            pending = work.registrations.by_member(member_id)
            assert pledge is not None or pending is not None, f"{member_id} has no account"
            assert member_id not in self.expected.gone
        for person in self.members:
            mine = {p.source_id for p in work.payments.of_member(person.key)}
            theirs = {c for c, paid in self.money.payments.items() if paid.member == person.id}
            assert mine == theirs
        assert not self.expected.gone & {member.id for member in work.members.all()}

    def _compare_log(self, work: UnitOfWork) -> None:
        """The log keeps everything that it contained."""
        for size, root in self.heads[-3:]:
            assert work.log.root(size) == root
        self.heads.append((self.size, work.log.root()))
        cast = sum(1 for _ in work.log.leaves_of(LeafType.BALLOT))
        results = [vote.result for vote in self.voting.votes.values() if vote.result]
        assert cast == sum(yes + no for yes, no, _void, _roll in results)

    def _compare_vote(self, name: str) -> None:
        vote = self.voting.votes[name]
        if vote.withdrawn:
            return
        shown = tally_vote(self.context, name)
        with self.context.store.read() as work:
            electors = self.electors(work)
            status = work.proposals.find(name).proposal.status
        told = (shown["yes"], shown["no"], shown["void"], shown["roll"])
        assert vote.count(electors) == told, (name, electors, vote)
        decided = "rejected" if vote.result and not vote.passed else "passed"
        assert status in ({"open"} if vote.is_open else {decided, "funded"}), name

    def _verify_as_a_stranger(self) -> None:
        folder = Path(self.world._folder.name)  # type: ignore[attr-defined] # both worlds have it
        bundle, kept = folder / "bundle.tar", folder / "kept.txt"
        with self.context.store.read() as work, bundle.open("wb") as out:
            contents = bundle_contents(self.context, work, whole=True)
            out.writelines(bundle_pieces(contents))
            kept.write_text(contents.checkpoints[0], encoding="utf-8")
        with redirect_stdout(StringIO()) as told:
            status = jara_verify.main([str(bundle), "--since", str(kept)])
        assert status == 0, told.getvalue()


def pick(items: list[Item], number: int) -> Item:
    """Return one of several items by a number of any size."""
    return items[number % len(items)]
