"""Subscriptions: creation, changes, renewals, end."""

import calendar
from datetime import UTC, datetime
from typing import Any

import stripe

from tests.stripe_double import catalogue, intents, invoices
from tests.stripe_double.account import Account, Doc, Refusal
from tests.stripe_double.form import is_true
from tests.stripe_double.shapes import blank, listing

ANNOUNCED_BEFORE = 7 * 86_400
_ENDED = ("canceled", "incomplete_expired")


def create(account: Account, params: dict[str, Any]) -> Doc:
    """Start a subscription; the card is charged now, or set up for a later day."""
    customer = account.get("customer", params["customer"], param="customer")
    if params.get("payment_behavior") != "allow_incomplete":
        raise Refusal(400, "The double knows allow_incomplete alone.", param="payment_behavior")
    _require_no_proration(params)
    anchor = _first_anchor(account, params)
    starts_now = anchor <= account.now
    subscription = _make(account, customer, params, anchor)
    end_at = after(anchor, account.now) if starts_now else anchor
    _set_period(subscription, account.now, end_at)
    if starts_now:
        subscription["status"] = "incomplete"
        cents = _cents(subscription)
        invoice = invoices.make_invoice(account, subscription, "subscription_create", cents)
        on_session = not is_true(params.get("off_session"))
        invoices.finalise(account, invoice, on_session=on_session)
        account.later(account.now + 23 * invoices.HOUR, lambda: _expire(account, subscription))
    else:
        subscription["status"] = "active"
        set_up = intents.make_set_up(account, customer)
        subscription["pending_setup_intent"] = set_up and set_up["id"]
    account.emit("customer.subscription.created", subscription)
    _plan_renewal(account, subscription)
    return subscription


def update(account: Account, params: dict[str, Any], subscription_id: str) -> Doc:
    """Change a subscription."""
    subscription = account.get("subscription", subscription_id)
    status = subscription["status"]
    if status in _ENDED:
        raise Refusal(400, f"A {status} subscription can only update its metadata.")
    if status == "incomplete" and params.keys() - {"metadata", "expand"}:
        raise Refusal(400, "An incomplete subscription can only update its metadata.")
    if "items" in params:
        _require_no_proration(params)
        _change_items(account, subscription, params["items"])
    if "default_payment_method" in params:
        subscription["default_payment_method"] = params["default_payment_method"] or None
    subscription["metadata"] = {**subscription["metadata"], **params.get("metadata", {})}
    if "trial_end" in params:
        _require_no_proration(params)
        _move_to(account, subscription, int(params["trial_end"]))
    if "pause_collection" in params:
        _pause(account, subscription, params["pause_collection"])
    account.emit("customer.subscription.updated", subscription)
    return subscription


def cancel(account: Account, params: dict[str, Any], subscription_id: str) -> Doc:
    """End a subscription immediately; an ended one is not found."""
    subscription = account.get("subscription", subscription_id)
    if subscription["status"] in _ENDED:
        message = f"No such subscription: '{subscription_id}'"
        raise Refusal(404, message, code="resource_missing", param="id")
    end(account, subscription, "canceled")
    return subscription


def end(account: Account, subscription: Doc, status: str) -> None:
    """End a subscription; Stripe stops collecting, but open invoices stay open."""
    if subscription["status"] in _ENDED:
        return
    subscription |= {"status": status, "canceled_at": account.now, "ended_at": account.now}
    for invoice in invoices.list_invoices(account, {"subscription": subscription["id"]}):
        if invoice["status"] in {"draft", "open"}:
            invoice["auto_advance"] = False
    account.emit("customer.subscription.deleted", subscription)


def list_subscriptions(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List subscriptions of a customer."""
    customer = params.get("customer")
    if customer:
        account.get("customer", customer, param="customer")
    return [
        doc
        for doc in account.all("subscription")
        if customer in {None, doc["customer"]}
        and (customer or doc["test_clock"] == params.get("test_clock"))
        and (params.get("status") == "all" or doc["status"] not in _ENDED)
    ]


def after(anchor: int, moment: int) -> int:
    """Return the first monthly anniversary of the anchor after a time."""
    start = datetime.fromtimestamp(anchor, UTC)
    months = 0
    while True:
        year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        at = start.replace(year=year, month=month + 1, day=min(start.day, last))
        if int(at.timestamp()) > moment:
            return int(at.timestamp())
        months += 1


def _make(account: Account, customer: Doc, params: dict[str, Any], anchor: int) -> Doc:
    subscription_id = account.new_id("sub")
    asked = params["items"][0]
    if "price_data" in asked:
        price = catalogue.create_price(account, asked["price_data"]) | {"active": False}
        account.add(price)
    else:
        price = account.get("price", asked["price"], param="items[0][price]")
    item = blank(
        stripe.SubscriptionItem,
        account.new_id("si"),
        account.now,
        price=price,
        plan={"object": "plan", "id": price["id"], "amount": price["unit_amount"]},
        quantity=int(asked.get("quantity", 1)),
        subscription=subscription_id,
        discounts=[],
        tax_rates=[],
    )
    mode = params.get("billing_mode", {}).get("type", "classic")
    return account.add(
        blank(
            stripe.Subscription,
            subscription_id,
            account.now,
            automatic_tax={"enabled": False, "disabled_reason": None, "liability": None},
            billing_cycle_anchor=anchor,
            billing_mode={"type": mode, "flexible": None, "updated_at": None},
            billing_schedules=[],
            cancel_at_period_end=False,
            collection_method="charge_automatically",
            currency=account.currency,
            customer=customer["id"],
            discounts=[],
            invoice_settings={"account_tax_ids": None, "issuer": {"type": "self"}},
            items=listing([item], f"/v1/subscription_items?subscription={subscription_id}"),
            metadata=params.get("metadata", {}),
            payment_settings=params.get("payment_settings"),
            start_date=account.now,
            status="active",
            test_clock=customer["test_clock"],
        )
    )


def _first_anchor(account: Account, params: dict[str, Any]) -> int:
    config = params.get("billing_cycle_anchor_config")
    if config is None:
        return int(params.get("billing_cycle_anchor", account.now))
    now = datetime.fromtimestamp(account.now, UTC)
    hour, minute, second = (
        int(config.get(name, getattr(now, name))) for name in ("hour", "minute", "second")
    )
    wanted = int(config["day_of_month"])
    grid = datetime(now.year - 1, 12, wanted, hour, minute, second, tzinfo=UTC)
    return after(int(grid.timestamp()), account.now - 1)


def _set_period(subscription: Doc, start: int, end_at: int) -> None:
    item = subscription["items"]["data"][0]
    item |= {"current_period_start": start, "current_period_end": end_at}


def _cents(subscription: Doc) -> int:
    item = subscription["items"]["data"][0]
    return int(item["quantity"] * item["price"]["unit_amount"])


def _change_items(account: Account, subscription: Doc, asked: list[Doc]) -> None:
    items = subscription["items"]["data"]
    for change in asked:
        if change.get("id") != items[0]["id"]:
            raise Refusal(400, "Without the item's id this adds a second item.", param="items")
        if "price" in change:
            price = account.get("price", change["price"], param="items[0][price]")
            old, new = items[0]["price"], price
            if (old["currency"], old["recurring"]["interval"]) != (
                new["currency"],
                new["recurring"]["interval"],
            ):
                raise Refusal(400, "Another interval or currency would charge at once.")
            items[0]["price"] = price
        items[0]["quantity"] = int(change["quantity"])


def _move_to(account: Account, subscription: Doc, trial_end: int) -> None:
    """Change the day with a free trial until then and a new anchor."""
    if trial_end <= account.now:
        raise Refusal(400, "The trial has to end in the future.", param="trial_end")
    trial_end += account.trials_slip_by
    _set_period(subscription, account.now, trial_end)
    subscription |= {
        "status": "trialing",
        "trial_start": account.now,
        "trial_end": trial_end,
        "billing_cycle_anchor": trial_end,
    }
    invoice = invoices.make_invoice(account, subscription, "subscription_update", 0)
    invoices.finalise(account, invoice, on_session=True)
    _plan_renewal(account, subscription)


def _pause(account: Account, subscription: Doc, asked: Any) -> None:
    if asked == "":
        subscription["pause_collection"] = None
        return
    resumes_at = int(asked["resumes_at"]) if "resumes_at" in asked else None
    subscription["pause_collection"] = {"behavior": asked["behavior"], "resumes_at": resumes_at}
    if resumes_at is not None:
        account.later(resumes_at, lambda: _resume(account, subscription, resumes_at))


def _resume(account: Account, subscription: Doc, resumes_at: int) -> None:
    pause = subscription["pause_collection"]
    if pause is not None and pause["resumes_at"] == resumes_at:
        subscription["pause_collection"] = None
        account.emit("customer.subscription.updated", subscription)


def _plan_renewal(account: Account, subscription: Doc) -> None:
    at = subscription["items"]["data"][0]["current_period_end"]
    account.later(at, lambda: _renew(account, subscription, at))
    if at - ANNOUNCED_BEFORE > account.now:
        account.later(at - ANNOUNCED_BEFORE, lambda: _announce(account, subscription, at))


def _announce(account: Account, subscription: Doc, at: int) -> None:
    """Announce the next invoice, which has no id yet, unless paused."""
    stale = subscription["items"]["data"][0]["current_period_end"] != at
    if stale or subscription["pause_collection"] or subscription["status"] in _ENDED:
        return
    details = {"subscription": subscription["id"], "metadata": dict(subscription["metadata"])}
    parent = {"type": "subscription_details", "subscription_details": details}
    coming = {"object": "invoice", "customer": subscription["customer"], "parent": parent}
    account.emit("invoice.upcoming", coming | {"amount_due": _cents(subscription)})


def _renew(account: Account, subscription: Doc, at: int) -> None:
    """Start a new period; if paused, its invoice is created and voided."""
    stale = subscription["items"]["data"][0]["current_period_end"] != at
    if stale or subscription["status"] not in {"active", "trialing", "past_due"}:
        return
    if subscription["status"] == "trialing":
        subscription["status"] = "active"
    _set_period(subscription, at, after(subscription["billing_cycle_anchor"], at))
    cents = _cents(subscription)
    invoice = invoices.make_invoice(account, subscription, "subscription_cycle", cents)
    account.emit("customer.subscription.updated", subscription)
    if subscription["pause_collection"] is not None:
        invoices.set_void(account, invoice)
    else:
        account.later(
            at + invoices.HOUR, lambda: invoices.finalise(account, invoice, on_session=False)
        )
    _plan_renewal(account, subscription)


def _expire(account: Account, subscription: Doc) -> None:
    if subscription["status"] != "incomplete":
        return
    invoices.set_void(account, account.get("invoice", subscription["latest_invoice"]))
    end(account, subscription, "incomplete_expired")


def _require_no_proration(params: dict[str, Any]) -> None:
    if params.get("proration_behavior") != "none":
        raise Refusal(400, "Anything but `none` would charge parts.", param="proration_behavior")
