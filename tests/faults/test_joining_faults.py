"""Registration and gifts that are interrupted at any step, in any way, with Stripe's double."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from jara.services.books.verification import verify_books
from jara.services.payments.reconciling import reconcile
from tests.faults.cut_payments import (
    ANSWERS,
    EMAIL,
    KEY,
    Crash,
    CutGateway,
    CutStore,
    let_time_pass,
    restart,
)
from tests.sizes import some
from tests.webapi.desk import PASSWORD, registration
from tests.webapi.payments.live_desk import LiveDesk

CALLS = ("POST /v1/customers", "GET /v1/prices", "POST /v1/subscriptions", "GET /v1/subscriptions/")
GATEWAY = ("create_customer", "start_subscription", "subscription")
WRITES = range(1, 8)
"""The writes in order: limits, key, intent, account, limits given back, stored answer."""

FAULTS = ("crash before", "crash after", "full", "answer lost")
AFTERWARDS = ("the same again", "another card", "nobody comes back")
pytestmark = pytest.mark.slow


def form_with(live: LiveDesk) -> dict[str, Any]:
    """Return a person's form with a new card."""
    return registration(email=EMAIL, paymentMethodId=live.make_card())


def send(live: LiveDesk, form: dict[str, Any], key: str) -> int:
    """Send the form; return 0 if the process ends before the answer."""
    try:
        return live.post("/register", form, headers={"Idempotency-Key": key}).status_code
    except Crash:
        return 0


def come_back(live: LiveDesk, form: dict[str, Any], afterwards: str) -> None:
    """Do what the person does three minutes later; each answer must be true."""
    live.world.double.advance(minutes=3)
    if afterwards == "nobody comes back":
        return
    same = afterwards == "the same again"
    again = form if same else {**form, "paymentMethodId": live.make_card()}
    status = send(live, again, KEY if same else "joining-again")
    if status == 422:
        # Stripe refuses a detached card, so the person must enter it again.
        status = send(live, {**form, "paymentMethodId": live.make_card()}, "joining-again")
    credentials = {"email": EMAIL, "password": PASSWORD}
    assert status in {201, 409}
    assert live.post("/user/login", credentials).status_code == 200


def require_truth(live: LiveDesk, *, came_back: bool) -> None:
    """Assert one charge per account and no subscription without one; else a full refund."""
    account = live.world.double.account
    running = [one["id"] for one in account.all("subscription") if one["status"] != "canceled"]
    kept = sum(
        charge["amount"] - charge["amount_refunded"]
        for charge in account.all("charge")
        if charge["paid"]
    )
    with live.application.context.store.read() as work:
        member = work.members.by_email(EMAIL)
        pledge = None if member is None else work.pledges.get(member.id)
        assert work.registrations.all() == []
    if came_back:
        assert member is not None
    if member is None:
        assert (running, kept) == ([], 0)
    else:
        assert pledge is not None
        assert (running, kept) == ([pledge.subscription_id], 1000)
        assert pledge.state == "active"
    assert [*verify_books(live.application.context).findings] == []
    assert reconcile(live.application.context).ok


def survive(live: LiveDesk, form: dict[str, Any], first: int, whole: Any, afterwards: str) -> None:
    """Continue after the fault and check the result."""
    assert first in {0, 201, 502, 503}
    restart(live, whole)
    come_back(live, form, afterwards)
    let_time_pass(live)
    require_truth(live, came_back=afterwards != "nobody comes back")


@pytest.mark.parametrize(
    ("call", "kind", "afterwards"), some(product(CALLS, ANSWERS, AFTERWARDS), step=11)
)
def test_joining_survives_a_provider_that_fails(
    live: LiveDesk, call: str, kind: str, afterwards: str
) -> None:
    """Each call to Stripe gets no answer, before or after it was done, or an error."""
    form = form_with(live)
    live.world.double.fault(call, kind)

    first = send(live, form, KEY)

    survive(live, form, first, live.application, afterwards)


@pytest.mark.parametrize(
    ("method", "when", "afterwards"),
    some(product(GATEWAY, ("before", "after"), AFTERWARDS), step=5),
)
def test_joining_survives_a_process_that_ends(
    live: LiveDesk, method: str, when: str, afterwards: str
) -> None:
    """The process ends before or after each call."""
    whole, form = live.application, form_with(live)
    gateway: Any = CutGateway(whole.context.gateway, method, when)
    restart(live, replace(whole, context=replace(whole.context, gateway=gateway)))

    first = send(live, form, KEY)

    assert first == 0
    survive(live, form, first, whole, afterwards)


@pytest.mark.parametrize(
    ("number", "fault", "afterwards"), some(product(WRITES, FAULTS, AFTERWARDS), step=11)
)
def test_a_process_that_ends_and_a_disk_that_is_full_at_each_write(
    live: LiveDesk, number: int, fault: str, afterwards: str
) -> None:
    """Each transaction fails before it starts, after its commit, unanswered, or without space."""
    whole, form = live.application, form_with(live)
    store: Any = CutStore(whole.context.store, number, fault)
    restart(live, replace(whole, context=replace(whole.context, store=store)))

    first = send(live, form, KEY)

    allowed = {"full": {201, 503}, "answer lost": {201, 503}}
    assert first in allowed.get(fault, {0})
    survive(live, form, first, whole, afterwards)


def test_a_join_has_as_many_steps_as_are_cut(live: LiveDesk) -> None:
    """A step that is added to joining must be added to this test."""
    whole = live.application
    store: Any = CutStore(whole.context.store, 1000, "none")
    restart(live, replace(whole, context=replace(whole.context, store=store)))
    live.world.double.calls.clear()

    assert send(live, form_with(live), KEY) == 201

    made = [f"{method} {path}" for method, path, _ in live.world.double.calls]
    assert len(CALLS) == len(made)
    assert all(call.startswith(known) for call, known in zip(made, CALLS, strict=True))
    assert next(store._begun) == WRITES.stop


@pytest.mark.parametrize("fault", some([*ANSWERS, "crash before", "crash after"], step=3))
def test_a_gift_that_was_cut_off_is_taken_once(live: LiveDesk, fault: str) -> None:
    """Repeating the request with its key never charges twice, at any time."""
    whole = live.application
    gift = {"amountCents": 2500, "email": EMAIL, "paymentMethodId": live.make_card()}
    if fault.startswith("crash"):
        gateway: Any = CutGateway(whole.context.gateway, "take_gift", fault.partition(" ")[2])
        restart(live, replace(whole, context=replace(whole.context, gateway=gateway)))
    else:
        live.world.double.fault("POST /v1/payment_intents", fault)
    headers = {"Idempotency-Key": KEY}
    try:
        first = live.post("/gifts", gift, headers=headers).status_code
    except Crash:
        first = 0
    assert first == (0 if fault.startswith("crash") else 502)
    restart(live, whole)
    live.world.double.advance(minutes=3)

    again = live.post("/gifts", gift, headers=headers)
    assert (again.status_code, again.json["amountCents"]) == (201, 2500)
    assert again.json == live.post("/gifts", gift, headers=headers).json

    assert [charge["amount"] for charge in live.world.double.account.all("charge")] == [2500]
    let_time_pass(live)
    assert reconcile(live.application.context).ok


def test_a_declined_gift_is_given_with_another_card_under_the_same_key(live: LiveDesk) -> None:
    """A refusal is not stored under the key, so another card gets a new request to Stripe."""
    headers = {"Idempotency-Key": KEY}
    statuses = [
        live.post(
            "/gifts",
            {"amountCents": 2500, "email": EMAIL, "paymentMethodId": live.make_card(card)},
            headers=headers,
        ).status_code
        for card in ("pm_card_chargeDeclined", "pm_card_visa")
    ]

    assert statuses == [402, 201]
