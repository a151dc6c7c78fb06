"""The test cards have Stripe's outcomes."""

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.payments.sandbox.cards import CARDS, DISPUTE_TIME, Confirmation, SandboxCard, find_card
from jara.services.ports.payments import IntentType, PaymentOutcome
from jara_cli.commands.pledges import card as card_command
from tests.payments.sandbox_world import START, instant, make_world, open_intent


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_card_is_found_by_its_name_and_by_its_number(card: SandboxCard) -> None:
    """The test form uses the number, the API the name."""
    typed = f"{card.number[:4]} {card.number[4:8]}-{card.number[8:]}"

    assert find_card(card.name) == card
    assert find_card(typed) == card


def test_a_real_card_is_never_taken() -> None:
    """The sandbox refuses a card that is no test card, without repeating its number."""
    with pytest.raises(InvalidInput) as refusal:
        find_card("4000123412341234")
    assert "4000123412341234" not in str(refusal.value)
    assert list(refusal.value.fields) == ["paymentMethodId"]


@pytest.mark.parametrize(
    "card", ["pm_card_authenticationRequired", "pm_card_authenticationRequiredOnSetup"]
)
def test_the_first_payment_waits_for_the_cardholder(card: str) -> None:
    """With 3-D Secure, one charge is made when the cardholder confirms."""
    world = make_world()
    attempt = world.start(card)
    secret = attempt.client_secret or ""

    assert (attempt.outcome, attempt.intent_type) == (
        PaymentOutcome.REQUIRES_ACTION,
        IntentType.PAYMENT,
    )
    assert secret.startswith("pi_")
    assert secret == open_intent(world.gateway, attempt.reference)
    assert world.charged_on() == []

    world.gateway.confirm(secret, succeed=True)
    world.gateway.confirm(secret, succeed=True)

    assert PledgeState.ACTIVE is world.facts(attempt).state
    assert world.charged_on() == [START]
    assert open_intent(world.gateway, attempt.reference) is None


def test_a_card_that_was_never_confirmed_is_not_charged() -> None:
    """An unconfirmed card ends the subscription on its first day."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired", day=BillingDay.FIRST)

    world.run(instant(2026, 2, 2))

    assert PledgeState.CANCELED is world.facts(attempt).state
    assert world.charged_on() == []


def test_a_failed_confirmation_needs_another_card() -> None:
    """After a failed confirmation, the same card cannot be confirmed."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    secret = attempt.client_secret or ""

    world.gateway.confirm(secret, succeed=False)

    assert PledgeState.INCOMPLETE is world.facts(attempt).state
    assert open_intent(world.gateway, attempt.reference) is None
    with pytest.raises(Conflict, match="authenticate"):
        world.gateway.confirm(secret, succeed=True)


def test_an_unknown_secret_confirms_nothing() -> None:
    """A guessed secret is refused, even with the correct id."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    intent = (attempt.client_secret or "").partition("_secret_")[0]

    for secret in ("pi_nothing_secret_x", f"{intent}_secret_guessed"):
        with pytest.raises(NotFound):
            world.gateway.confirm(secret, succeed=True)


def test_a_late_yes_charges_nobody() -> None:
    """A confirmation after the deadline is refused, even if the subscription has not ended."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    world.clock.advance(hours=23)

    with pytest.raises(Conflict, match="over"):
        world.gateway.confirm(attempt.client_secret or "", succeed=True)
    assert world.charged_on() == []


def effect_of(card: SandboxCard) -> str:
    """Return what happens with a card, in the words of the help."""
    if card.attach_refusal:
        return f"refused at entry: {card.attach_refusal}"
    if card.charge_refusal:
        return "accepted, and every charge fails"
    if card.is_disputed:
        return f"every charge is disputed at once, lost after {DISPUTE_TIME.days} days"
    if card.confirmation is Confirmation.NEVER:
        return "pays" if card.fingerprint is None else "pays; one card for all members"
    often = "once" if card.confirmation is Confirmation.ONCE else "at every charge"
    return f"asks the cardholder to confirm {often}"


def test_the_help_lists_every_card_with_its_effect() -> None:
    """The list includes the cards with disputes."""
    help_text = card_command.__doc__ or ""

    assert [
        card.name
        for card in CARDS
        if f"{card.name}\n        {card.number}: {effect_of(card)}\n" not in help_text
    ] == []
    assert "is disputed" in help_text
