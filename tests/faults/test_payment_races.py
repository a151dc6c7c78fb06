"""Operators approve or make payments at the same time, each on a connection of their own."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.control.state import Limits
from jara.domain.errors import Conflict, JaraError
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.milestones import plan_payment
from tests.fakes.operators import acting, enrol
from tests.faults.fault_world import at_once, found, reopen
from tests.services.projects.test_milestones import voted
from tests.sizes import size

PAYOUTS = size(5, 50)
PAYERS = 4
pytestmark = pytest.mark.slow


def together(
    place: Path, act: Callable[[Context, str], object], *names: str
) -> list[JaraError | None]:
    """Let operators act at the same time; return what refused each."""

    def run(context: Context, name: str) -> JaraError | None:
        try:
            act(context, name)
        except JaraError as error:
            return error
        finally:
            context.store.close()
        return None

    return at_once([partial(run, reopen(place).context, name) for name in names])


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

        def approve_it(other: Context, name: str, approval: str = waiting.id) -> None:
            approve(acting(other, name), approval, handlers=HANDLERS)

        refusals = together(place, approve_it, "ben", "cyd")
        assert Counter(map(type, refusals)) == {Conflict: 1, type(None): 1}

    with context.store.read() as work:
        assert work.journal.count() == PAYOUTS + 1


def test_payments_at_the_same_time_stay_within_a_milestone(place: Path) -> None:
    """Of four payments of $3 for a milestone of $10, one is refused."""
    context = found(place).context
    voted(context, "Deep wells")
    payment = plan_payment(context, "deep-wells", 300, milestone="survey")

    refusals = together(place, lambda other, _: disburse(other, payment), *["ada"] * PAYERS)

    assert [one.message for one in refusals if one] == [
        "The tranche of 'Survey' is $10.00, of which $9.00 are paid; $3.00 was requested."
    ]
