"""The operations of an entry on the trace of each pool."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from jara.domain.books.account import AccountType
from jara.domain.books.journal import EntryKind
from jara.domain.books.trace_rows import CONTRIBUTIONS, Nets, Pool

_INCOME = frozenset({CONTRIBUTIONS, str(AccountType.INCOME)})


class TracedEntry(Protocol):
    """The fields of an entry that the trace reads: a domain value, or checked rows."""

    @property
    def kind(self) -> str:
        """The kind."""
        ...

    @property
    def nets(self) -> Nets:
        """The net amounts in each pool."""
        ...

    @property
    def member_key(self) -> str | None:
        """The key of the contributor."""
        ...

    @property
    def reverses(self) -> int | None:
        """Log index of the entry it undoes."""
        ...

    @property
    def of(self) -> int | None:
        """Log index of the payment it is about."""
        ...


class Incoming(NamedTuple):
    """Money coming into a pool.

    It first frees money used by the entry `frees`, then restores money taken from the
    lots of the entry `restores`; the rest is a new lot.
    """

    pool: Pool
    entry: int
    cents: int
    member: str | None = None
    frees: int | None = None
    restores: int | None = None


class Outgoing(NamedTuple):
    """Money going out of a pool.

    It is first taken from the lots of the entry `refunds`; the rest is a use, paid by
    the oldest waiting money.
    """

    pool: Pool
    entry: int
    cents: int
    refunds: int | None = None


Operation = Incoming | Outgoing


def operations(entry: TracedEntry, index: int, *, undone: TracedEntry | None) -> list[Operation]:
    """Return an entry's operations on the trace, money in before money out.

    Postings are netted by pool and group (see `net`). A net credit is incoming, a net
    debit outgoing.

    * Contributions become a lot of the entry's member, if it has one.
    * Grants and other income, opening balances, transfers from another pool, and
      expenses credited by anything but a reversal or a return become a lot without a member.
    * Expenses and transfers to another pool are uses labelled with the entry.
    * Movements between projects and committed net to nothing, since they are one pool.
    * Assets and liabilities have no effect: money in suspense counts as received when it
      moves to income.
    * With `of` (refund, dispute): debited income is taken back from the payment's lots;
      credited income (refund failed, dispute won) restores them.
    * With `of` (a payee returned a payment): credited expenses free the money it used.
    * Debited income without `of` (the payment is unknown) is a use labelled with the
      entry.
    * With `reverses`: incoming money frees the money that entry used, and then restores
      the lots it took from; outgoing money is taken back from that entry's lots.
    * Any excess over the money to take back, free or restore is a plain use or lot, so
      that the trace always agrees with the fund.

    Args:
        index: its place in the public log.
        undone: the entry that `reverses` names, or None if there is none.
    """
    frees = entry.of if entry.kind == EntryKind.RETURN else entry.reverses
    restored = None if undone is None else _first(undone.of, undone.reverses)
    incoming: list[Incoming] = []
    outgoing: list[Outgoing] = []
    for (pool, group), cents in entry.nets.items():
        member = entry.member_key if group == CONTRIBUTIONS else None
        of = entry.of if group in _INCOME else None
        if cents < 0:
            restores = _first(of, restored)
            incoming.append(Incoming(pool, index, -cents, member, frees, restores))
        elif cents > 0:
            outgoing.append(Outgoing(pool, index, cents, _first(of, entry.reverses)))
    # Refunds first, so that a use is not paid with refunded money.
    outgoing.sort(key=lambda operation: operation.refunds is None)
    return [*incoming, *outgoing]


def _first(one: int | None, other: int | None) -> int | None:
    return other if one is None else one
