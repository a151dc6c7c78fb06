"""What left the organisation, who asked for it, and who signed."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from jara.domain.books.account import TRANSFERS, AccountType, account_type
from jara.domain.books.journal import EntryKind, PostedEntry
from jara.domain.checks.log import read_leaf
from jara.domain.control.state import Control
from jara.domain.control.statement import digest_of
from jara.domain.publiclog.leaves import salt_at
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.spending import SignedPayment, SpendingReport, sum_alone, sum_by_payee
from jara.domain.texts import tr
from jara.records.operations import Approval, AuditRow
from jara.services.approvals import APPROVED, CARRYING_OUT, INTERRUPTED_AFTER, SALT
from jara.services.authority import read_control
from jara.services.books.bookkeeping import RETURN_ACTION, REVERSE_ACTION
from jara.services.books.imports import FIRST, NEXT
from jara.services.books.outflows import ALONE, PAYER, REFUND_ACTION, Outflows, Span
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.facts import Payees, ReportCut, make_cut, read_payees
from jara.store.unit_of_work import UnitOfWork


def spending_report(
    context: Context, period: ReportPeriod, at: At = None, *, by_signers: bool = False
) -> SpendingReport:
    """Report what left in a period, by payee; by signers, with each payment and its people.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        cut = make_cut(work, period, at, today=context.today(), language=context.language)
        identity = read_identity(context, work)
        payments: Iterable[SignedPayment] = _payments(context, work, cut)
        if by_signers:
            payments = sorted(payments, key=lambda one: (one.day, one.entry))
        payees = sum_by_payee(payments)
        return SpendingReport(
            organisation=identity.name,
            imprint=identity.imprint,
            period=cut.period,
            books=cut.books,
            cents=sum(one.cents for one in payees),
            alone_cents=sum(one.alone_cents for one in payees),
            payees=payees,
            alone=sum_alone(payments) if by_signers else (),
            payments=tuple(payments) if by_signers else (),
        )


def _payments(context: Context, work: UnitOfWork, cut: ReportCut) -> Iterator[SignedPayment]:
    payees, outflows = read_payees(work, cut, is_public=False), Outflows(context, work)
    span = Span(cut.period.first, cut.period.end)
    flows = (
        (posted, flow)
        for posted, flow in outflows.flows_of(span)
        if flow.cents and (cut.size is None or posted.index < cut.size)
    )
    while piece := list(islice(flows, _AT_ONCE)):
        people = ActPeople(context, work, [posted for posted, _ in piece])
        notes = work.journal.notes_of([posted.index for posted, _ in piece])
        for posted, flow in piece:
            asked, signed = people.of(posted)
            for account, cents in flow.paid.items():
                yield SignedPayment(
                    day=flow.day,
                    entry=posted.id,
                    account=account,
                    payee=_title(payees, account),
                    cents=cents,
                    asked_by=asked,
                    signed_by=signed,
                    why=notes.get(posted.index) or people.reason_of(posted),
                )
    yield from _card_refunds(work, cut, ActPeople(context, work, []))


_AT_ONCE = 5_000
"""Entries whose people are looked up together, so that memory does not grow with a year."""


def _card_refunds(work: UnitOfWork, cut: ReportCut, people: "ActPeople") -> Iterator[SignedPayment]:
    """Yield the refunds that an operator had the payment provider pay."""
    for row in _made_refunds(work):
        day = work.zone.day_of(row.at)
        if row.at > cut.instant or day < cut.period.first:
            continue
        approval = None if row.after[ALONE] else people.approval_of_refund(row)
        asked, signed = (row.operator, ()) if approval is None else people.signers(approval)
        yield SignedPayment(
            day=day,
            entry=row.subject,
            account=_REFUNDS,
            payee=_REFUNDED,
            cents=int(row.after["cents"]),
            asked_by=asked,
            signed_by=signed,
            why=row.why,
        )


def _made_refunds(work: UnitOfWork) -> list[AuditRow]:
    """Return the acts that gave money back by card, without attempts that the provider refused.

    The last attempts of a charge count, as far as the books have money given back of it.
    """
    acts = [one for one in work.operations.audit(action=REFUND_ACTION) if PAYER in one.after]
    payments = work.payments.by_source({one.subject for one in acts})
    left = {charge: payment.returned_cents for charge, payment in payments.items()}
    made = []
    for one in reversed(acts):
        cents = int(one.after["cents"])
        if left.get(one.subject, 0) >= cents:
            left[one.subject] -= cents
            made.append(one)
    return made[::-1]


_REFUNDS, _REFUNDED = AccountType.INCOME.value, tr("Refunds to members")
"""The account and the title of what members get back."""
_UNDOING = frozenset({REVERSE_ACTION, RETURN_ACTION})
"""Acts whose subject is an earlier entry."""


def _title(payees: Payees, account: str) -> str:
    if account == TRANSFERS:
        return tr("Other funds")
    if account_type(account) is AccountType.INCOME:
        return _REFUNDED
    return payees.title_of(account)


class EntrySigners(NamedTuple):
    """Who asked for an entry, who else signed, and the approval; empty where there is none."""

    asked_by: str
    signed_by: tuple[str, ...]
    approval: str


class ActPeople:
    """Who asked for an entry, and who else signed, from approvals and the audit log."""

    def __init__(self, context: Context, work: UnitOfWork, entries: list[PostedEntry]) -> None:
        self._work = work
        control = read_control(context, work)
        done = [
            one
            for one in work.operations.approvals(waiting_only=False)
            if one.state in {APPROVED, CARRYING_OUT} and SALT in one.payload
        ]
        self._approvals = done
        self._by_entry = _by_leaf(work, control, done) | _by_salt(work, entries, done)
        self._rows = work.operations.audit()
        self._times = [row.at for row in self._rows]
        self._by_id: dict[str, AuditRow] = {}
        self._ranges: list[tuple[range, AuditRow]] = []
        for row in self._rows:
            if row.action not in _UNDOING:
                for name in (row.subject, *str(row.after.get("entry", "")).split(", ")):
                    self._by_id.setdefault(name, row)
            if FIRST in row.after:
                self._ranges.append((range(int(row.after[FIRST]), int(row.after[NEXT])), row))

    def of(self, posted: PostedEntry) -> tuple[str, tuple[str, ...]]:
        """Return who asked for an entry, and the others who signed."""
        approval = self.approval_of(posted)
        if approval is not None:
            return self.signers(approval)
        row = self._row(posted)
        return ("" if row is None else row.operator), ()

    def signers_of(self, posted: PostedEntry) -> EntrySigners:
        """Return the same with the approval, and nobody where no act names the entry."""
        approval, act = self.approval_of(posted), self.act_of(posted)
        if approval is not None:
            return EntrySigners(*self.signers(approval), approval.id)
        return EntrySigners("" if act is None else act.operator, (), "")

    def approval_of(self, posted: PostedEntry) -> Approval | None:
        """Return the approval of an entry."""
        return self._by_entry.get(posted.index)

    def act_of(self, posted: PostedEntry) -> AuditRow | None:
        """Return the act that names an entry or its import."""
        found = (act for indexes, act in self._ranges if posted.index in indexes)
        return next(found, None) or self._by_id.get(posted.id)

    def reason_of(self, posted: PostedEntry) -> str:
        """Return the reason of the act that posted an entry."""
        approval = self.approval_of(posted)
        row = self._row(posted)
        return approval.why if approval is not None else "" if row is None else row.why

    def signers(self, approval: Approval) -> tuple[str, tuple[str, ...]]:
        """Return who asked for an approved act, and the others who signed."""
        signed = [one.operator for one in self._work.operations.signed_for(approval.id)]
        names = dict.fromkeys([*signed, *filter(None, [approval.decided_by])])
        names.pop(approval.prepared_by, None)
        return approval.prepared_by, tuple(names)

    def approval_of_refund(self, row: AuditRow) -> Approval | None:
        """Return the approval of a refund by card."""
        fitting = (
            one
            for one in self._approvals
            if one.action == REFUND_ACTION
            and one.payload.get("charge") == row.subject
            and one.decided_at is not None
            and one.decided_at <= row.at
        )
        return max(fitting, key=lambda one: one.decided_at or row.at, default=None)

    def _row(self, posted: PostedEntry) -> AuditRow | None:
        """Return the act that names the entry, or the first one that was recorded after it."""
        row = self.act_of(posted)
        place = bisect_left(self._times, posted.booked_at)
        return self._rows[place] if row is None and place < len(self._rows) else row


def signers_of_entry(context: Context, text: str) -> EntrySigners:
    """Return who asked for an entry and who signed it.

    Raises:
        NotFound: there is no such entry.
    """
    with context.store.read() as work:
        posted = work.journal.find(text)
        return ActPeople(context, work, [posted]).signers_of(posted)


def entries_of_approvals(
    context: Context, work: UnitOfWork, approvals: Iterable[Approval]
) -> dict[str, list[PostedEntry]]:
    """Return the entries that came of approvals, by the id of the approval.

    An entry is booked in the transaction of its approval, or soon after it at the provider.
    """
    times = [one.decided_at for one in approvals if one.decided_at and one.state == APPROVED]
    if not times:
        return {}
    booked = work.journal.booked_since(min(times) - _CLOCK, kinds=tuple(EntryKind))
    near = [
        one
        for one in booked
        if any(at - _CLOCK <= one.booked_at <= at + INTERRUPTED_AFTER for at in times)
    ]
    people, found = ActPeople(context, work, near), dict[str, list[PostedEntry]]()
    for one in near:
        approval = people.approval_of(one)
        if approval is not None:
            found.setdefault(approval.id, []).append(one)
    return found


_CLOCK = timedelta(seconds=1)


def _by_leaf(work: UnitOfWork, control: Control, done: list[Approval]) -> dict[int, Approval]:
    """Return the approval of each entry whose approval is in the log."""
    by_act = {digest_of(one.id, one.action, one.payload, control.organisation): one for one in done}
    return {
        entry: approval
        for index, entries in control.approved.items()
        if (approval := by_act.get(str(read_leaf(work.log.leaf(index).body)["act"])))
        for entry in work.journal.next_indexes(index, entries)
    }


def _by_salt(
    work: UnitOfWork, entries: list[PostedEntry], done: list[Approval]
) -> dict[int, Approval]:
    """Return the approval of each entry by the salt of its leaf, which the approval holds.

    While no key is enrolled, no leaf names the approval.
    """
    salts = {
        read_leaf(work.log.leaf(posted.index).body).get("salt"): posted.index for posted in entries
    }
    found: dict[int, Approval] = {}
    for approval in done:
        salt, number = bytes.fromhex(approval.payload[SALT]), 0
        # The first is a payment; its bank charge may be asked for without it.
        while (index := salts.get(salt_at(salt, number).hex())) is not None or number == 0:
            if index is not None:
                found[index] = approval
            number += 1
    return found
