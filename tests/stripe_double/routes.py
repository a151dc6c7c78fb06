"""Maps each call of Stripe's API to a function and the SDK's type of its parameters."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from stripe import params as sdk
from stripe.params import billing_portal as sdk_portal
from stripe.params import test_helpers as sdk_test

from tests.stripe_double import (
    catalogue,
    customers,
    intents,
    invoices,
    money,
    payouts,
    subscriptions,
    test_clocks,
)
from tests.stripe_double.account import Account, Doc

Answer = Doc | list[Doc]
ACCOUNT_ID = "acct_double"


@dataclass(frozen=True)
class Route:
    """A call of the API."""

    method: str
    pattern: re.Pattern[str]
    act: Callable[..., Answer]
    params: type | None = None
    is_search: bool = False


def _route(
    method: str,
    path: str,
    act: Callable[..., Answer],
    params: type | None = None,
    *,
    is_search: bool = False,
) -> Route:
    pattern = re.compile("/v1/" + path.replace("*", "([^/]+)"))
    return Route(method, pattern, act, params, is_search)


def _one(kind: str, account: Account, params: dict[str, Any], object_id: str) -> Doc:
    return account.get(kind, object_id)


def _every(kind: str, account: Account, params: dict[str, Any]) -> list[Doc]:
    return account.all(kind)


def _with_kind(kind: str, account: Account, params: dict[str, Any]) -> list[Doc]:
    wanted = {key: params[key] == "true" for key in ("active",) if key in params}
    return [
        doc
        for doc in account.all(kind)
        if all(doc[key] is value for key, value in wanted.items())
        and params.get("type") in {None, doc.get("type")}
    ]


def _account(account: Account, params: dict[str, Any]) -> Doc:
    return {"id": ACCOUNT_ID, "object": "account"}


def _events(account: Account, params: dict[str, Any]) -> list[Doc]:
    return account.events[::-1]


ROUTES = (
    _route("GET", "account", _account),
    _route("GET", "customers/search", customers.search_customers, is_search=True),
    _route("GET", "customers", customers.list_customers, sdk.CustomerListParams),
    _route("POST", "customers", customers.create_customer, sdk.CustomerCreateParams),
    _route("GET", "customers/*", partial(_one, "customer")),
    _route("POST", "customers/*", customers.update_customer, sdk.CustomerUpdateParams),
    _route("DELETE", "customers/*", customers.delete_customer),
    _route("POST", "payment_methods", customers.create_method, sdk.PaymentMethodCreateParams),
    _route("GET", "payment_methods/*", partial(_one, "payment_method")),
    _route("POST", "payment_methods/*/attach", customers.attach, sdk.PaymentMethodAttachParams),
    _route("GET", "subscriptions", subscriptions.list_subscriptions, sdk.SubscriptionListParams),
    _route("POST", "subscriptions", subscriptions.create, sdk.SubscriptionCreateParams),
    _route("GET", "subscriptions/*", partial(_one, "subscription")),
    _route("POST", "subscriptions/*", subscriptions.update, sdk.SubscriptionUpdateParams),
    _route("DELETE", "subscriptions/*", subscriptions.cancel, sdk.SubscriptionCancelParams),
    _route("GET", "invoices", invoices.list_invoices, sdk.InvoiceListParams),
    _route("GET", "invoices/*", partial(_one, "invoice")),
    _route("POST", "invoices/*/pay", invoices.pay, sdk.InvoicePayParams),
    _route("POST", "invoices/*/void", invoices.void, sdk.InvoiceVoidInvoiceParams),
    _route("POST", "invoices/*", invoices.update, sdk.InvoiceUpdateParams),
    _route("GET", "invoice_payments", invoices.list_payments, sdk.InvoicePaymentListParams),
    _route("GET", "invoice_payments/*", partial(_one, "invoice_payment")),
    _route("POST", "payment_intents", intents.create_gift, sdk.PaymentIntentCreateParams),
    _route("GET", "payment_intents/*", partial(_one, "payment_intent")),
    _route("GET", "setup_intents/*", partial(_one, "setup_intent")),
    _route("GET", "charges", money.list_charges, sdk.ChargeListParams),
    _route("GET", "charges/*", partial(_one, "charge")),
    _route("POST", "refunds", money.create_refund, sdk.RefundCreateParams),
    _route("GET", "disputes", money.list_disputes, sdk.DisputeListParams),
    _route("POST", "disputes/*", money.submit_evidence, sdk.DisputeUpdateParams),
    _route("GET", "radar/early_fraud_warnings/*", partial(_one, "radar.early_fraud_warning")),
    _route("GET", "balance_transactions", payouts.list_rows, sdk.BalanceTransactionListParams),
    _route("GET", "balance", payouts.balance),
    _route("GET", "payouts", payouts.list_payouts, sdk.PayoutListParams),
    _route("POST", "payouts", payouts.create_payout, sdk.PayoutCreateParams),
    _route("GET", "events", _events, sdk.EventListParams),
    _route("GET", "test_helpers/test_clocks", partial(_every, "test_helpers.test_clock")),
    _route("POST", "test_helpers/test_clocks", test_clocks.create, sdk_test.TestClockCreateParams),
    _route("GET", "test_helpers/test_clocks/*", test_clocks.read),
    _route("DELETE", "test_helpers/test_clocks/*", test_clocks.delete),
    _route(
        "POST",
        "test_helpers/test_clocks/*/advance",
        test_clocks.advance,
        sdk_test.TestClockAdvanceParams,
    ),
    _route("GET", "products", partial(_with_kind, "product"), sdk.ProductListParams),
    _route("POST", "products", catalogue.create_product, sdk.ProductCreateParams),
    _route("GET", "prices", partial(_with_kind, "price"), sdk.PriceListParams),
    _route("POST", "prices", catalogue.create_price, sdk.PriceCreateParams),
    _route("GET", "webhook_endpoints", partial(_every, "webhook_endpoint")),
    _route("POST", "webhook_endpoints", catalogue.create_endpoint, sdk.WebhookEndpointCreateParams),
    _route(
        "POST", "webhook_endpoints/*", catalogue.update_endpoint, sdk.WebhookEndpointUpdateParams
    ),
    _route("DELETE", "webhook_endpoints/*", catalogue.delete_endpoint),
    _route(
        "GET",
        "billing_portal/configurations",
        partial(_with_kind, "billing_portal.configuration"),
        sdk_portal.ConfigurationListParams,
    ),
    _route(
        "POST",
        "billing_portal/configurations",
        catalogue.create_portal,
        sdk_portal.ConfigurationCreateParams,
    ),
    _route(
        "POST",
        "billing_portal/configurations/*",
        catalogue.update_portal,
        sdk_portal.ConfigurationUpdateParams,
    ),
    _route(
        "POST", "billing_portal/sessions", catalogue.create_session, sdk_portal.SessionCreateParams
    ),
)


def find_route(method: str, path: str) -> tuple[Route, tuple[str, ...]] | None:
    """Return the route of a call, and the ids in its path."""
    for route in ROUTES:
        match = route.pattern.fullmatch(path)
        if route.method == method and match is not None:
            return route, match.groups()
    return None
