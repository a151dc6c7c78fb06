"""The money trace: what a member's money paid for, and who paid for a project."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Document, Json
from jara.domain.books.account import PROJECTS, Fund, is_below, project_slug
from jara.domain.books.foreign import (
    PUBLIC_AMOUNT,
    ForeignAmount,
    ForeignSum,
    public_amount,
    sum_foreign,
)
from jara.domain.books.journal import Foreign, PostedEntry
from jara.domain.books.trace import Payers, Traced, build_trace, payers_of_entry, trace_of_member
from jara.domain.books.trace_rows import Pool, TraceRows, pool_of
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import beginning_with, choose_one
from jara.domain.reports.statement import TracePayment
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

At = int | datetime | None
"""A state of the books: by log size, by time, or None for the newest."""


class TracedFund(NamedTuple):
    """The use of a member's money in one fund, in cents."""

    received_cents: int
    refunded_cents: int
    waiting_cents: int
    paid: tuple[TracePayment, ...]


class MemberTrace(NamedTuple):
    """The use of a member's money: traced + waiting + refunded = received."""

    member: str
    funds: Mapping[Pool, TracedFund]

    @property
    def received_cents(self) -> Annotated[int, Json(after="member")]:
        """The amount received, over all funds."""
        return sum(fund.received_cents for fund in self.funds.values())

    @property
    def refunded_cents(self) -> Annotated[int, Json(after="received_cents")]:
        """The amount refunded, over all funds."""
        return sum(fund.refunded_cents for fund in self.funds.values())


class TracedPayment(NamedTuple):
    """A payment to a project, and the contributors whose money it was."""

    entry: str
    day: Annotated[date, Json("date")]
    cents: int
    payers: int
    uncovered_cents: int
    foreign: Annotated[Foreign | None, HIDDEN] = None

    @property
    def abroad(self) -> Annotated[ForeignAmount | None, PUBLIC_AMOUNT]:
        """The public form of the amount in another currency."""
        return public_amount(self.foreign, self.cents)


def _list_payers(payers: Mapping[str | None, int]) -> list[Document]:
    return [{"member": key, "cents": cents} for key, cents in payers.items()]


class ProjectTrace(NamedTuple):
    """Who paid for a project; the key None stands for money without a payer."""

    project: str
    payments: tuple[TracedPayment, ...]
    payers: Annotated[Mapping[str | None, int], Json(write=_list_payers)]

    @property
    def paid_cents(self) -> Annotated[int, Json(after="project")]:
        """The amount paid to the project, less returns."""
        return sum(payment.cents for payment in self.payments)

    @property
    def paid_abroad(
        self,
    ) -> Annotated[
        tuple[ForeignSum, ...],
        Json(after="paid_cents", is_optional=True, write=lambda sums: sums or None),
    ]:
        """The amounts paid in other currencies, by currency."""
        return sum_foreign((payment.foreign, payment.cents) for payment in self.payments)


def trace_member(context: Context, text: str, *, at: At = None) -> MemberTrace:
    """Trace the money of a member, by id or email, or of a contributor's key in the books.

    Raises:
        NotFound: there is no such member or key.
    """
    with context.store.read() as work:
        rows = trace_rows(work, log_size_at(work, at))
        key, name = _contributor(work, rows, text)
        traced = trace_of_member(rows, key)
        indexes = {index for fund in traced.values() for index, _ in fund.paid}
        entries = work.journal.many(sorted(indexes))
    funds = {pool: _traced_fund(pool, fund, entries) for pool, fund in traced.items()}
    return MemberTrace(name, funds)


def trace_project(context: Context, slug: str, *, at: At = None) -> ProjectTrace:
    """Trace who paid for a project, given a unique prefix of its slug or title.

    Raises:
        NotFound: nothing was paid to it.
        Conflict: several projects match.
    """
    with context.store.read() as work:
        account = _project_account(work, slug)
        slug = account.removeprefix(f"{PROJECTS}:")
        size = log_size_at(work, at)
        rows = trace_rows(work, size)
        lines = work.journal.register(account, first_day=None, last_day=None)
        spent = [line.posted for line in lines if size is None or line.posted.index < size]
        if not spent:
            raise NotFound(f"Nothing was paid to a project '{slug}'.")
        payments, payers = [], Counter[str | None]()
        for posted in spent:
            funding = payers_of_spending(rows, posted, account)
            for payer in funding.paid:
                payers[payer.member] += payer.cents
            payments.append(
                TracedPayment(
                    entry=posted.id,
                    day=posted.entry.day,
                    cents=spent_on(posted, account),
                    payers=len({payer.member for payer in funding.paid}),
                    uncovered_cents=funding.uncovered_cents,
                    foreign=posted.entry.foreign,
                )
            )
    return ProjectTrace(slug, tuple(payments), dict(payers.most_common()))


def payers_of_spending(rows: Mapping[Pool, TraceRows], posted: PostedEntry, account: str) -> Payers:
    """Return whose money an entry's spending on an account was."""
    return payers_of_entry(rows[_pool_of(posted, account)], posted.index)


def trace_rows(work: UnitOfWork, size: int | None) -> Mapping[Pool, TraceRows]:
    """Return the trace of each pool at a log size; None for the whole log.

    The store keeps the trace of the whole log; an earlier one is built in memory.
    """
    if size is None:
        return {pool: work.trace.pool(pool) for pool in Pool}
    earlier = (
        (posted.index, posted.entry)
        for posted in work.journal.in_log_order()
        if posted.index < size
    )
    return {**build_trace(earlier)}


def log_size_at(work: UnitOfWork, at: At) -> int | None:
    """Return the log size of a state of the books; None for the newest.

    Raises:
        InvalidInput: the log never had that size.
    """
    if at is None:
        return None
    if isinstance(at, datetime):
        return work.reporting.size_at(at)
    newest = work.log.size()
    if not 1 <= at <= newest:
        raise InvalidInput(f"The log has {newest} leaves; {at} is not a size it had.")
    return None if at == newest else at


def _project_account(work: UnitOfWork, text: str) -> str:
    """Return the account of the paid project with a prefix of its slug or title."""
    paid = {slug for row in work.journal.balances() if (slug := project_slug(row.account))}
    titles = {item.slug: str(item.doc["title"]) for item in work.content.all("projects")}
    names = {slug: (slug, titles.get(slug, slug)) for slug in sorted(paid)}
    slug = choose_one(
        text,
        beginning_with(text, names, lambda slug: names[slug]),
        kinds="projects",
        label=str,
        missing=f"Nothing was paid to a project '{text}'; see `jara projects list`.",
        names=lambda slug: (slug,),
    )
    return f"{PROJECTS}:{slug}"


def _contributor(work: UnitOfWork, rows: Mapping[Pool, TraceRows], text: str) -> tuple[str, str]:
    if text and any(pool.lots_of_member(text) for pool in rows.values()):
        return text, text
    member = work.members.find(text)
    return member.key, member.id


def _traced_fund(pool: Pool, traced: Traced, entries: Mapping[int, PostedEntry]) -> TracedFund:
    return TracedFund(
        received_cents=traced.received_cents,
        refunded_cents=traced.refunded_cents,
        waiting_cents=traced.waiting_cents,
        paid=tuple(trace_payment(pool, entries[index], cents) for index, cents in traced.paid),
    )


def trace_payment(
    pool: Pool, posted: PostedEntry, cents: int, name: Callable[[str], str | None] = project_slug
) -> TracePayment:
    """Return the part of an entry that some money in a pool paid, named by its account."""
    account = spending_account(posted, pool)
    return TracePayment(
        account,
        name(account),
        posted.id,
        posted.entry.day,
        cents,
        whole_cents=spent_on(posted, account),
        foreign=posted.entry.foreign,
    )


def spent_on(posted: PostedEntry, account: str) -> int:
    """Return an entry's spending on an account and those below it, over all funds."""
    return sum(p.cents for p in posted.entry.postings if is_below(p.account, account))


def spending_account(posted: PostedEntry, pool: Pool) -> str:
    """Return the account an entry spent the pool's money on: its largest debit.

    Assets and liabilities are ignored. Of equal debits, the last account in alphabetical order
    is returned, so that every report agrees.
    """
    spent = [
        posting
        for posting in posted.entry.postings
        if pool_of(posting.fund) is pool
        and not posting.account.startswith(("assets:", "liabilities:"))
    ]
    return max(spent, key=lambda posting: (posting.cents, posting.account)).account


def _pool_of(posted: PostedEntry, account: str) -> Pool:
    funds: list[Fund] = [p.fund for p in posted.entry.postings if is_below(p.account, account)]
    return pool_of(funds[0])
