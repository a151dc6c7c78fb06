"""Gateways in place of the provider's: without cards, and until its keys are checked."""

from collections.abc import Callable, Mapping
from typing import cast

from jara.domain.errors import NoCards
from jara.services.ports.payments import NO_CARDS, PaymentGateway

_ANSWERS: Mapping[str, object] = {
    "find_customers": (),
    # A customer from before is at a provider that is not used any more.
    "change_customer": None,
    "delete_customer": None,
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


class _Checked:
    """Checks the keys before the first call; later ones go straight to the provider."""

    def __init__(self, gateway: PaymentGateway, check: Callable[[], object]) -> None:
        self.name = gateway.name
        self._gateway, self._check = gateway, check
        self._is_checked = False

    def __getattr__(self, call: str) -> object:
        if not self._is_checked:
            self._check()
            self._is_checked = True
        return getattr(self._gateway, call)


def checked(gateway: PaymentGateway, check: Callable[[], object]) -> PaymentGateway:
    """Return the gateway, whose first call is made once `check` has not raised."""
    return cast("PaymentGateway", _Checked(gateway, check))
