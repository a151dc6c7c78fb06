"""Secret settings: complete, consistent, and never repeated in messages."""

import random
import string

import pytest

from jara.config.loading import load_settings
from jara.domain.organisation import PaymentMode
from tests.config.refused_settings import refuse
from tests.sizes import SEED, size

STRIPE = {
    "JARA_STRIPE_SECRET_KEY": "sk_test_hushhush",
    "JARA_STRIPE_PUBLISHABLE_KEY": "pk_test_open",
    "JARA_STRIPE_WEBHOOK_SECRET": "whsec_hushhush7Kq2Zt9Vw4Lm1Xb6Hd",
}


def test_the_keys_name_the_payment_mode() -> None:
    """Without keys it is the sandbox, else the mode in the keys' prefix."""
    live = {name: key.replace("_test_", "_live_") for name, key in STRIPE.items()}

    modes = [load_settings(keys).payment_mode for keys in ({}, STRIPE, live)]

    assert modes == [PaymentMode.SANDBOX, PaymentMode.TEST, PaymentMode.LIVE]


def test_a_fake_of_stripe_never_gets_live_keys() -> None:
    """Another address than Stripe's is for tests, in the sandbox and in test mode."""
    fake = {"JARA_STRIPE_API": "http://127.0.0.1:12111"}
    live = {name: key.replace("_test_", "_live_") for name, key in STRIPE.items()}

    assert [load_settings({**keys, **fake}).stripe_api for keys in ({}, STRIPE)] == [
        "http://127.0.0.1:12111"
    ] * 2
    assert refuse({**live, **fake}) == (
        "JARA_STRIPE_API is for tests with a fake of Stripe; with keys of live mode leave it out, "
        "or the fake would get them."
    )
    assert "must be an address" in refuse({**STRIPE, "JARA_STRIPE_API": "stripe.example"})


@pytest.mark.parametrize("missing", ["JARA_STRIPE_SECRET_KEY", "JARA_STRIPE_PUBLISHABLE_KEY"])
def test_stripe_keys_come_all_or_none(missing: str) -> None:
    """If one key is missing, the error names it."""
    sentence = refuse({name: key for name, key in STRIPE.items() if name != missing})

    assert sentence == f"{missing} missing; set all Stripe keys or none."


def test_the_webhook_secret_may_come_later() -> None:
    """`jara stripe setup` creates it and needs the two keys for that."""
    keys = {name: key for name, key in STRIPE.items() if "WEBHOOK" not in name}

    assert load_settings(keys).stripe_webhook_secret is None


@pytest.mark.parametrize(
    "placeholder",
    [
        "whsec_pending",
        "whsec_",
        "whsec_test",
        "whsec_changeme",
        f"whsec_{'x' * 40}",
        "whsec_...",
        "whsec_your_webhook_secret_from_stripe",
        "whsec_<paste the secret of the dashboard>",
        "whsec_replaceThisBeforeYouGoLive2026",
        "whsec_ReplaceMeWithTheRealSecret0",
        "whsec_PlaceholderOfTheDeployment7",
        "whsec_abcdefghijklmnopqrstuvwxyz012345",
        "whsec_1234567890abcdefghijklmnopqrstuv",
        "whsec_0123456789abcdef0123456789abcdef",
        "whsec_testtesttesttesttesttesttest",
        "whsec_a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4",
        "whsec_qwertyuiopasdfghjklzxcvbnm123456",
        "whsec_dummyDummy98765432109876543210",
        "whsec_Xv3jQ9Lr7pT",
        "whsec_Xv3jQ9Lr7pTm Ua8ZkWq2NbHs4YdCe6G",
    ],
)
def test_placeholders_are_no_webhook_secrets(placeholder: str) -> None:
    """A guessed secret would allow anybody to send events in the provider's name."""
    sentence = refuse(STRIPE | {"JARA_STRIPE_WEBHOOK_SECRET": placeholder})

    assert sentence == (
        "JARA_STRIPE_WEBHOOK_SECRET is a placeholder; leave it out until `jara stripe setup` "
        "shows the secret."
    )


@pytest.mark.parametrize("length", [24, 32, 64])
def test_random_provider_secrets_are_accepted(length: int) -> None:
    """Of ten thousand random secrets, in letters and digits or in hexadecimal, none is refused."""
    chance = random.Random(SEED)
    signs = (string.ascii_letters + string.digits, "0123456789abcdef")
    for number in range(size(100, 10_000, full=10_000)):
        drawn = "".join(chance.choices(signs[number % 2 if length > 24 else 0], k=length))
        secret = f"whsec_{drawn}"
        assert load_settings(STRIPE | {"JARA_STRIPE_WEBHOOK_SECRET": secret})


@pytest.mark.parametrize(
    "changed",
    [
        {"JARA_STRIPE_SECRET_KEY": "pk_test_hushhush"},
        {"JARA_STRIPE_WEBHOOK_SECRET": "hushhush"},
        {"JARA_STRIPE_PUBLISHABLE_KEY": "pk_live_open"},
    ],
)
def test_stripe_keys_are_of_their_kind_and_of_one_mode(changed: dict[str, str]) -> None:
    """Swapped keys and mixed modes are found before Stripe is called."""
    sentence = refuse(STRIPE | changed)

    assert "hushhush" not in sentence
    assert "must begin with" in sentence or "mix test mode and live mode" in sentence


def test_secrets_are_in_no_text() -> None:
    """Neither the settings' text nor an error contains a secret."""
    settings = load_settings(STRIPE | {"JARA_SMTP_URL": "smtps://jara:hushhush@mail.example"})
    sentence = refuse({"JARA_SMTP_URL": "http://jara:hushhush@mail.example"})

    assert "hushhush" not in f"{settings!r} {settings}"
    assert sentence == (
        "JARA_SMTP_URL (from environment): the value must look like "
        "smtp://user:password@host:587 or smtps://host:465."
    )
