"""The gateway of an organisation without cards: nothing is there, and nothing can be charged."""

from collections.abc import Callable, Mapping
from typing import cast

from jara.domain.errors import NoCards
from jara.services.ports.payments import NO_CARDS, PaymentGateway

_ANSWERS: Mapping[str, object] = {
    "find_customers": (),
    "change_customer": None,  # one from before is at a provider that is not used any more
    "has_lost_dispute": False,
    "rows": (),
    "balance": (),
}


class _NoCards:
    """Answers what is only read; every other call is refused."""

    name = NO_CARDS

    def __getattr__(self, call: str) -> Callable[..., object]:
        if call not in _ANSWERS:
            raise NoCards("This organisation takes no cards.")
        return lambda *_, **__: _ANSWERS[call]


def no_cards() -> PaymentGateway:
    """Return the gateway; what it does not answer raises `NoCards`."""
    return cast("PaymentGateway", _NoCards())
