"""Approvals: over the limit, two operators decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Conflict, FundOverdrawn, NotFound, Refused
from jara.services.approvals import (
    approve,
    describe_waiting,
    list_approvals,
    refuse,
    require_approval,
)
from jara.services.context import Context, Rules
from jara.services.operations.operators import add_operator
from jara.services.ports.operations import Approval
from tests.harness import make_organisation

LIMIT_CENTS = 100_000


def make_context(folder: Path) -> Context:
    """Return an organisation in which $1,000 need a second operator."""
    return make_organisation(folder, rules=Rules(approval_cents=LIMIT_CENTS))


def prepare(context: Context, cents: int = LIMIT_CENTS) -> Approval | None:
    """Ask for approval as a use case does."""
    with context.store.write() as work:
        return require_approval(
            context, work, action="pay", payload={"to": "wells"}, why="first part", cents=cents
        )


def prepared(context: Context) -> Approval:
    """Return an act that waits."""
    approval = prepare(context)
    assert approval is not None
    return approval


def other(context: Context) -> Context:
    """Return the context of a second operator."""
    return replace(context, operator="ada")


class Payments:
    """Notes what was carried out."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.made: list[tuple[str, int | None, Mapping[str, Any]]] = []

    def pay(self, context: Context, payload: Mapping[str, Any]) -> str:
        """Note who acts, under which limit, with what."""
        self.made.append((context.operator, context.rules.approval_cents, payload))
        return "paid"


def test_below_the_limit_an_act_goes_on(place: Path) -> None:
    """A cent less than the limit needs nobody else."""
    context = make_context(place)

    assert None is prepare(context, LIMIT_CENTS - 1)
    assert [] == list_approvals(context)


def test_without_a_limit_every_act_goes_on(place: Path) -> None:
    """An organisation that set no limit never waits."""
    assert None is prepare(make_organisation(place), 10**12)


@pytest.mark.parametrize("cents", [LIMIT_CENTS, -LIMIT_CENTS])
def test_from_the_limit_on_an_act_waits(place: Path, cents: int) -> None:
    """The limit itself is over the limit, whichever way the money goes."""
    context = make_context(place)

    approval = prepare(context, cents)

    assert approval is not None
    assert [approval] == list_approvals(context)
    assert {"to": "wells", "cents": cents} == approval.payload
    assert f"jara approvals approve {approval.id}" in describe_waiting(approval)


def test_another_operator_approves_and_the_act_is_done(place: Path) -> None:
    """The act runs once, without a limit, in the name of who approved it."""
    context = make_context(place)
    approval = prepared(context)
    payments = Payments()

    carried_out = approve(other(context), approval.id[5:9], handlers={"pay": payments.pay})

    assert "paid" == carried_out.result
    assert "approved" == carried_out.approval.state
    assert [("ada", None, approval.payload)] == payments.made
    assert [] == list_approvals(context)
    decided = list_approvals(context, include_decided=True)
    assert [("approved", "ada")] == [(a.state, a.decided_by) for a in decided]
    with pytest.raises(Conflict, match="is approved by 'ada' already"):
        approve(other(context), approval.id, handlers={"pay": payments.pay})


def test_nobody_approves_their_own_act(place: Path) -> None:
    """Two people means two people."""
    context = make_context(place)
    approval = prepared(context)

    with pytest.raises(Conflict, match="'tester' prepared"):
        approve(context, approval.id, handlers={"pay": Payments().pay})


def test_a_stranger_neither_prepares_nor_approves(place: Path) -> None:
    """Once operators are listed, only they take part."""
    context = make_context(place)
    add_operator(context, "tester")
    approval = prepared(context)

    with pytest.raises(Refused):
        prepare(other(context))
    with pytest.raises(Refused):
        approve(other(context), approval.id, handlers={"pay": Payments().pay})
    with pytest.raises(Refused):
        refuse(other(context), approval.id, why="")


def test_an_act_that_fails_waits_again(place: Path) -> None:
    """What could not be done is neither lost nor taken for done."""
    context = make_context(place)
    approval = prepared(context)

    def fail(context: Context, payload: Mapping[str, Any]) -> None:
        raise FundOverdrawn("The fund is empty.")

    with pytest.raises(FundOverdrawn):
        approve(other(context), approval.id, handlers={"pay": fail})

    assert [approval] == list_approvals(context)


def test_an_act_that_was_cut_off_is_not_repeated(place: Path) -> None:
    """After a crash in the middle nobody may guess; the act stays visible until settled."""
    context = make_context(place)
    approval = prepared(context)

    def crash(context: Context, payload: Mapping[str, Any]) -> None:
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        approve(other(context), approval.id, handlers={"pay": crash})

    assert ["carrying_out"] == [a.state for a in list_approvals(context)]
    with pytest.raises(Conflict, match="carrying_out"):
        approve(other(context), approval.id, handlers={"pay": crash})
    refuse(context, approval.id, why="it was paid, as the bank shows")
    assert [] == list_approvals(context)


def test_a_refused_act_is_never_done(place: Path) -> None:
    """The one who prepared it may withdraw it as well."""
    context = make_context(place)
    approval = prepared(context)

    refused = refuse(context, approval.id, why="wrong amount")

    assert ("refused", "tester") == (refused.state, refused.decided_by)
    with pytest.raises(Conflict, match="is refused by 'tester' already"):
        approve(other(context), approval.id, handlers={"pay": Payments().pay})


def test_an_act_that_nothing_can_carry_out_keeps_waiting(place: Path) -> None:
    """A program that does not know the act leaves it to one that does."""
    context = make_context(place)
    approval = prepared(context)

    with pytest.raises(NotFound, match="'pay'"):
        approve(other(context), approval.id, handlers={})

    assert [approval] == list_approvals(context)


def test_approvals_are_found_by_a_unique_beginning(place: Path) -> None:
    """An id may be cut short as long as it names one act."""
    context = make_context(place)
    prepare(context)
    prepare(context)

    with pytest.raises(NotFound, match="'appr_0'"):
        refuse(context, "appr_0", why="")
    with pytest.raises(Conflict, match="begins 2 approvals"):
        refuse(context, "appr_", why="")


def test_every_step_is_recorded(place: Path) -> None:
    """The audit log shows who prepared, approved and refused, and how much money."""
    context = make_context(place)
    approve(other(context), prepared(context).id, handlers={"pay": Payments().pay})
    refuse(context, prepared(context).id, why="twice")

    with context.store.read() as work:
        acts = [(r.operator, r.action, r.why, dict(r.after)) for r in work.operations.audit()]

    about = {"action": "pay", "cents": LIMIT_CENTS, "changed": []}
    assert [
        ("tester", "approvals.prepare", "first part", about),
        ("ada", "approvals.approve", "", about),
        ("tester", "approvals.prepare", "first part", about),
        ("tester", "approvals.refuse", "twice", about),
    ] == acts
