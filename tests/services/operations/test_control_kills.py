"""A kill at each statement of enrolling and approving leaves nothing half done."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

from jara.domain.control.state import Limits
from jara.services.approvals import list_approvals
from jara.services.authority import read_control
from jara.services.context import Context
from jara.services.operations.control import set_limits
from jara.services.operations.operators import add_operator
from jara.services.payments.importing import collect_movements
from jara.services.payments.refunding import refund_payment
from tests.fakes.kills import survive
from tests.fakes.operators import acting, approve_as, enrol, public
from tests.harness import clock_of, copy_of, make_organisation
from tests.places import NewPlace, is_on_server
from tests.services.giving.joiners import join
from tests.services.operations.controlled_world import make_controlled, verify, waiting_grant

STEPS_MIN = 5


def state_of(context: Context) -> tuple[object, ...]:
    """Return the rows that enrolling and approving change."""
    with context.store.read() as work:
        return (
            read_control(context, work),
            work.operations.operators(),
            work.operations.key_names(),
            [approval.state for approval in work.operations.approvals(waiting_only=False)],
            [row.action for row in work.operations.audit()],
            work.log.size(),
            work.journal.count(),
        )


def walk(
    new_place: NewPlace, make: Callable[[Path], tuple[Context, Callable[[], object]]]
) -> list[tuple[bool, bool, Context]]:
    """Kill an act at each step; return whether it ended and changed anything, and its context."""
    seen: list[tuple[bool, bool, Context]] = []
    for step in count():
        folder = new_place()
        context, act = make(folder)
        before = state_of(context)
        ended = survive(act, step)
        seen.append((ended, before != state_of(context), context))
        if is_on_server(folder):  # it has too few connections for all; a later read opens one
            context.store.close()
        if ended:
            return seen
    raise AssertionError


def test_a_kill_leaves_the_first_key_whole_or_absent(new_place: NewPlace) -> None:
    """Limits, key, name and audit row are written together or not at all."""

    def make(folder: Path) -> tuple[Context, Callable[[], object]]:
        context = make_organisation(folder)
        return context, lambda: add_operator(acting(context, "ada"), "ada", key=public("ada"))

    *killed, last = walk(new_place, make)

    assert len(killed) >= STEPS_MIN
    assert {(ended, changed) for ended, changed, _ in killed} == {(False, False)}
    assert last[:2] == (True, True)


def test_a_kill_leaves_another_key_whole_or_absent(new_place: NewPlace) -> None:
    """Approval, signature, leaf and key are written together or not at all."""

    def make(folder: Path) -> tuple[Context, Callable[[], object]]:
        context = copy_of(make_controlled, folder)
        waiting = add_operator(acting(context, "ada"), "zoe", key=public("zoe"))
        return context, lambda: approve_as(context, waiting, "ben")

    *killed, last = walk(new_place, make)

    assert len(killed) >= STEPS_MIN
    assert {(ended, changed) for ended, changed, _ in killed} == {(False, False)}
    approve_again = killed[-1][2]
    (waiting,) = list_approvals(approve_again)
    approve_as(approve_again, waiting, "ben")
    assert state_of(approve_again)[1:] == state_of(last[2])[1:]


def test_a_payout_killed_on_approval_can_be_approved_again(
    new_place: NewPlace, tmp_path: Path
) -> None:
    """Approval and entry are written together; after a kill the act can be approved again."""

    def make(folder: Path) -> tuple[Context, Callable[[], object]]:
        context = copy_of(make_controlled, folder)
        waiting = waiting_grant(context)
        return context, lambda: approve_as(context, waiting, "ben")

    *killed, last = walk(new_place, make)

    assert len(killed) >= STEPS_MIN
    assert {(ended, changed) for ended, changed, _ in killed} == {(False, False)}
    assert last[:2] == (True, True)
    context = killed[len(killed) // 2][2]
    (waiting,) = list_approvals(context)
    approve_as(context, waiting, "ben")
    assert verify(context, tmp_path)[0] == 0


def make_refundable(folder: Path) -> Context:
    """Return an organisation with keys, a limit and a member who paid $10 by card."""
    context = make_organisation(folder)
    join(context)
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    limits = set_limits(acting(context, "ada"), Limits(100, 100, 2, 100), why="voted")
    approve_as(context, limits, "ben")
    return context


def test_a_refund_killed_on_approval_is_given_once(new_place: NewPlace) -> None:
    """Whatever step a kill stops, the next approval finishes it, and the money goes back once."""

    def make(folder: Path) -> tuple[Context, Callable[[], object]]:
        context = copy_of(make_refundable, folder)
        with context.store.read() as work:
            (payment,) = work.payments.all()
        assert payment.source_id is not None
        asked = refund_payment(acting(context, "kit"), payment.source_id, cents=400, why="asked")
        return context, lambda: approve_as(context, asked, "ben")

    *killed, _last = walk(new_place, make)
    assert len(killed) >= STEPS_MIN
    for number, (_, _, context) in enumerate(killed):
        clock_of(context).advance(days=number % 2 * 3, minutes=10)
        if number % 3 == 0:
            collect_movements(context)  # as the daily run does
        for waiting in list_approvals(context):
            approve_as(context, waiting, "ben")

        collect_movements(context)
        with context.store.read() as work:
            assert [one.returned_cents for one in work.payments.all()] == [400], number
        assert list_approvals(context) == []
