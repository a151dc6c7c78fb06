"""``jara policy``: the fund split and the fee weights, with their dates."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.domain.books.fund_policy import FundPolicy, policy_in_force, require_percentages
from jara.domain.dates import parse_first_day
from jara.records.operations import Approval
from jara.services.books.policies import set_policy, show_policies
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit, note
from jara_cli.waiting import exit_waiting
from jara_cli.weights import parse_weights

app = typer.Typer(no_args_is_help=True)

_WEIGHTS = (
    Column("fund", "Fund"),
    Column("weight", "Of a payment", Kind.COUNT),
    Column("feeWeight", "Of its fee", Kind.COUNT),
)


@app.command()
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show how payments are split today, and all past and future changes.

    \b
    Example:
      jara policy show
    """
    found = show_policies(open_application(ctx).context)
    document = _document(found.in_force)
    document["all"] = [_document(policy) for policy in found.all]
    emit(document, as_json=as_json, columns=_WEIGHTS, rows=_rows(found.in_force))
    if not as_json:
        for policy in found.all:
            mark = " (in force)" if policy is found.in_force else ""
            note(f"from {policy.valid_from}: {_shown(policy)}{mark}")


@app.command("set")
def set_command(
    ctx: typer.Context,
    weights: Annotated[
        str, typer.Argument(metavar="FUND=WEIGHT,…", help="How a payment is split.")
    ],
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="Reason; it is stored permanently.")
    ],
    fees: Annotated[
        str | None,
        typer.Option(
            "--fees", metavar="FUND=WEIGHT,…", help="Which funds pay card fees; default: unchanged."
        ),
    ] = None,
    from_day: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="First day; default: today.")
    ] = None,
    any_sum: Annotated[
        bool, typer.Option("--weights", help="These are weights: they need not sum to 100.")
    ] = False,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Set a new split that applies from a given day; earlier payments keep theirs.

    Shows the old and the new split, and asks for confirmation.

    \b
    Example:
      jara policy set projects=82,staff=6,marketing=8,other=4 --from 2027-01-01 \\
          --why "Voted by the trustees on 20 November."
    """
    context = open_application(ctx).context
    today = context.today()
    known = show_policies(context)
    policy = FundPolicy(
        today if from_day is None else parse_first_day(from_day, today=today),
        parse_weights(weights, whole=True),
        known.in_force.fee_weights if fees is None else parse_weights(fees),
    )
    if not any_sum:
        require_percentages(policy.weights)
    if not yes:
        before = policy_in_force(known.all, policy.valid_from)
        note(f"Before: {_shown(before)}")
        note(f"After:  {_shown(policy)}, from {policy.valid_from}")
    confirm("Set this split?", yes=yes)
    done = set_policy(context, policy, why=why)
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    emit(_document(done), as_json=as_json, columns=_WEIGHTS, rows=_rows(done))


def _document(policy: FundPolicy) -> dict[str, Any]:
    return {
        "from": policy.valid_from,
        "weights": dict(policy.weights),
        "feeWeights": dict(policy.fee_weights),
    }


def _rows(policy: FundPolicy) -> list[dict[str, object]]:
    return [
        {"fund": fund, "weight": weight, "feeWeight": policy.fee_weights[fund]}
        for fund, weight in policy.weights.items()
    ]


def _shown(policy: FundPolicy) -> str:
    return ", ".join(f"{fund} {weight}" for fund, weight in policy.weights.items())
