"""``jara stripe``: product, price, webhook endpoint and portal in the Stripe account."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.services.giving.adopting import Adoption, adopt_subscriptions, check_adoptions
from jara.services.operations.payment_account import (
    check_account,
    confirm_by_eye,
    require_account,
    set_up_account,
)
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)


@app.command()
def setup(
    ctx: typer.Context,
    confirm: Annotated[
        list[str] | None,
        typer.Option(
            "--confirm",
            metavar="NAME",
            help="Record that you checked a setting that only the Dashboard shows.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Create what Jara needs in the Stripe account; safe to run twice.

    That is the product, the price of $1 a month, the webhook endpoint and the billing
    portal. The secret of a new endpoint is shown once.

    \b
    Examples:
      jara stripe setup
      jara stripe setup --confirm settlement-usd --confirm retries
    """
    application = open_application(ctx)
    account = application.live_payments().account
    if confirm:
        confirm_by_eye(application.context, account, confirm)
    steps = set_up_account(application.context, account)
    for step in steps:
        if step.secret is not None:
            note("Set JARA_STRIPE_WEBHOOK_SECRET to the secret below; it is not shown again.")
        if step.action == "skipped":
            note("No webhook endpoint was created: JARA_SITE_URL must begin with https://.")
    emit(
        [
            {"name": s.name, "id": s.object_id, "action": s.action, "secret": s.secret}
            for s in steps
        ],
        as_json=as_json,
        columns=[
            Column("name", "What"),
            Column("id", "In the account"),
            Column("action", "Was"),
            Column("secret", "Secret"),
        ],
    )


@app.command()
def status(ctx: typer.Context, as_json: JsonFlag = False) -> int:
    """Check the Stripe account; exits with 1 if payments must stop.

    \b
    Examples:
      jara stripe status
      jara stripe status --json
    """
    application = open_application(ctx)
    results = check_account(application.context, application.live_payments().account)
    checks = [
        {"name": r.name, "ok": r.ok, "level": r.level.value, "message": r.message} for r in results
    ]
    well = all(result.ok for result in results)
    emit(
        {"ok": well, "checks": checks},
        as_json=as_json,
        columns=[
            Column("name", "Check"),
            Column("level", "Level"),
            Column("message", "What was seen", Kind.SENTENCE),
        ],
        rows=checks,
    )
    return ExitCode.DONE if well else ExitCode.NO


@app.command()
def adopt(
    ctx: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be adopted; change nothing.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Adopt the Stripe account's live subscriptions as members' pledges, matched by email address.

    A subscription keeps its amount and its days: nothing is charged now, and no charge is doubled
    or skipped. A subscription that does not fit exactly is refused with a reason and stays
    unchanged in Stripe. You can run it again at any time; it completes an interrupted run.

    \b
    Examples:
      jara stripe adopt --dry-run
      jara stripe adopt
    """
    application = open_application(ctx)
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
            "fate": str(row.result),
            "reason": row.reason,
        }
        for row in rows
    ]
    emit(
        {"dryRun": dry_run, "subscriptions": document},
        as_json=as_json,
        columns=[
            Column("subscription", "Subscription", Kind.ID, rank=1),
            Column("email", "Email"),
            Column("amountCents", "Amount", Kind.CENTS),
            Column("nextChargeOn", "Next charge", Kind.DATE, rank=2),
            Column("fate", "Result"),
            Column("reason", "Why", Kind.SENTENCE),
        ],
        rows=document,
    )
    counts = {result: sum(row.result is result for row in rows) for result in Adoption}
    note(", ".join(f"{count:,} {result}" for result, count in counts.items()) + ".")
    if dry_run:
        note("This was a dry run: nothing was changed here or at Stripe.")
