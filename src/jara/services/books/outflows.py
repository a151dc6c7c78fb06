"""The money that goes out, counted against the limits of what one person may do alone.

Every way into the books passes here: `Books.post` asks `require_small` of each entry that nobody
else signed, and a use case whose act may wait asks `ask_approval` before it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from jara.domain.books.account import TRANSFERS, AccountType
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry
from jara.domain.books.outflow import FIRST_ACCOUNTS, Outflow, outflow_of, received
from jara.domain.control.effects import Touch
from jara.domain.control.state import Outlay
from jara.domain.control.statement import spends_hash
from jara.domain.dates import month_of
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof, PaymentWay
from jara.domain.giving.pledge import counted_cents
from jara.domain.giving.standing import PledgePayment, loses_months
from jara.domain.money import format_cents
from jara.records.journal import EntryQuery
from jara.records.operations import Approval
from jara.records.payments import PaymentRecord
from jara.services.approvals import require_approval
from jara.services.authority import limits_in_force, read_control, touches_voters
from jara.services.books.imports import FIRST, FROM_PROVIDER, IMPORT_ACTION, NEXT
from jara.services.books.plans import OVER_PLAN, over_plan
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

REFUND_ACTION = "pledges.refund"
RELEASE_ACTION = "proposals.release"
PAYER, NOT_HELD, ALONE = "payer", "notHeldCents", "alone"
"""Keys of the audit rows of acts that count without an entry: who gets a refund that the provider
pays, and books later; what is released of a goal before it is held; whether nobody else signed."""

_PAYING = tuple(kind for kind in EntryKind if kind not in {EntryKind.PLEDGE, EntryKind.GIFT})
"""The kinds that may take money out; of a million entries, most are payments of members."""


class NeedsApproval(Conflict):
    """An entry takes out so much that another operator has to sign it."""

    code = "needs_approval"


class VoteTaken(NeedsApproval):
    """An entry takes a vote while one is open, so another operator has to sign it."""


class Span(NamedTuple):
    """A day or a calendar month whose outflow is added up."""

    first: date
    last: date
    is_posting: bool = False
    """Whether the entries count that were posted in it, whatever their days are."""


class Outflows:
    """What goes out in one transaction; the sums of a day or month are read on first use."""

    def __init__(self, context: Context, work: UnitOfWork) -> None:
        """Read the limits and our own accounts."""
        control = read_control(context, work)
        self.limits = limits_in_force(context, control)
        self._own = FIRST_ACCOUNTS if control.own is None else control.own
        self._work, self._context = work, context
        self._today = context.today()
        self._control = control
        self._sums: dict[Span, Counter[str]] = {}
        self._imported: list[range] | None = None

    def require_small(self, entry: JournalEntry) -> None:
        """Require that one person alone may post an entry.

        Raises:
            NeedsApproval: with it, one of the limits is reached.
        """
        if not self.limits.is_set:
            return
        outlay = self.outlay([self.of(entry)])
        if reached := self.limits.reached(outlay):
            raise NeedsApproval(
                f"It spends {format_cents(outlay.cents)}, which needs another operator's approval: "
                f"{reached}."
            )

    def require_vote_kept(self, payment: PaymentRecord, cents: int) -> None:
        """Require that one person alone may take back so much of a payment, in whatever way.

        Raises:
            VoteTaken: the payment then gives no vote any more, and a vote is open.
        """
        voters = touches_with_vote(self._context, self._work, payment, cents)
        if self.limits.is_set and Touch.VOTERS in voters:
            raise VoteTaken(
                "It takes a member's vote while a vote is open, which needs another operator's "
                "approval: `jara payments returned`."
            )

    def outlay(self, flows: Iterable[Outflow]) -> Outlay:
        """Return what some entries take out together, with the sums of their days."""
        flows = [flow for flow in flows if flow.cents]
        cents = sum(flow.cents for flow in flows)
        if not cents or not self.limits.is_set:
            return Outlay(cents)
        own: dict[Span, Counter[str]] = {}
        for flow in flows:
            for span in (*self._days(flow), *self._months(flow)):
                _add(own.setdefault(span, Counter()), flow, counts=True)
        days = {span for flow in flows for span in self._days(flow)}
        payees = [
            own[day][payee] + self._of(day)[payee] for day in days for payee in own[day] if payee
        ]
        totals = {span: sums[_ALL] + self._of(span)[_ALL] for span, sums in own.items()}
        return Outlay(
            cents,
            max(payees),
            max(totals[day] for day in days),
            max((total for span, total in totals.items() if span not in days), default=0),
            tuple(sorted({name for one in flows for name in one.paid if name.startswith(_ASSETS)})),
        )

    def _days(self, flow: Outflow) -> tuple[Span, Span]:
        """Return the day of an entry, and today, on which it is posted."""
        return Span(flow.day, flow.day), Span(self._today, self._today, is_posting=True)

    def _months(self, flow: Outflow) -> tuple[Span, ...]:
        """Return the same for months, if they have a limit."""
        if self.limits.month_limit_cents is None:
            return ()
        return Span(*month_of(flow.day)), Span(*month_of(self._today), is_posting=True)

    def binding(self, entries: Sequence[JournalEntry]) -> Callable[[bytes], Mapping[str, Any]]:
        """Return what makes the fields by which an approval names its entries, if there are any.

        It takes the salt of the first entry.
        """
        gets = received(entries, by_fund=self._control.names_funds)
        several = {"entries": len(entries)} if len(entries) > 1 else {}
        return lambda salt: {"spends": spends_hash(gets, salt), **several} if entries else {}

    def of(self, entry: JournalEntry) -> Outflow:
        """Return what an entry takes out that did not come from the provider itself."""
        return outflow_of(entry, self._own, is_of_provider=False)

    def add(self, entry: JournalEntry, *, is_approved: bool) -> None:
        """Count an entry that was posted now."""
        flow = self.of(entry)
        for span in (*self._days(flow), *self._months(flow)):
            if span in self._sums:
                _add(self._sums[span], flow, counts=not is_approved)

    def _of(self, span: Span) -> Counter[str]:
        """Return the sums of a day or month by payee, and over all."""
        if span not in self._sums:
            sums = self._sums[span] = Counter()
            for posted, flow in self.flows_of(span):
                _add(sums, flow, counts=posted.index not in self._approved)
            if span.first <= self._today <= span.last:
                self._add_others(sums, span.first)
        return self._sums[span]

    def flows_of(self, span: Span) -> Iterator[tuple[PostedEntry, Outflow]]:
        """Return what each entry of a span takes out; of members' payments nothing."""
        for posted in self._entries_of(span):
            is_file = any(posted.index in indexes for indexes in self._files())
            yield posted, outflow_of(posted.entry, self._own, is_of_provider=not is_file)

    @cached_property
    def _approved(self) -> frozenset[int]:
        """The log indexes of the entries that other people signed."""
        indexes: list[int] = []
        for index, count in self._control.approved.items():
            indexes += [index + 1] if count == 1 else self._work.journal.next_indexes(index, count)
        return frozenset(indexes)

    def _entries_of(self, span: Span) -> Iterable[PostedEntry]:
        journal = self._work.journal
        if span.is_posting:
            return journal.booked_since(self._work.zone.start_of(span.first), kinds=_PAYING)
        query = EntryQuery(first_day=span.first, last_day=span.last, kinds=_PAYING)
        return journal.entries(query)

    def _add_others(self, sums: Counter[str], first: date) -> None:
        """Add acts without an entry since a day: refunds by card, releases of what is not held."""
        start = self._work.zone.start_of(first)
        for action in (REFUND_ACTION, RELEASE_ACTION):
            for row in self._work.operations.audit(action=action):
                if row.at < start or ALONE not in row.after:
                    continue
                if action == RELEASE_ACTION:
                    flow = release_of(self._today, int(row.after[NOT_HELD]))
                else:
                    flow = refund_of(self._today, row.after[PAYER], int(row.after["cents"]))
                _add(sums, flow, counts=bool(row.after[ALONE]))

    def _files(self) -> list[range]:
        """Return the ranges of the log with movements from files of the provider."""
        if self._imported is None:
            rows = self._work.operations.audit(action=IMPORT_ACTION)
            self._imported = [
                range(int(row.after[FIRST]), int(row.after[NEXT]))
                for row in rows
                if row.subject == FROM_PROVIDER and FIRST in row.after
            ]
        return self._imported


def touches_with_vote(
    context: Context, work: UnitOfWork, payment: PaymentRecord | None, cents: int
) -> list[Touch]:
    """Return what an act touches that gives so much of a payment back; it may take a vote."""
    takes = payment is not None and _takes_vote(context, work, payment, cents)
    return [Touch.OUTLAY, Touch.PURPOSE, *([Touch.VOTERS] if takes else [])]


def _takes_vote(context: Context, work: UnitOfWork, payment: PaymentRecord, cents: int) -> bool:
    """Return whether, while a vote is open, so much less of a payment covers fewer months."""
    key, left = payment.member_key or "", payment.cents - payment.returned_cents
    is_counted = payment.kind == EntryKind.PLEDGE and payment.proof is not PaymentProof.NONE
    if not (is_counted and touches_voters(context, work, work.members.by_key(key))):
        return False
    if payment.way == PaymentWay.CARD:
        giving = work.payments.giving_votes([key]).get(key)
        is_giving = giving is not None and giving.index == payment.index
        return is_giving and left - cents < counted_cents(None)
    booked_at = work.journal.get(payment.index).booked_at
    made = PledgePayment(key, payment.day, payment.way, payment.cents, left, booked_at)
    return loses_months(made, cents, work.pledges.changes_of(key), context.zone)


def ask_approval(
    context: Context,
    work: UnitOfWork,
    entries: Sequence[JournalEntry],
    *,
    action: str,
    payload: Mapping[str, Any],
    why: str,
    touches: Sequence[Touch] = (),
) -> Approval | None:
    """Return None if entries may be posted; otherwise the stored act, which waits for approval."""
    flows = Outflows(context, work)
    outlay = flows.outlay(map(flows.of, entries))
    over = over_plan(work, entries)
    return require_approval(
        context,
        work,
        action=action,
        payload={**payload, OVER_PLAN: [one._asdict() for one in over]} if over else payload,
        why=why,
        outlay=outlay,
        touches=touches,
        spends=flows.binding(entries),
    )


def refund_of(day: date, payer: str, cents: int) -> Outflow:
    """Return the outflow of a refund that the provider pays."""
    return Outflow(day, {f"{PAYER}:{payer}": cents})


def release_of(day: date, cents: int) -> Outflow:
    """Return what is released of a goal before it is held."""
    return Outflow(day, {TRANSFERS: cents})


_ALL = ""
_ASSETS = f"{AccountType.ASSETS}:"


def _add(sums: Counter[str], flow: Outflow, *, counts: bool) -> None:
    sums.update(flow.by_payee)
    if counts:
        sums[_ALL] += flow.cents
