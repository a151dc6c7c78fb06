"""Setting up the Stripe account."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jara.domain.currency import books_currency
from jara.payments.stripe.catalogue import UNIT_CENTS, StripeCatalogue
from jara.payments.stripe.client import OUR_MARK, StripeConnection, api_version
from jara.payments.stripe.events import EVENTS
from jara.services.ports.payments import SetupStep

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe.params import WebhookEndpointCreateParams, WebhookEndpointUpdateParams
    from stripe.params.billing_portal import (
        ConfigurationCreateParamsFeatures,
        ConfigurationUpdateParamsFeatures,
    )

PRODUCT_NAME = "Monthly pledge"
WEBHOOK_PATH = "/api/webhooks/stripe"

_FOUND, _MADE, _MENDED, _SKIPPED = "found", "made", "mended", "skipped"
_MARKED = {OUR_MARK: "1"}


class StripeSetup:
    """Creates product, price, webhook endpoint and portal, or finds existing ones."""

    def __init__(self, connection: StripeConnection, site_url: str) -> None:
        self._connection = connection
        self._catalogue = StripeCatalogue(connection)
        self._site_url = site_url.rstrip("/")

    @property
    def webhook_url(self) -> str:
        """The address for Stripe's events."""
        return self._site_url + WEBHOOK_PATH

    def run(self) -> list[SetupStep]:
        """Create what is missing and fix what differs."""
        product = self._product()
        return [product, self._price(product.object_id), self._endpoint(), self._portal()]

    def _product(self) -> SetupStep:
        for product in self._catalogue.products():
            return SetupStep("product", product.id, _FOUND)
        with self._connection.asking() as v1:
            made = v1.products.create({"name": PRODUCT_NAME, "metadata": _MARKED})
        return SetupStep("product", made.id, _MADE)

    def _price(self, product_id: str) -> SetupStep:
        for price in self._catalogue.prices():
            return SetupStep("price", price.id, _FOUND)
        with self._connection.asking() as v1:
            made = v1.prices.create(
                {
                    "product": product_id,
                    "currency": books_currency().lower(),
                    "unit_amount": UNIT_CENTS,
                    "billing_scheme": "per_unit",
                    "recurring": {"interval": "month", "usage_type": "licensed"},
                    "metadata": _MARKED,
                }
            )
        return SetupStep("price", made.id, _MADE)

    def _endpoint(self) -> SetupStep:
        """Create the endpoint in the SDK's API version; replace one of another version.

        The version of an endpoint cannot be changed, and events of another version have
        other fields.
        """
        name = "webhook endpoint"
        if not self._site_url.startswith("https://"):
            return SetupStep(name, "", _SKIPPED)
        version, found = api_version(), None
        for endpoint in list(self._catalogue.endpoints()):
            if endpoint.api_version == version and found is None:
                found = endpoint
                continue
            with self._connection.asking() as v1:
                v1.webhook_endpoints.delete(endpoint.id)
        with self._connection.asking() as v1:
            if found is None:
                asked = {"url": self.webhook_url, "enabled_events": list(EVENTS)}
                made = v1.webhook_endpoints.create(
                    cast(
                        "WebhookEndpointCreateParams",
                        {**asked, "api_version": version, "metadata": _MARKED},
                    )
                )
                return SetupStep(name, made.id, _MADE, secret=made.secret)
            is_same = found.url == self.webhook_url and set(found.enabled_events) == set(EVENTS)
            if is_same and found.status == "enabled":
                return SetupStep(name, found.id, _FOUND)
            mended = {"url": self.webhook_url, "enabled_events": list(EVENTS), "disabled": False}
            v1.webhook_endpoints.update(found.id, cast("WebhookEndpointUpdateParams", mended))
            return SetupStep(name, found.id, _MENDED)

    def _portal(self) -> SetupStep:
        """Create or fix the billing portal: cards, invoices and cancelling, nothing else.

        Members must not change the quantity there, which is the pledge, nor the address, which
        would differ from their account's.
        """
        for found in list(self._catalogue.portals()):
            with self._connection.asking() as v1:
                v1.billing_portal.configurations.update(
                    found.id,
                    {"features": cast("ConfigurationUpdateParamsFeatures", portal_features())},
                )
            return SetupStep("billing portal", found.id, _FOUND)
        with self._connection.asking() as v1:
            made = v1.billing_portal.configurations.create(
                {"features": portal_features(), "metadata": _MARKED}
            )
        return SetupStep("billing portal", made.id, _MADE)


def portal_features() -> ConfigurationCreateParamsFeatures:
    """Return what a member can do on Stripe's page."""
    return {
        "payment_method_update": {"enabled": True},
        "invoice_history": {"enabled": True},
        "subscription_cancel": {
            "enabled": True,
            "mode": "immediately",
            "proration_behavior": "none",
        },
        "subscription_update": {"enabled": False},
        "customer_update": {"enabled": False},
    }
