"""Stripe's failures: no answer, errors, limits; and keys that make retries safe."""

import subprocess
import sys
from collections.abc import Callable
from time import monotonic

import pytest

from jara.domain.errors import Conflict, JaraError, NotFound, Unavailable
from jara.domain.giving.billing_day import BillingDay
from jara.payments.stripe.client import StripeAccess, StripeConnection, require_id
from jara.services.ports.payments import PaymentOutcome
from tests.payments.stripe_world import StripeWorld, open_world

CREATIONS: list[tuple[str, Callable[[StripeWorld], object]]] = [
    ("POST /v1/customers", lambda world: world.customer()),
    ("POST /v1/subscriptions", lambda world: world.start()),
    ("POST /v1/payment_intents", lambda world: world.give()),
]


def try_twice(world: StripeWorld, act: Callable[[StripeWorld], object]) -> object:
    """Let an act fail, and repeat it with the same keys."""
    with pytest.raises(Unavailable):
        act(world)
    world.people = 0
    return act(world)


@pytest.mark.parametrize("kind", ["before", "after", "500", "429"])
@pytest.mark.parametrize(("call", "act"), CREATIONS, ids=[call for call, _ in CREATIONS])
def test_interrupted_calls_are_done_once(
    world: StripeWorld, call: str, act: Callable[[StripeWorld], object], kind: str
) -> None:
    """A retry with the same key makes no second customer or charge, even if the call was done."""
    world.double.fault(call, kind)

    try_twice(world, act)

    world.double.advance(minutes=1)
    assert len(world.double.account.all("customer")) <= 1
    assert len(world.double.account.all("subscription")) <= 1
    assert len(list(world.gateway.rows())) <= 1


def test_the_sdk_retries_a_broken_connection_once() -> None:
    """The SDK's retry is invisible, and the key prevents a second execution."""
    with open_world(retries=1) as world:
        world.double.fault("POST /v1/subscriptions", "after")

        assert PaymentOutcome.PAID is world.start().outcome
        assert len(world.charged_on()) == 1


def test_a_hung_server_is_given_up() -> None:
    """The timeout is Jara's own, not the SDK's 80 seconds."""
    with open_world(read_seconds=0.3) as world:
        world.double.fault("POST /v1/customers", "hang")
        began = monotonic()

        with pytest.raises(Unavailable, match="in time"):
            world.customer()

        assert 0.2 < monotonic() - began < 3


def test_the_time_limits_of_a_website_are_chosen() -> None:
    """The timeout is shorter than a worker's, with one retry."""
    access = StripeAccess("sk_test_x")

    assert (access.connect_seconds, access.read_seconds, access.retries) == (4.0, 20.0, 1)
    assert "sk_test_x" not in repr(access)


def test_the_sdk_is_loaded_when_it_is_needed() -> None:
    """A command without payments does not import the SDK, even with live keys."""
    look = """
import sys
from jara.bootstrap import build_from_environ
keys = {"SECRET_KEY": "sk_test_x", "PUBLISHABLE_KEY": "pk_test_x"}
application = build_from_environ({f"JARA_STRIPE_{name}": key for name, key in keys.items()})
print(application.context.gateway.name, application.sandbox_gateway, "stripe" in sys.modules)
"""
    told = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, timeout=60
    )

    assert told.stdout.strip() == "stripe None False"


@pytest.mark.parametrize(
    ("fault", "said"), [("before", "could not be reached"), ("500", "HTTP 500"), ("429", "pause")]
)
@pytest.mark.parametrize(
    "act",
    [
        lambda world: list(world.gateway.rows()),
        lambda world: world.gateway.balance(),
        lambda world: world.account.checks(),
        lambda world: world.gateway.find_customers(member_id="m", email="e"),
        lambda world: world.gateway.subscription("sub_1"),
        lambda world: world.gateway.delete_customer("cus_1"),
    ],
)
def test_reading_from_a_stripe_that_fails_says_so(
    world: StripeWorld, fault: str, said: str, act: Callable[[StripeWorld], object]
) -> None:
    """Each error of the SDK becomes one of Jara's, without a key in the message."""
    world.double.fault("", fault, times=1)

    with pytest.raises(Unavailable, match=said) as caught:
        act(world)

    assert world.double.secret_key not in str(caught.value)


def test_a_wrong_key_is_named_by_its_setting(world: StripeWorld) -> None:
    """The message has the setting's name but not the key."""
    wrong = StripeConnection(StripeAccess("sk_test_wrong", api_base=world.double.url, retries=0))

    with pytest.raises(Unavailable, match="JARA_STRIPE_SECRET_KEY") as caught, wrong.asking() as v1:
        v1.balance.retrieve()

    assert "wrong" not in str(caught.value)


def test_a_key_used_for_another_request_is_refused(world: StripeWorld) -> None:
    """A retry with other contents is an error."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id

    with pytest.raises(Conflict, match="idempotency"):
        world.gateway.start_subscription(
            customer_id=customer,
            dollars=11,
            billing_day=BillingDay.CURRENT,
            member_id="member1",
            key="subscription:1",
        )


def test_a_customer_who_is_gone_is_not_found(world: StripeWorld) -> None:
    """A deleted customer is told apart from a refusal, for people who join at the same time."""
    with pytest.raises(NotFound):
        world.gateway.start_subscription(
            customer_id="cus_gone",
            dollars=10,
            billing_day=BillingDay.CURRENT,
            member_id="m",
            key="k",
        )


def test_a_payment_that_is_still_working_is_asked_again(world: StripeWorld) -> None:
    """The result is neither paid nor declined, and the same key gives it later."""
    attempt = world.start("pm_card_authenticationRequired")
    intent = world.double.account.all("payment_intent")[0]
    intent["status"] = "processing"
    world.people = 0

    with pytest.raises(JaraError, match="still working"):
        start_again(world, attempt.reference)

    intent["status"] = "succeeded"
    assert PaymentOutcome.PAID is start_again(world, attempt.reference)


@pytest.mark.parametrize("is_listed", [True, False])
def test_an_invoice_without_a_payment_is_no_answer(world: StripeWorld, is_listed: bool) -> None:
    """The outcome is read again later and not guessed."""
    attempt = world.start("pm_card_authenticationRequired")
    payments = world.double.account.tables["invoice_payment"]
    if is_listed:
        next(iter(payments.values()))["payment"]["payment_intent"] = None
    else:
        payments.clear()

    with pytest.raises(Unavailable, match="no payment"):
        start_again(world, attempt.reference)


def start_again(world: StripeWorld, subscription_id: str) -> PaymentOutcome:
    """Send the first subscription request again with its key."""
    customer = world.gateway.subscription(subscription_id).customer_id
    return world.gateway.start_subscription(
        customer_id=customer,
        dollars=10,
        billing_day=BillingDay.CURRENT,
        member_id="member1",
        key="subscription:1",
    ).outcome


def test_an_answer_without_an_id_is_no_answer() -> None:
    """Without an id, the answer is an error."""
    with pytest.raises(Unavailable):
        require_id(None)


def test_a_gift_that_is_not_decided_says_so(world: StripeWorld) -> None:
    """A status that cards do not have does not count as paid."""
    world.give()
    stored = world.double.service.answers["gift:g1"]
    stored[2]["status"] = "processing"

    with pytest.raises(Unavailable, match="'processing'"):
        world.give()
