"""Fixtures of the tests of the Stripe adapter."""

from collections.abc import Iterator

import pytest

from tests.payments.stripe_world import StripeWorld, open_world


@pytest.fixture
def world() -> Iterator[StripeWorld]:
    """A world on the morning of 31 January 2026."""
    with open_world() as opened:
        yield opened
