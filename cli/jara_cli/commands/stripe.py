"""``jara stripe``: product, price, webhook endpoint and portal in the Stripe account."""

from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.giving.adopting import Adoption, adopt_subscriptions, check_adoptions
from jara.services.operations.diagnosis import is_well
from jara.services.operations.payment_account import (
    check_account,
    confirm_by_eye,
    require_account,
    set_account,
    set_up_account,
)
from jara_cli.columns import Column, Kind
from jara_cli.commands.doctor import CHECKS, check_documents
from jara_cli.options import Why, argument, flag, option
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)


@verb(
    app,
    Column("name", "What"),
    Column("id", "In the account"),
    Column("action", "Was"),
    Column("secret", "Secret"),
)
def setup(
    application: Application,
    confirm: Annotated[
        list[str] | None,
        option("NAME", "Record that you checked a setting that only the Dashboard shows."),
    ] = None,
    why: Why = "",
) -> Answer:
    """Create what Jara needs in the Stripe account; safe to run twice.

    The account of the keys becomes the organisation's. If operators have keys, that waits for
    their approval; then run it again.

    That is the product, the price of 1.00 a month, the webhook endpoint and the billing
    portal. The secret of a new endpoint is shown once.

    Examples:
      jara stripe setup
      jara stripe setup --confirm settlement-usd --confirm retries
    """
    account = application.live_payments().account
    if confirm:
        confirm_by_eye(application.context, account, confirm)
    steps = set_up_account(application.context, account, why=why)
    if isinstance(steps, Approval):
        return waiting(steps)
    for step in steps:
        if step.secret is not None:
            note("Set JARA_STRIPE_WEBHOOK_SECRET to the secret below; it is not shown again.")
        if step.action == "skipped":
            note("No webhook endpoint was created: JARA_SITE_URL must begin with https://.")
    return Answer(
        [{"name": s.name, "id": s.object_id, "action": s.action, "secret": s.secret} for s in steps]
    )


@verb(app, Column("account", "Account"), name="account")
def account_command(
    context: Context, account: Annotated[str, argument("ACCOUNT", "Its id: acct_…")], why: Why = ""
) -> Answer:
    """Set the Stripe account that payments go to; other operators must approve it.

    `jara stripe setup` sets the first one. Stripe's keys of any other account are refused.

    Example: jara stripe account acct_1MTfjCQ9PRzxEwkZ --why "Our new account"
    """
    done = set_account(context, account, why=why)
    return Answer({"account": account}) if done is None else waiting(done)


@verb(app, *CHECKS)
def status(application: Application) -> Answer:
    """Check the Stripe account; exits with 1 if payments must stop.

    Examples:
      jara stripe status
      jara stripe status --json
    """
    results = check_account(application.context, application.live_payments().account)
    checks = check_documents(results)
    well = is_well(results)
    return Answer({"ok": well, "checks": checks}, view=checks, ok=well)


@verb(
    app,
    Column("subscription", "Subscription", Kind.ID, rank=1),
    Column("email", "Email"),
    Column("amountCents", "Amount", Kind.CENTS),
    Column("nextChargeOn", "Next charge", Kind.DATE, rank=2),
    Column("fate", "Result"),
    Column("reason", "Why", Kind.SENTENCE),
)
def adopt(
    application: Application,
    dry_run: Annotated[
        bool, flag("--dry-run", "Show what would be taken over; change nothing.")
    ] = False,
) -> Answer:
    """Take over the Stripe account's live subscriptions as members' pledges, by email address.

    A subscription keeps its amount and its days: nothing is charged now, and no charge is doubled
    or skipped. A subscription that does not fit exactly is refused with a reason and stays
    unchanged in Stripe. You can run it again at any time; it completes an interrupted run.

    Examples:
      jara stripe adopt --dry-run
      jara stripe adopt
    """
    context, live = application.context, application.live_payments()
    require_account(context, live.account, keep=not dry_run)
    rows = (check_adoptions if dry_run else adopt_subscriptions)(context, live.takeover)
    document = [
        {
            "subscription": row.subscription.id,
            "customer": row.subscription.customer_id,
            "email": row.subscription.email,
            "status": row.subscription.status,
            "amountCents": row.subscription.cents,
            "currency": row.subscription.currency,
            "every": row.subscription.every,
            "nextChargeOn": row.subscription.charged_on,
            "fate": row.result,
            "reason": row.reason,
        }
        for row in rows
    ]
    counts = {result: sum(row.result is result for row in rows) for result in Adoption}
    notes = [", ".join(f"{count:,} {result}" for result, count in counts.items()) + "."]
    if dry_run:
        notes.append("This was a dry run: nothing was changed here or at Stripe.")
    return Answer({"dryRun": dry_run, "subscriptions": document}, view=document, notes=notes)
