"""What waited for approval in an earlier release can be decided after the upgrade."""

import shutil
from pathlib import Path

import pytest

from jara.domain.control.state import Limits
from jara.records.operations import Approval
from jara.services.approvals import approve, drop_impossible, list_approvals, refuse
from jara.services.books.bookkeeping import POST_ACTION
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.approved_acts import HANDLERS, list_approval_documents, show_approval
from jara.services.operations.control import set_limits
from jara.services.operations.upkeep import upgrade
from jara.services.projects.tranches import PAY_ACTION
from tests.fakes.operators import acting
from tests.harness import NOON, make_context
from tests.releases.waiting import HERE
from tests.services.operations.controlled_world import verify

RELEASES = sorted(HERE.glob("*.tar.xz"))
LAST = "operators.policy"
"""Approved last: from then on, approvals name funds."""


@pytest.fixture(params=RELEASES, ids=[path.name for path in RELEASES])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Context:
    """The organisation of a release after the upgrade, a day later."""
    shutil.unpack_archive(request.param, tmp_path)
    context = make_context(tmp_path, at=NOON, database=tmp_path / "jara.db")
    assert upgrade(context) != []
    return context


def test_all_that_waited_is_approved(context: Context, tmp_path: Path) -> None:
    """Each act is listed, shown and done once, and both verifications pass."""
    waiting = sorted(list_approvals(context), key=lambda one: one.action == LAST)
    assert len(waiting) >= 12
    assert [one["impossible"] for one in list_approval_documents(context)] == [""] * len(waiting)

    for one in waiting:
        assert show_approval(context, one.id)["needed"] == 2
        approve(acting(context, "ben"), one.id, handlers=HANDLERS)

    assert list_approvals(context) == []
    assert verify_books(context).findings == ()
    assert verify(context, tmp_path)[0] == 0


def test_all_that_waited_is_refused(context: Context, tmp_path: Path) -> None:
    """Each act is refused, and nothing of it is done."""
    for one in list_approvals(context):
        refuse(acting(context, "ben"), one.id, why="too late")

    assert list_approvals(context) == []
    assert verify_books(context).findings == ()
    assert verify(context, tmp_path)[0] == 0


def test_an_act_that_this_version_lacks_is_named_and_refused(context: Context) -> None:
    """`ledger.redo` of 0.2.0 is gone: the list and the daily run say so."""
    with context.store.write() as work:
        first, *others = work.operations.approvals(waiting_only=True)
        work.operations.put_approval(first._replace(action="ledger.redo"))
    reason = "This version has no act 'ledger.redo'."

    assert show_approval(context, first.id)["impossible"] == reason
    assert drop_impossible(acting(context, "scheduler"), HANDLERS) == [(first.id, reason)]

    assert list_approvals(context) == others
    with context.store.read() as work:
        (row,) = work.operations.audit(action="approvals.fail")
    assert (row.operator, row.subject, row.why) == ("scheduler", first.id, reason)


def test_what_waits_is_approved_under_new_limits(context: Context, tmp_path: Path) -> None:
    """Limits that name funds, as those of this version do, end nothing that waits."""
    limits = set_limits(acting(context, "ada"), Limits(500), why="name the funds")
    assert isinstance(limits, Approval)
    approve(acting(context, "ben"), limits.id, handlers=HANDLERS)
    payouts = [one for one in list_approvals(context) if one.action in {PAY_ACTION, POST_ACTION}]

    for one in payouts:
        approve(acting(context, "ben"), one.id, handlers=HANDLERS)

    assert len(payouts) == 2
    assert verify_books(context).findings == ()
    assert verify(context, tmp_path)[0] == 0
