"""Forged webhooks, and the valid one that they are made from."""

from collections.abc import Callable
from typing import Any

import stripe

from tests.payments.stripe_world import StripeWorld

SECRET = "whsec_Double7Kq2Zt9Vw4Lm1Xb6Hd3"


def event_document(world: StripeWorld, **changes: Any) -> dict[str, Any]:
    """Return an event in Stripe's form, with changes."""
    document: dict[str, Any] = {
        "id": "evt_1",
        "object": "event",
        "api_version": stripe.api_version,
        "created": int(world.clock.now().timestamp()),
        "livemode": False,
        "data": {"object": {"id": "ch_1", "object": "charge", "customer": "cus_1"}},
        "type": "charge.updated",
    }
    return document | changes


def sign(body: bytes, at: int, secret: str = SECRET) -> str:
    """Sign an event as Stripe does."""
    text = body.decode("latin-1")
    return str(stripe.WebhookSignature.generate_signature_header(text, secret, at))


FORGERIES: dict[str, Callable[[bytes, str, int], tuple[bytes, str | None]]] = {
    "no signature": lambda body, good, now: (body, None),
    "empty signature": lambda body, good, now: (body, ""),
    "another secret": lambda body, good, now: (body, sign(body, now, "whsec_other")),
    "empty secret": lambda body, good, now: (body, sign(body, now, " ")),
    "body changed": lambda body, good, now: (body.replace(b"ch_1", b"ch_2"), good),
    "body cut": lambda body, good, now: (body[:-1], good),
    "body with a space more": lambda body, good, now: (body + b" ", good),
    "empty body": lambda body, good, now: (b"", good),
    "time changed": lambda body, good, now: (body, good.replace(str(now), str(now + 1))),
    "too old": lambda body, good, now: (body, sign(body, now - 301)),
    "from the future": lambda body, good, now: (body, sign(body, now + 301)),
    "two times": lambda body, good, now: (body, f"{good},t={now}"),
    "time is no number": lambda body, good, now: (body, good.replace(str(now), "now")),
    "no time": lambda body, good, now: (body, good.partition(",")[2]),
    "no v1": lambda body, good, now: (body, good.replace("v1=", "v0=")),
    "signature cut": lambda body, good, now: (body, good[:-1]),
    "signature in capitals": lambda body, good, now: (
        body,
        good.partition("v1=")[0] + "v1=" + good.partition("v1=")[2].upper(),
    ),
    "signature not ASCII": lambda body, good, now: (body, f"t={now},v1=é"),
    "nonsense": lambda body, good, now: (body, "a,b,c"),
    "body not UTF-8": lambda body, good, now: (b"\xff" + body, good),
    "plain hash without a key": lambda body, good, now: (body, f"t={now},v1={'0' * 64}"),
}

NO_EVENTS = [
    b"[]",
    b"null",
    b"7",
    b"{",
    b"{}",
    b'{"id": 7, "type": "a", "created": 1, "api_version": "x", "data": {"object": {}}}',
    b'{"id": "e", "type": "a", "created": "x", "api_version": "x", "data": {"object": {}}}',
    b'{"id": "e", "type": "a", "created": 1e99, "api_version": "", "data": {"object": {}}}',
    b'{"id": "e", "type": "a", "created": 1, "api_version": "x", "data": {"object": "ch_1"}}',
]
