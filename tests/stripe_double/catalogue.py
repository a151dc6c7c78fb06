"""Products, prices, webhook endpoints and the billing portal."""

from hashlib import sha256
from typing import Any

import stripe

from tests.stripe_double.account import Account, Doc, Refusal
from tests.stripe_double.form import is_true
from tests.stripe_double.shapes import blank


def create_product(account: Account, params: dict[str, Any]) -> Doc:
    """Create a product."""
    return account.add(
        blank(
            stripe.Product,
            account.new_id("prod"),
            account.now,
            name=params["name"],
            active=True,
            images=[],
            marketing_features=[],
            metadata=params.get("metadata", {}),
            type="service",
            updated=account.now,
        )
    )


def create_price(account: Account, params: dict[str, Any]) -> Doc:
    """Create a price."""
    recurring = params.get("recurring")
    return account.add(
        blank(
            stripe.Price,
            account.new_id("price"),
            account.now,
            product=account.get("product", params["product"], param="product")["id"],
            active=True,
            currency=params["currency"],
            unit_amount=int(params["unit_amount"]),
            billing_scheme=params.get("billing_scheme", "per_unit"),
            recurring=recurring
            and {
                "interval": recurring["interval"],
                "interval_count": int(recurring.get("interval_count", 1)),
                "usage_type": recurring.get("usage_type", "licensed"),
                "meter": None,
                "trial_period_days": None,
            },
            type="recurring" if recurring else "one_time",
            metadata=params.get("metadata", {}),
        )
    )


def create_endpoint(account: Account, params: dict[str, Any]) -> Doc:
    """Create a webhook endpoint; only this answer contains its secret."""
    if not params["url"].startswith("https://"):
        raise Refusal(400, "Invalid URL: must be https", param="url")
    secret = f"whsec_{sha256(account.new_id('double').encode()).hexdigest()[:32]}"
    endpoint = account.add(
        blank(
            stripe.WebhookEndpoint,
            account.new_id("we"),
            account.now,
            url=params["url"],
            enabled_events=params["enabled_events"],
            api_version=params.get("api_version"),
            status="enabled",
            metadata=params.get("metadata", {}),
        )
    )
    account.hidden[endpoint["id"]] = {"secret": secret}
    return endpoint | {"secret": secret}


def update_endpoint(account: Account, params: dict[str, Any], endpoint_id: str) -> Doc:
    """Change a webhook endpoint."""
    endpoint = account.get("webhook_endpoint", endpoint_id)
    endpoint |= {key: params[key] for key in ("url", "enabled_events", "metadata") if key in params}
    if "disabled" in params:
        endpoint["status"] = "disabled" if is_true(params["disabled"]) else "enabled"
    account.add(endpoint)
    return endpoint


def delete_endpoint(account: Account, params: dict[str, Any], endpoint_id: str) -> Doc:
    """Delete a webhook endpoint."""
    account.get("webhook_endpoint", endpoint_id)["deleted"] = True
    return {"id": endpoint_id, "object": "webhook_endpoint", "deleted": True}


def create_portal(account: Account, params: dict[str, Any]) -> Doc:
    """Create a configuration of the billing portal."""
    return account.add(
        blank(
            stripe.billing_portal.Configuration,
            account.new_id("bpc"),
            account.now,
            active=True,
            business_profile={"headline": None},
            is_default=False,
            login_page={"enabled": False, "url": None},
            features=_read_features(params["features"]),
            metadata=params.get("metadata", {}),
            updated=account.now,
        )
    )


def update_portal(account: Account, params: dict[str, Any], portal_id: str) -> Doc:
    """Change a configuration of the billing portal."""
    portal = account.get("billing_portal.configuration", portal_id)
    portal["features"] = _read_features(params["features"])
    return portal


def create_session(account: Account, params: dict[str, Any]) -> Doc:
    """Open the billing portal for a customer."""
    account.get("customer", params["customer"], param="customer")
    account.get("billing_portal.configuration", params["configuration"], param="configuration")
    session_id = account.new_id("bps")
    return account.add(
        blank(
            stripe.billing_portal.Session,
            session_id,
            account.now,
            customer=params["customer"],
            configuration=params["configuration"],
            return_url=params.get("return_url"),
            url=f"https://billing.stripe.com/p/session/{session_id}",
        )
    )


def _read_features(features: dict[str, Any]) -> Doc:
    return {
        name: {key: is_true(value) if key == "enabled" else value for key, value in fields.items()}
        for name, fields in features.items()
    }
