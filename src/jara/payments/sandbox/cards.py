"""The test cards of the sandbox: Stripe's names, numbers, outcomes and messages."""

import re
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput

DECLINED = "Your card was declined."
NOT_AUTHENTICATED = (
    "We are unable to authenticate your payment method. "
    "Please choose a different payment method and try again."
)


DISPUTE_TIME = timedelta(days=30)
"""A dispute without a decision by then is lost, like an unanswered one."""


class Confirmation(StrEnum):
    """How often the bank asks the cardholder to confirm (3-D Secure)."""

    NEVER = "never"
    ONCE = "once"
    ALWAYS = "always"


class SandboxCard(NamedTuple):
    """A test card."""

    name: str  # Stripe's name of it as a payment method
    number: str  # what a person types into the test form
    attach_refusal: str = ""  # the message if it cannot be attached; empty if it can
    charge_refusal: str = ""  # the message if every charge fails; empty if it pays
    confirmation: Confirmation = Confirmation.NEVER  # how often the cardholder is asked
    fingerprint: str | None = None
    """Identifies a card that counts as the same one for all members; None for a card that counts as
    a different one for each, so that one number serves a whole test."""
    is_disputed: bool = False  # whether the cardholder disputes every charge


CARDS = (
    SandboxCard("pm_card_visa", "4242424242424242"),
    SandboxCard("pm_card_mastercard", "5555555555554444"),
    SandboxCard("pm_card_visa_debit", "4000056655665556", fingerprint="sandbox_shared_card"),
    SandboxCard("pm_card_chargeDeclined", "4000000000000002", attach_refusal=DECLINED),
    SandboxCard(
        "pm_card_chargeDeclinedInsufficientFunds",
        "4000000000009995",
        attach_refusal="Your card has insufficient funds.",
    ),
    SandboxCard(
        "pm_card_chargeDeclinedExpiredCard",
        "4000000000000069",
        attach_refusal="Your card has expired.",
    ),
    SandboxCard(
        "pm_card_authenticationRequired", "4000002760003184", confirmation=Confirmation.ALWAYS
    ),
    SandboxCard(
        "pm_card_authenticationRequiredOnSetup", "4000002500003155", confirmation=Confirmation.ONCE
    ),
    SandboxCard("pm_card_chargeCustomerFail", "4000000000000341", charge_refusal=DECLINED),
    SandboxCard("pm_card_createDispute", "4000000000000259", is_disputed=True),
)
"""Each test card with the outcome it has at Stripe."""

_BY_NAME = {card.name: card for card in CARDS}
_BY_NUMBER = {card.number: card for card in CARDS}
_BLANKS = re.compile(r"[ -]")


def find_card(text: str) -> SandboxCard:
    """Return the test card with that name, or with that number as typed.

    Raises:
        InvalidInput: no test card matches; real cards are never accepted here.
    """
    card = _BY_NAME.get(text) or _BY_NUMBER.get(_BLANKS.sub("", text))
    if card is None:
        message = (
            "These are sandbox payments, which take test cards only; "
            "use pm_card_visa or the number 4242 4242 4242 4242."
        )
        raise InvalidInput(message, fields={"paymentMethodId": message})
    return card
