"""Approvals: over the limit, two operators decide."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jara.domain.control.state import Outlay
from jara.domain.errors import (
    Conflict,
    FundOverdrawn,
    JaraError,
    NotFound,
    Unavailable,
)
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.approvals import (
    Handler,
    InProgress,
    approve,
    describe_waiting,
    drop_impossible,
    list_approvals,
    refuse,
    require_approval,
)
from jara.services.context import Context, Rules
from tests.fakes.operators import waits
from tests.harness import clock_of, make_organisation

LIMIT_CENTS = 100_000


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that needs a second operator from $1,000 on."""
    return make_organisation(place, rules=Rules(approval_cents=LIMIT_CENTS))


def pay(context: Context, payload: Mapping[str, Any]) -> Approval | str:
    """Ask for approval and act in one transaction, as a use case does."""
    with context.store.write() as work:
        waiting = require_approval(
            context,
            work,
            action="projects.pay",
            payload={"to": payload["to"]},
            why="first part",
            outlay=Outlay(payload["cents"]),
        )
        if waiting is not None:
            return waiting
        work.meta.put("paid", f"{payload['cents']} by {context.operator}")
    return "paid"


def pay_outside(context: Context, payload: Mapping[str, Any]) -> Approval | str:
    """Ask for approval of an act at the provider, as a refund does."""
    with context.store.write() as work:
        waiting = require_approval(
            context,
            work,
            action="pledges.refund",
            payload={"to": payload["to"]},
            why="agreed",
            outlay=Outlay(payload["cents"]),
            is_outside=True,
        )
    return waiting or "refunded"


HANDLERS: Mapping[str, Handler] = {"projects.pay": pay, "pledges.refund": pay_outside}


def prepare(context: Context, cents: int = LIMIT_CENTS) -> Approval | str:
    """Ask for approval as a use case does."""
    return pay(context, {"to": "wells", "cents": cents})


def prepared(context: Context, cents: int = LIMIT_CENTS) -> Approval:
    """Return a waiting act."""
    return waits(prepare(context, cents))


def prepared_outside(context: Context) -> Approval:
    """Return a waiting act of the payment provider."""
    return waits(pay_outside(context, {"to": "ama", "cents": LIMIT_CENTS}))


def other(context: Context) -> Context:
    """Return the context of a second operator."""
    return replace(context, operator="ada")


def paid(context: Context) -> str | None:
    """Return the payments with their operators."""
    return context.store.read_once().meta.get("paid")


def test_below_the_limit_an_act_goes_on(context: Context) -> None:
    """One cent below the limit, or without one, no approval is needed."""
    assert prepare(context, LIMIT_CENTS - 1) == "paid"
    assert prepare(replace(context, rules=Rules()), 10**12) == "paid"
    assert list_approvals(context) == []


def test_from_the_limit_on_an_act_waits(context: Context) -> None:
    """An act of exactly the limit waits."""
    approval, amount = prepared(context), format_cents(LIMIT_CENTS)

    assert list_approvals(context) == [approval]
    assert paid(context) is None
    assert {key: value for key, value in approval.payload.items() if key != "salt"} == {
        "to": "wells",
        "cents": LIMIT_CENTS,
        "because": f"it takes out {amount}, and {amount} is the limit",
    }
    assert describe_waiting(approval) == (
        f"{amount} needs another operator's approval: it takes out {amount}, and {amount} is the "
        f"limit; it waits as {approval.id}: jara approvals approve {approval.id}"
    )


def test_an_act_without_an_amount_waits_where_there_is_a_limit(context: Context) -> None:
    """Reopening a year has no amount, but needs two people if there is a limit."""
    with context.store.write() as work:
        waiting = require_approval(context, work, action="years.open", payload={}, why="late bill")

    assert waiting is not None
    assert describe_waiting(waiting).startswith(
        "This needs another operator's approval: it is about a closed year, opened again; "
    )


def test_another_operator_approves_and_the_act_is_done(context: Context) -> None:
    """The act runs once, under the name of the approver."""
    approval = prepared(context)

    carried_out = approve(other(context), approval.id[5:9], handlers=HANDLERS)

    assert carried_out.result == "paid"
    assert carried_out.approval.state == "approved"
    assert paid(context) == f"{LIMIT_CENTS} by ada"
    assert list_approvals(context) == []
    decided = list_approvals(context, include_decided=True)
    assert [(a.state, a.decided_by) for a in decided] == [("approved", "ada")]
    with pytest.raises(Conflict, match="is approved by 'ada' already"):
        approve(other(context), approval.id, handlers=HANDLERS)


def test_nobody_approves_their_own_act(context: Context) -> None:
    """An operator cannot approve their own act."""
    approval = prepared(context)

    with pytest.raises(Conflict, match="'tester' prepared"):
        approve(context, approval.id, handlers=HANDLERS)


def test_an_act_that_fails_waits_again(context: Context) -> None:
    """A failed act can be approved again."""
    approval = prepared(context)

    def fail(context: Context, payload: Mapping[str, Any]) -> None:
        raise FundOverdrawn("The fund is empty.")

    with pytest.raises(FundOverdrawn):
        approve(other(context), approval.id, handlers={"projects.pay": fail})

    assert list_approvals(context) == [approval]


def test_an_act_that_fails_at_the_provider_waits_again(context: Context) -> None:
    """If the provider refuses after the approval was stored, the act can be approved again.

    Emails say that it is done when the provider did it, not before.
    """
    told: list[str] = []
    context = replace(context, on_approval=(lambda _context, _work, one: told.append(one.state),))
    approval = prepared_outside(context)

    def fail(context: Context, payload: Mapping[str, Any]) -> None:
        pay_outside(context, payload)
        raise Unavailable("The provider does not answer.")

    with pytest.raises(Unavailable):
        approve(other(context), approval.id, handlers={"pledges.refund": fail})
    (waiting,) = list_approvals(context)
    assert (waiting.state, told) == ("waiting", ["waiting"])
    carried_out = approve(other(context), approval.id, handlers=HANDLERS)

    assert carried_out.approval.state == "approved"
    assert told == ["waiting", "approved"]


def interrupted(context: Context) -> Approval:
    """Return an act that was approved and cut off at the provider."""
    approval = prepared_outside(context)

    def crash(context: Context, payload: Mapping[str, Any]) -> None:
        pay_outside(context, payload)
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        approve(other(context), approval.id, handlers={"pledges.refund": crash})

    assert [a.state for a in list_approvals(context)] == ["carrying_out"]
    return approval


def test_an_act_that_was_cut_off_at_the_provider_may_be_settled(context: Context) -> None:
    """An operator who has seen that it was done takes it off the list."""
    approval = interrupted(context)

    refuse(context, approval.id, why="it was paid, as the bank shows")

    assert list_approvals(context) == []


def test_an_act_that_was_cut_off_at_the_provider_goes_on_later(context: Context) -> None:
    """Not at once, because another process may be about it; the next approval finishes it."""
    approval = interrupted(context)
    with pytest.raises(InProgress, match=f"'ada' is carrying out {approval.id}; if"):
        approve(other(context), approval.id, handlers=HANDLERS)
    clock_of(context).advance(minutes=10)

    done = approve(other(context), approval.id, handlers=HANDLERS)

    assert (done.approval.state, done.result) == ("approved", "refunded")
    assert list_approvals(context) == []


@pytest.mark.parametrize(
    ("error", "states"),
    [(NotFound("The account is closed."), []), (Unavailable("No answer."), ["carrying_out"])],
)
def test_an_interrupted_act_leaves_the_list_if_it_is_impossible_now(
    context: Context, error: JaraError, states: list[str]
) -> None:
    """As after an account was closed before the crash; any other act may be approved again."""
    approval = interrupted(context)
    clock_of(context).advance(minutes=10)

    def fail(context: Context, payload: Mapping[str, Any]) -> None:
        raise error

    with pytest.raises(type(error)):
        approve(other(context), approval.id, handlers={"pledges.refund": fail})

    assert [one.state for one in list_approvals(context)] == states


def test_an_act_that_is_decided_meanwhile_stays_as_it_is_decided(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daily run finds it impossible while its operator refuses it."""
    approval = prepared(context)

    def refuse_meanwhile(*_: object) -> str:
        refuse(context, approval.id, why="wrong")
        return "The project is gone."

    monkeypatch.setattr("jara.services.approvals.find_obstacle", refuse_meanwhile)
    assert drop_impossible(other(context), HANDLERS) == []

    (decided,) = list_approvals(context, include_decided=True)
    assert (decided.state, decided.decided_by) == ("refused", "tester")


def test_an_act_in_our_books_is_cut_off_as_a_whole(context: Context) -> None:
    """Approval and entry are one transaction: after a crash it waits as before."""
    approval = prepared(context)

    def crash(context: Context, payload: Mapping[str, Any]) -> None:
        with context.store.write() as work:
            require_approval(context, work, action="projects.pay", payload=payload, why="")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        approve(other(context), approval.id, handlers={"projects.pay": crash})

    assert list_approvals(context) == [approval]


def test_a_handler_carries_out_the_approved_act(context: Context) -> None:
    """A handler that asks for another act than the approved one is refused."""
    approval = prepared(context)

    with pytest.raises(Conflict, match="changed in the meantime"):
        approve(other(context), approval.id, handlers={"projects.pay": pay_outside})


def test_a_refused_act_is_never_done(context: Context) -> None:
    """The operator who prepared an act may withdraw it."""
    approval = prepared(context)

    refused = refuse(context, approval.id, why="wrong amount")

    assert (refused.state, refused.decided_by) == ("refused", "tester")
    with pytest.raises(Conflict, match="is refused by 'tester' already"):
        approve(other(context), approval.id, handlers=HANDLERS)


def test_an_act_that_nothing_can_carry_out_keeps_waiting(context: Context) -> None:
    """An act that this program version does not know keeps waiting."""
    approval = prepared(context)

    with pytest.raises(NotFound, match=r"'projects\.pay'"):
        approve(other(context), approval.id, handlers={})

    assert list_approvals(context) == [approval]


def test_approvals_are_found_by_a_unique_beginning(context: Context) -> None:
    """A unique beginning of an id is enough."""
    prepare(context)
    prepare(context)

    with pytest.raises(NotFound, match="'appr_0'"):
        refuse(context, "appr_0", why="")
    with pytest.raises(Conflict, match="Several approvals begin with 'appr_': appr_"):
        refuse(context, "appr_", why="")


def test_every_step_is_recorded(context: Context) -> None:
    """The audit log records the preparation, the approval or refusal, and the amount."""
    approve(other(context), prepared(context).id, handlers=HANDLERS)
    refuse(context, prepared(context).id, why="twice")

    with context.store.read() as work:
        acts = [(r.operator, r.action, r.why, dict(r.after)) for r in work.operations.audit()]

    about = {"action": "projects.pay", "cents": LIMIT_CENTS, "changed": []}
    assert acts == [
        ("tester", "approvals.prepare", "first part", about),
        ("ada", "approvals.approve", "", about),
        ("tester", "approvals.prepare", "first part", about),
        ("tester", "approvals.refuse", "twice", about),
    ]
