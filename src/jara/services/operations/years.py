"""Closing a year of the books, and reopening it."""

from collections.abc import Mapping
from typing import Any

from jara.domain.books.years import require_last_closed, require_next_to_close
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.publiclog.leaves import year_close_leaf, year_open_leaf
from jara.records.journal import YearLock
from jara.records.operations import Approval
from jara.services.approvals import Handler, require_approval
from jara.services.audit import record_act
from jara.services.books.checks import CLOSE_ACTION, OPEN_ACTION
from jara.services.books.posting import closing_balances
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.reconciling import reconcile
from jara.store.unit_of_work import UnitOfWork


def close_year(context: Context, year: int) -> YearLock:
    """Lock a past year, with its closing balances and the log head.

    Nothing is posted. Without movements at the payment provider, reconciliation is skipped.

    Raises:
        Conflict: the year is not over or closed already, an earlier one is open, the books do
            not verify, or they differ from the payment provider.
    """
    if year >= context.today().year:
        raise Conflict(f"The year {year} is not over yet.")
    with context.store.read() as work:
        _require_next(work, year)
    checked = verify_books(context)
    if not checked.ok:
        raise Conflict(
            f"The books do not verify, so {year} stays open: {checked.findings[0].message}"
        )
    compared = reconcile(context) if context.takes_cards else None
    if compared is not None and compared.rows and not compared.ok:
        raise Conflict(
            f"The books differ from the payment provider, so {year} stays open; "
            "`jara ledger reconcile` names each difference."
        )
    with context.store.write() as work:
        _require_next(work, year)
        lock = YearLock(
            year=year,
            locked_at=context.now(),
            log_size=work.log.size(),
            root=work.log.root().hex(),
            balances=closing_balances(work, year),
        )
        work.book_settings.lock_year(lock)
        work.log.append(year_close_leaf(year, lock.balances))
        record_act(context, work, CLOSE_ACTION, str(year), facts=_shown(lock))
    return lock


def open_year(context: Context, year: int, *, why: str) -> Approval | None:
    """Reopen a closed year; if actions over a limit need approval, this needs it too.

    Returns:
        The approval it waits for, or None if the year is open now.

    Raises:
        InvalidInput: no reason is given.
        Conflict: the year is open, or a later one is closed.
    """
    if not why.strip():
        raise InvalidInput(f"Opening {year} again needs a reason; say --why.")
    with context.store.write() as work:
        locks = {lock.year: lock for lock in work.book_settings.locked_years()}
        require_last_closed(year, locks)
        waiting = require_approval(
            context, work, action=OPEN_ACTION, payload={"year": year, "why": why}, why=why
        )
        if waiting is None:
            work.book_settings.unlock_year(year)
            work.log.append(year_open_leaf(year, why))
            record_act(context, work, OPEN_ACTION, str(year), why=why, before=_shown(locks[year]))
    return waiting


def _shown(lock: YearLock) -> dict[str, Any]:
    return {"logSize": lock.log_size, "root": lock.root, "balances": dict(lock.balances)}


def _require_next(work: UnitOfWork, year: int) -> None:
    first = work.reporting.first_day()
    locked_years = {lock.year for lock in work.book_settings.locked_years()}
    require_next_to_close(year, locked_years, first=None if first is None else first.year)


HANDLERS: Mapping[str, Handler] = {
    OPEN_ACTION: lambda context, payload: open_year(context, payload["year"], why=payload["why"])
}
