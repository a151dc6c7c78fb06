"""A dispute is open until the provider decides it; winning is a movement, losing is not."""

from pathlib import Path

import pytest

from jara.services.context import Context
from jara.services.operations.start_page import read_start_page
from jara.services.payments.importing import collect_movements
from tests.harness import make_organisation
from tests.services.giving.joiners import join, sandbox_of


def state_of(context: Context, member_key: str) -> tuple[str, bool]:
    """Return the state of a member's payment, and whether the start page lists a dispute."""
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member_key)
    waiting = [one.command for one in read_start_page(context).waiting]
    return payment.state.value, "jara payments list --state disputed" in waiting


@pytest.mark.parametrize(("won", "state"), [(True, "paid"), (False, "lost")])
def test_a_dispute_waits_until_it_is_decided(place: Path, won: bool, state: str) -> None:
    """The start page lists an open dispute, since an operator must answer it."""
    context = make_organisation(place)
    member = join(context).member
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
    dispute = sandbox_of(context).dispute(str(payment.source_id))

    collect_movements(context)
    assert state_of(context, member.key) == ("disputed", True)
    sandbox_of(context).settle_dispute(dispute, won=won)
    collect_movements(context)
    assert state_of(context, member.key) == (state, False)


def test_only_the_lost_dispute_is_closed(place: Path) -> None:
    """Only the lost dispute is closed; the others stay open."""
    context = make_organisation(place)
    disputes = []
    for name in ("ada", "bob"):
        member = join(context, email=f"{name}@example.org").member
        with context.store.read() as work:
            (payment,) = work.payments.of_member(member.key)
        disputes.append(sandbox_of(context).dispute(str(payment.source_id)))
    sandbox_of(context).settle_dispute(disputes[0], won=False)

    collect_movements(context)

    with context.store.read() as work:
        assert [
            member.email
            for member in work.members.all()
            for payment in work.payments.of_member(member.key)
            if payment.dispute == "open"
        ] == ["bob@example.org"]
