"""``jara split``: what each fund gets of an amount."""

from typing import Annotated

import typer

from jara.domain.books.fund_policy import DEFAULT_POLICY, Weights, split
from jara.domain.errors import NotFound
from jara.services.books.policies import show_policies
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, root_overrides
from jara_cli.options import Cents, option, parse_weights
from jara_cli.verbs import Answer, verb

app = typer.Typer()


@verb(
    app,
    Column("fund", "Fund"),
    Column("weight", "Weight", Kind.COUNT),
    Column("cents", "Amount", Kind.CENTS),
    name="split",
)
def command(
    ctx: typer.Context,
    amount_cents: Cents,
    policy: Annotated[
        str | None, option("FUND=WEIGHT,…", "Weights; default: the policy in force.")
    ] = None,
) -> Answer:
    """Show what each fund gets of an amount, to the cent.

    The parts always add up to the amount.

    Examples:
      jara split 10.01
      jara split 1,457 --policy projects=80,staff=7,marketing=9,other=4 --json
    """
    weights = _weights_in_force(ctx) if policy is None else parse_weights(policy)
    parts = split(amount_cents, weights)
    return Answer(
        {"amountCents": amount_cents, "policy": weights, "parts": parts},
        view=[
            {"fund": fund, "weight": weights[fund], "cents": cents} for fund, cents in parts.items()
        ],
        total={"fund": "Total", "cents": amount_cents},
    )


def _weights_in_force(ctx: typer.Context) -> Weights:
    """Return today's split; without a database, the one stated in the FAQ (spec §9)."""
    try:
        return show_policies(open_application(ctx).context).in_force.weights
    except NotFound:
        if "database_url" in root_overrides(ctx):
            raise  # the given database does not exist
        return DEFAULT_POLICY.weights
