"""``jara policy``: the fund split and the fee weights, with their dates."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.fund_policy import FundPolicy, policy_in_force, require_percentages
from jara.domain.dates import parse_first_day
from jara.records.operations import Approval
from jara.services.books.policies import earliest_day, set_policy, show_policies
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import Yes, confirm, parse_weights
from jara_cli.output import note
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

_WEIGHTS = (
    Column("fund", "Fund"),
    Column("weight", "Of a payment", Kind.COUNT),
    Column("feeWeight", "Of its fee", Kind.COUNT),
)

_CHANGES = (
    Column("from", "From", Kind.DATE),
    Column("weights", "Split", Kind.SENTENCE),
    Column("inForce", "In force"),
)


@verb(app, *_WEIGHTS)
def show(context: Context) -> Answer:
    """Show how payments are split today, and all past and future changes.

    \b
    Example:
      jara policy show
    """
    policies = show_policies(context)
    in_force = policies.in_force
    changes = [
        {"from": one.valid_from, "weights": _weights_text(one), "inForce": one is in_force}
        for one in policies.all
    ]
    return Answer(
        {**to_document(in_force), "all": policies.all},
        view=_rows(in_force),
        tables=[Table("All splits:", changes, _CHANGES)],
    )


@verb(app, *_WEIGHTS, name="set")
def set_command(
    context: Context,
    weights: Annotated[
        str,
        typer.Argument(
            metavar="FUND=WEIGHT,…", help="How a payment is split over the funds, in percent."
        ),
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
        str | None,
        typer.Option("--from", metavar="DATE", help="First day; default: as soon as possible."),
    ] = None,
    any_sum: Annotated[
        bool, typer.Option("--weights", help="These are weights: they need not sum to 100.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Set a new split that applies from a given day; earlier payments keep theirs.

    Shows the old and the new split, asks for confirmation, and emails the change to all members.
    They hear of it before it applies, so it applies from tomorrow on; at once while nobody is a
    member yet.

    \b
    Example:
      jara policy set projects=82,staff=6,marketing=8,other=4 --from 2027-01-01 \\
          --why "Voted by the trustees on 20 November."
    """
    today = context.today()
    policies = show_policies(context)
    policy = FundPolicy(
        earliest_day(context) if from_day is None else parse_first_day(from_day, today=today),
        parse_weights(weights, whole=True),
        policies.in_force.fee_weights if fees is None else parse_weights(fees),
    )
    if not any_sum:
        require_percentages(policy.weights)
    if not yes:
        before = policy_in_force(policies.all, policy.valid_from)
        note(f"Before: {_weights_text(before)}")
        note(f"After:  {_weights_text(policy)}, from {policy.valid_from}")
    confirm("Set this split, and email the change to all members?", yes=yes)
    done = set_policy(context, policy, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return Answer(done, view=_rows(done))


def _rows(policy: FundPolicy) -> list[Document]:
    return [
        {"fund": fund, "weight": weight, "feeWeight": policy.fee_weights[fund]}
        for fund, weight in policy.weights.items()
    ]


def _weights_text(policy: FundPolicy) -> str:
    return ", ".join(f"{fund} {weight}" for fund, weight in policy.weights.items())
