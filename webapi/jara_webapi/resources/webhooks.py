"""Webhooks of the payment provider."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.payments.events import ForeignEvent, receive_event
from jara_webapi.calls.operations import Call, SignedBody, operation
from jara_webapi.calls.strict_json import read_json
from jara_webapi.middleware.request_metrics import REFUSED_WEBHOOK
from jara_webapi.schemas.base import Done

_STRIPE = SignedBody("Stripe-Signature", bytes_max=1024 * 1024)


class StripeWebhook:
    """Stripe's events; only with live payments."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, signed_body=_STRIPE)
    def on_post(self, call: Call, body: bytes) -> Done:
        """Store an event signed by Stripe; a background task processes it."""
        events = self._app.live_payments().events
        event = events.read(body, call.req.get_header(_STRIPE.header))
        read_json(body)  # what PostgreSQL cannot store, or two parsers read differently
        try:
            receive_event(self._app.context, event)
        except ForeignEvent as error:
            call.req.context[REFUSED_WEBHOOK] = error.reason
            raise
        return Done(message="Received.")
