"""Keys and passwords among the settings: complete, of one kind, and never repeated."""

from __future__ import annotations

import pytest

from jara.config.loading import load_settings
from tests.config.refused_settings import refuse

STRIPE = {
    "JARA_STRIPE_SECRET_KEY": "sk_test_hushhush",
    "JARA_STRIPE_PUBLISHABLE_KEY": "pk_test_open",
    "JARA_STRIPE_WEBHOOK_SECRET": "whsec_hushhush",
}


def test_three_stripe_keys_make_a_live_gateway() -> None:
    """All three keys set: payments are Stripe's."""
    assert load_settings(STRIPE).has_live_gateway


@pytest.mark.parametrize("missing", STRIPE)
def test_stripe_keys_come_all_or_none(missing: str) -> None:
    """One key without the others is an error that names what is missing."""
    sentence = refuse({name: key for name, key in STRIPE.items() if name != missing})

    assert sentence == f"{missing} missing; set all three Stripe keys or none."


@pytest.mark.parametrize(
    "changed",
    [
        {"JARA_STRIPE_SECRET_KEY": "pk_test_hushhush"},
        {"JARA_STRIPE_WEBHOOK_SECRET": "hushhush"},
        {"JARA_STRIPE_PUBLISHABLE_KEY": "pk_live_open"},
    ],
)
def test_stripe_keys_are_of_their_kind_and_of_one_mode(changed: dict[str, str]) -> None:
    """Exchanged keys, and live beside test, are found before Stripe finds them."""
    sentence = refuse(STRIPE | changed)

    assert "hushhush" not in sentence
    assert "must begin with" in sentence or "mix test mode and live mode" in sentence


def test_secrets_are_in_no_text() -> None:
    """Neither the settings as text nor an error repeats a secret."""
    settings = load_settings(STRIPE | {"JARA_SMTP_URL": "smtps://jara:hushhush@mail.example"})
    sentence = refuse({"JARA_SMTP_URL": "http://jara:hushhush@mail.example"})

    assert "hushhush" not in f"{settings!r} {settings}"
    assert sentence == (
        "JARA_SMTP_URL (from environment): the value must look like "
        "smtp://user:password@host:587 or smtps://host:465."
    )
