"""Reconciliation: comparing the books with the payment provider."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Json
from jara.domain.books.account import IN_TRANSIT, RESERVE, STRIPE, nearest
from jara.domain.books.provider_row import ProviderRow
from jara.domain.currency import books_currency
from jara.domain.errors import NoCards
from jara.domain.progress import Progress, no_progress, report_progress
from jara.services.books.imports import ImportOutcome
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from jara.services.payments.known_movements import KnownMovements
from jara.services.ports.payments import ProviderBalance
from jara.store.unit_of_work import UnitOfWork

_BATCH_ROWS = 1000


class Unmatched(NamedTuple):
    """A movement that is missing on one side or has a different amount, in cents."""

    id: str
    category: str
    provider_cents: int | None
    ledger_cents: int | None


class AccountDifference(NamedTuple):
    """An account's balance in the books and at the provider, in cents."""

    account: str
    ledger_cents: int
    provider_cents: int

    @property
    def cents(self) -> Annotated[int, Json("differenceCents", after="provider_cents")]:
        """The provider's balance minus that of the books."""
        return self.provider_cents - self.ledger_cents


class Reconciliation(NamedTuple):
    """The result of a comparison; `rows` is the number of movements at the provider."""

    rows: Annotated[int, HIDDEN]
    matched: int
    missing_in_ledger: tuple[Unmatched, ...]
    missing_at_provider: tuple[Unmatched, ...]
    mismatched: tuple[Unmatched, ...]
    accounts: tuple[AccountDifference, ...]

    @property
    def difference_cents(self) -> Annotated[int, Json(after="mismatched")]:
        """The provider's balances minus those of the books."""
        return sum(account.cents for account in self.accounts)

    @property
    def ok(self) -> bool:
        """Whether both sides agree."""
        named = (self.missing_in_ledger, self.missing_at_provider, self.mismatched)
        return not any(named) and not any(account.cents for account in self.accounts)


def reconcile(context: Context, *, progress: Progress = no_progress) -> Reconciliation:
    """Compare every movement by its transaction id, and the balances; change nothing."""
    rows, balances = _ask_provider(context, progress)
    return _compare(context, rows, balances)


def repair(
    context: Context, *, act: str | None = None, progress: Progress = no_progress
) -> tuple[ImportOutcome, Reconciliation]:
    """Book the provider's movements that the books lack, and compare again.

    `act` is the action's name in the audit log, if an operator does it; `progress` is called with
    the movements read at the provider.
    """
    rows, balances = _ask_provider(context, progress)
    outcome = book_rows(context, rows, partial=True, act=act)
    return outcome, _compare(context, rows, balances)


def _ask_provider(
    context: Context, progress: Progress
) -> tuple[list[ProviderRow], list[ProviderBalance]]:
    """Read movements, balance and movements again until nothing changed in between.

    The provider gives no total, so `progress` uses the number in the books.
    """
    if not context.takes_cards:
        raise NoCards("There are no cards, and so no payment provider to compare the books with.")
    with context.store.read() as work:
        movements = sum(1 for _ in work.identities.transactions())
    rows = list(report_progress(context.gateway.rows(), progress, 2 * movements))
    while True:
        balances = context.gateway.balance()
        again = list(report_progress(context.gateway.rows(), progress, 2 * len(rows)))
        if len(again) == len(rows):
            return again, balances
        rows = again


def _compare(
    context: Context, rows: Sequence[ProviderRow], balances: Sequence[ProviderBalance]
) -> Reconciliation:
    missing: list[Unmatched] = []
    mismatched: list[Unmatched] = []
    with context.store.read() as work:
        for row, net in _known_nets(work, rows):
            if net is None:
                missing.append(Unmatched(row.txn_id or "", row.category, row.net, None))
            elif net != row.net:
                mismatched.append(Unmatched(row.txn_id or "", row.category, row.net, net))
        listed = {row.txn_id for row in rows}
        unknown = [
            Unmatched(identity.txn_id, identity.category, None, identity.net_cents)
            for identity in work.identities.transactions()
            if identity.txn_id is not None and identity.txn_id not in listed
        ]
        accounts = tuple(_accounts(work, balances))
    return Reconciliation(
        rows=len(rows),
        matched=len(rows) - len(missing) - len(mismatched),
        missing_in_ledger=tuple(missing),
        missing_at_provider=tuple(unknown),
        mismatched=tuple(mismatched),
        accounts=accounts,
    )


def _known_nets(
    work: UnitOfWork, rows: Sequence[ProviderRow]
) -> Iterator[tuple[ProviderRow, int | None]]:
    movements = KnownMovements(work)
    for start in range(0, len(rows), _BATCH_ROWS):
        batch = rows[start : start + _BATCH_ROWS]
        movements.load(batch)
        for row in batch:
            identity = movements.find(row)
            yield row, None if identity is None else identity.net_cents


def _accounts(work: UnitOfWork, balances: Sequence[ProviderBalance]) -> Iterator[AccountDifference]:
    ours = {STRIPE: 0, IN_TRANSIT: 0, RESERVE: 0}
    for row in work.journal.balances(accounts=tuple(ours)):
        ours[nearest(row.account, ours) or row.account] += row.cents
    currency = books_currency().lower()
    held = [balance for balance in balances if balance.currency == currency]
    theirs = {
        STRIPE: sum(balance.available_cents + balance.pending_cents for balance in held),
        IN_TRANSIT: sum(balance.in_transit_cents for balance in held),
        RESERVE: sum(balance.reserve_cents for balance in held),
    }
    for account, cents in theirs.items():
        yield AccountDifference(account, ours[account], cents)
