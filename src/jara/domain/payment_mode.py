"""The payment mode of an organisation: sandbox, Stripe's test mode, or live."""

from __future__ import annotations

from enum import StrEnum


class PaymentMode(StrEnum):
    """The source of an organisation's payments; chosen once, when it is created."""

    SANDBOX = "sandbox"
    TEST = "test"
    LIVE = "live"

    @property
    def is_sandbox(self) -> bool:
        """Whether payments are simulated, without a provider."""
        return self is PaymentMode.SANDBOX
