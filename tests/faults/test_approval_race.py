"""Two operators approve the same payout at the same time, on two connections."""

import threading
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.control.state import Limits
from jara.domain.errors import Conflict
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.posting import Books
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.fakes.operators import acting, enrol
from tests.faults.fault_world import found, reopen
from tests.sizes import size

PAYOUTS = size(5, 50)
APPROVERS = ("ben", "cyd")

pytestmark = pytest.mark.slow


def test_of_two_approvals_exactly_one_carries_out(place: Path) -> None:
    """One approval makes the payout, and the other is a conflict."""
    context = found(place).context
    day = date(2026, 11, 19)
    gift = (
        Posting("assets:bank", Fund.PROJECTS, 10**7),
        Posting("income:grants", Fund.PROJECTS, -(10**7)),
    )
    with context.store.write() as work:
        Books(context, work).post(JournalEntry(day, EntryKind.GRANT, "Grant received", gift))
    set_limits(context, Limits(1000), why="voted")
    enrol(context, ada="admin", ben="approver", cyd="approver")

    for number in range(PAYOUTS):
        payment = Disbursement(Payee.GRANTS, f"school{number}", 1000)
        waiting = disburse(acting(context, "ada"), payment)
        assert isinstance(waiting, Approval)
        assert sorted(approve_together(place, waiting.id)) == ["Conflict", "done"]

    with context.store.read() as work:
        assert work.journal.count() == PAYOUTS + 1


def approve_together(place: Path, approval: str) -> list[str]:
    """Run both approvals at the same time; return both results."""
    told: list[str] = []
    start = threading.Barrier(len(APPROVERS))

    def run(name: str) -> None:
        application = reopen(place)
        start.wait()
        try:
            approve(acting(application.context, name), approval, handlers=HANDLERS)
            told.append("done")
        except Conflict:
            told.append("Conflict")
        finally:
            application.context.store.close()

    threads = [threading.Thread(target=run, args=(name,)) for name in APPROVERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told
