"""The cards of the double: Stripe's test names and their behaviour."""

from dataclasses import dataclass

DECLINED = "Your card was declined."


@dataclass(frozen=True)
class Card:
    """The behaviour of a card.

    Args:
        refused_at: ``attach``, ``setup``, ``charge`` or nothing.
        asks: ``never``, ``once`` or ``always``.
        fingerprint: the card's, if it is the same card in every account; else each payment method
            has its own.
        is_disputed: whether each charge is disputed as soon as it settles.
        is_available: whether its money can be paid out as soon as it settles.
    """

    message: str = DECLINED
    code: str = "card_declined"
    refused_at: str = ""
    asks: str = "never"
    fingerprint: str = ""
    is_disputed: bool = False
    is_available: bool = False


CARDS = {
    "pm_card_visa": Card(),
    "pm_card_mastercard": Card(),
    "pm_card_visa_debit": Card(fingerprint="double_shared_card"),
    "pm_card_chargeDeclined": Card(refused_at="attach"),
    "pm_card_chargeDeclinedInsufficientFunds": Card(
        "Your card has insufficient funds.", refused_at="attach"
    ),
    "pm_card_chargeDeclinedExpiredCard": Card(
        "Your card has expired.", "expired_card", refused_at="attach"
    ),
    "pm_card_authenticationRequired": Card(asks="always"),
    "pm_card_authenticationRequiredOnSetup": Card(asks="once"),
    "pm_card_chargeCustomerFail": Card(refused_at="charge"),
    "pm_card_createDispute": Card(is_disputed=True),
    "pm_card_bypassPending": Card(is_available=True),
    "pm_double_setupFails": Card(refused_at="setup"),
}
"""The last one is the double's own: its set-up fails immediately."""
