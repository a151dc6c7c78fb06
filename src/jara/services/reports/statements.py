"""A member's statement: their payments and refunds in a period, and what the payments paid for."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import FEES, AccountType, account_type, is_below
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, total_of
from jara.domain.books.other_ways import is_returned
from jara.domain.books.trace_rows import Pool, pool_of
from jara.domain.giving.member import Member
from jara.domain.organisation import Identity
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.statement import Statement, StatementLine, StatementReturn
from jara.records.journal import EntryQuery
from jara.services.audit import record_act, require_operator
from jara.services.books.tracing import At
from jara.services.context import Context, Rules
from jara.services.notices.emails import queue_member_email
from jara.services.organisation import read_identity
from jara.services.reports.facts import Payees, ReportCut, make_cut, read_payees
from jara.services.reports.followed import trace_payments
from jara.store.unit_of_work import UnitOfWork

MAIL_ACTION = "report.mail"
_PAYMENTS = (EntryKind.PLEDGE.value, EntryKind.GIFT.value)


def member_statement(
    context: Context, member: str, period: ReportPeriod, at: At = None
) -> Statement:
    """Report a member's payments of a period, and to the cent what they paid for.

    `member` is an id, an email, or a unique prefix of an id or key; `at` is the state of the books,
    the newest by default.

    Raises:
        NotFound: there is no such member.
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        person = work.members.find(member)
        return write_statement(work, read_basis(context, work, period, at), person)


def whole_statement(context: Context, person: Member, at: At = None) -> Statement:
    """Report everything that a member ever gave, such as for the family after a death."""
    with context.store.read() as work:
        payments = work.payments.of_member(person.key)
        first = min((one.day for one in payments), default=context.zone.day_of(person.joined_at))
        period = ReportPeriod(first, max(context.today(), first))
        return write_statement(work, read_basis(context, work, period, at), person)


def all_statements(
    context: Context, period: ReportPeriod, at: At = None
) -> Iterator[tuple[Member, Statement]]:
    """Report as `member_statement` for each member who paid or got money back in a period.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        basis = read_basis(context, work, period, at)
        for person in work.members.all():
            statement = write_statement(work, basis, person)
            if statement.lines or statement.returns:
                yield person, statement


class MailedStatement(NamedTuple):
    """The email about a member's statement."""

    email: str  # the address, or the name of a member without one
    mailed: bool  # whether it was queued now; not if it was queued before, or there is no address


def mail_statements(
    context: Context, member: str | None, period: ReportPeriod
) -> list[MailedStatement]:
    """Queue the link to a statement for one member, or for all who have one, once per period.

    Members whose account is closed get none: the link needs it.

    Raises:
        NotFound: there is no such member.
        InvalidInput: the period has not begun.
    """
    if member is None:
        people = [person for person, _ in all_statements(context, period)]
    else:
        with context.store.read() as work:
            read_basis(context, work, period)  # a link to the statement would show an error
            people = [work.members.find(member)]
    values = {"first": period.first.isoformat(), "last": period.last.isoformat()}
    days = "/".join(values.values())
    with context.store.write() as work:
        require_operator(context, work, MAIL_ACTION)
        mailed = [
            MailedStatement(
                person.label,
                queue_member_email(
                    context,
                    work,
                    "statement",
                    person,
                    values=values,
                    once_key=statement_key(person.id, period),
                ),
            )
            for read in people
            if (person := work.members.get(read.id)) is not None and person.is_open
        ]
        facts = {"emails": sum(one.mailed for one in mailed)}
        record_act(context, work, MAIL_ACTION, days, facts=facts)
    return mailed


def statement_key(member_id: str, period: ReportPeriod) -> str:
    """Return the once-key of the email about a member's statement."""
    return f"statement:{member_id}:{period.first}/{period.last}"


class StatementBasis(NamedTuple):
    """What the statements of a period have in common."""

    cut: ReportCut
    payees: Payees
    identity: Identity
    rules: Rules


def read_basis(
    context: Context, work: UnitOfWork, period: ReportPeriod, at: At = None
) -> StatementBasis:
    """Return what the statements of a period have in common.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    cut = make_cut(work, period, at, today=context.today(), language=context.language)
    identity = read_identity(context, work)
    return StatementBasis(cut, read_payees(work, cut), identity, context.rules)


def write_statement(work: UnitOfWork, basis: StatementBasis, person: Member) -> Statement:
    """Return a member's statement."""
    cut, identity, rules = basis.cut, basis.identity, basis.rules
    payments = list(_payments(work, cut, person))
    first = cut.period.first
    lines = [one for one in payments if one.posted.entry.day >= first]
    earlier = [one.since(first) for one in payments if one.posted.entry.day < first]
    returns = [one for payment in (*lines, *earlier) for one in payment.returns]
    return Statement(
        organisation=identity.name,
        address=identity.address or rules.site_url,
        imprint=identity.imprint,
        site_url=rules.site_url,
        country=rules.countries.get(person.country, ""),
        member_name=f"{person.firstname} {person.lastname}",
        member_key=person.key,
        period=cut.period,
        books=cut.books,
        lines=tuple(map(_line, lines)),
        returns=tuple(_return(payment, one) for payment in earlier for one in payment.returns),
        trace=trace_payments(
            work,
            basis.payees,
            {payment.posted.index for payment in lines},
            size=cut.size,
            returned=_returned_by_pool(returns),
        ),
    )


class _Payment(NamedTuple):
    """A payment, and the entries up to the period's end that took it back."""

    posted: PostedEntry
    returns: tuple[PostedEntry, ...]

    def since(self, day: date) -> "_Payment":
        """Return the payment with what took it back on a day or later."""
        return self._replace(returns=tuple(one for one in self.returns if one.entry.day >= day))

    @property
    def returned_cents(self) -> int:
        return sum(total_of(one.entry, AccountType.INCOME) for one in self.returns)


def _payments(work: UnitOfWork, cut: ReportCut, person: Member) -> Iterator[_Payment]:
    """Yield the payments up to the period's end, without those that were undone in their period.

    A payment that is undone later stands in its own period, and its reversal in a later one.
    """
    query = EntryQuery(
        last_day=cut.period.end, kinds=_PAYMENTS, member_key=person.key, size=cut.size
    )
    payments = list(work.journal.entries(query))
    returns = work.reporting.returns([posted.index for posted in payments], cut.to_date)
    entries = work.journal.many(one.entry for one in returns)
    by_payment: defaultdict[int, list[PostedEntry]] = defaultdict(list)
    for one in returns:
        by_payment[one.payment].append(entries[one.entry])
    mistakes = {one.payment for one in returns if one.is_mistake}
    for posted in payments:
        if posted.index not in mistakes or posted.entry.day < cut.period.first:
            yield _Payment(posted, tuple(by_payment[posted.index]))


def _line(payment: _Payment) -> StatementLine:
    entry = payment.posted.entry
    fees = [p.cents for p in entry.postings if is_below(p.account, FEES)]
    return StatementLine(
        day=_day(entry),
        kind=entry.kind.value,
        reference=payment.posted.id,
        amount_cents=-total_of(entry, AccountType.INCOME),
        refunded_cents=payment.returned_cents,
        fee_cents=sum(fees) if fees else None,
    )


def _return(payment: _Payment, returned: PostedEntry) -> StatementReturn:
    return StatementReturn(
        day=_day(returned.entry),
        paid_on=_day(payment.posted.entry),
        kind=returned.entry.kind.value,
        reference=returned.id,
        cents=total_of(returned.entry, AccountType.INCOME),
        is_by_bank=is_returned(returned.entry),
    )


def _day(entry: JournalEntry) -> date:
    """Return the day of the movement, also if it is booked in the next open year."""
    return entry.true_day or entry.day


def _returned_by_pool(returns: Iterable[PostedEntry]) -> Counter[Pool]:
    """Return what some refunds gave back, by the pool that it came from."""
    returned = Counter[Pool]()
    for one in returns:
        for posting in one.entry.postings:
            if account_type(posting.account) is AccountType.INCOME:
                returned[pool_of(posting.fund)] += posting.cents
    return returned
