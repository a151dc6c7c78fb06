"""Payouts with their parts, the balance, and the expected rows."""

from dataclasses import replace
from typing import Any

import stripe

from tests.stripe_double import money
from tests.stripe_double.account import Account, Doc, Refusal
from tests.stripe_double.shapes import blank

DAY = 86_400
AVAILABLE_AFTER = 2 * DAY
ARRIVES_AFTER = 2 * DAY


def available_on(account: Account) -> int:
    """Return the midnight from which money received now is available for payout."""
    return (account.now + AVAILABLE_AFTER) // DAY * DAY


def plan(account: Account, row: Doc) -> None:
    """Schedule a payout for when a row is available; a payout's own row needs none."""
    if row["reporting_category"] != "payout":
        account.later(max(row["available_on"], account.now), lambda: _pay_out(account))


def create_payout(account: Account, params: dict[str, Any]) -> Doc:
    """Send a manual payout, if the available balance covers it."""
    (ready,) = balance(account, {})["available"]
    if params["currency"] != ready["currency"] or int(params["amount"]) > ready["amount"]:
        message = "You have insufficient available funds in your Stripe account."
        raise Refusal(400, message, code="balance_insufficient")
    return make_payout(account, int(params["amount"]), automatic=False)


def make_payout(account: Account, cents: int, *, automatic: bool) -> Doc:
    """Send a payout to the bank."""
    payout = account.add(
        blank(
            stripe.Payout,
            account.new_id("po"),
            account.now,
            amount=cents,
            arrival_date=account.now // DAY * DAY + ARRIVES_AFTER,
            automatic=automatic,
            currency=account.currency,
            method="standard",
            reconciliation_status="completed" if automatic else "not_applicable",
            source_type="card",
            status="in_transit",
            type="bank_account",
        )
    )
    row = money.move(account, "payout", -cents, source=payout["id"], available_on=account.now)
    payout["balance_transaction"] = row["id"]
    account.hidden[row["id"]] = {"payout": payout["id"]}
    account.emit("payout.created", payout)
    account.later(payout["arrival_date"], lambda: _arrive(account, payout))
    return payout


def fail_payout(account: Account, payout_id: str) -> None:
    """Make the bank return a payout."""
    payout = account.get("payout", payout_id)
    row = money.move(
        account,
        "payout_reversal",
        payout["amount"],
        kind="payout_failure",
        source=payout_id,
        available_on=account.now,
    )
    payout |= {"status": "failed", "failure_balance_transaction": row["id"]}
    account.emit("payout.failed", payout)


def list_payouts(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List payouts by status."""
    return [doc for doc in account.all("payout") if params.get("status") in {None, doc["status"]}]


def list_rows(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List balance transactions; for a payout, its parts and its own row."""
    since = params.get("created", {})
    gte = int(since.get("gte", 0)) if isinstance(since, dict) else 0
    return [
        row
        for row in account.all("balance_transaction")
        if row["created"] >= gte
        and params.get("type") in {None, row["type"]}
        and params.get("payout") in {None, account.hidden.get(row["id"], {}).get("payout")}
    ]


def balance(account: Account, params: dict[str, Any]) -> Doc:
    """Return the account's balance."""
    rows = [row for row in account.all("balance_transaction") if row["balance_type"] == "payments"]
    ready = sum(row["net"] for row in rows if row["available_on"] <= account.now)
    waiting = sum(row["net"] for row in rows if row["available_on"] > account.now)
    doc = blank(
        stripe.Balance,
        "",
        account.now,
        available=[{"amount": ready, "currency": account.currency, "source_types": None}],
        pending=[{"amount": waiting, "currency": account.currency, "source_types": None}],
    )
    del doc["id"]
    return doc


def _pay_out(account: Account) -> None:
    parts = [
        row
        for row in account.all("balance_transaction")
        if row["balance_type"] == "payments"
        and row["available_on"] <= account.now
        and row["id"] not in account.hidden
        and row["reporting_category"] != "payout"
    ]
    cents = sum(row["net"] for row in parts)
    if cents <= 0 or not account.pays_out:
        return
    payout = make_payout(account, cents, automatic=True)
    ids = {row["id"] for row in parts}
    for row in parts:
        row["status"] = "available"
        account.hidden[row["id"]] = {"payout": payout["id"]}
    account.books = [
        replace(movement, payout_id=payout["id"]) if movement.txn_id in ids else movement
        for movement in account.books
    ]


def _arrive(account: Account, payout: Doc) -> None:
    if payout["status"] == "in_transit":
        payout["status"] = "paid"
        account.emit("payout.paid", payout)
