"""``jara policy``: the fund split, the fee weights and the vote rule, with their dates."""

from collections.abc import Sequence
from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.fund_policy import FundPolicy, policy_in_force, require_percentages
from jara.domain.dates import parse_first_day
from jara.domain.voting.tally import (
    DEFAULT_RULE,
    Measure,
    RuleChange,
    change_in_force,
    change_rule,
    passes_words,
    rule_in_force,
)
from jara.records.operations import Approval
from jara.services.books.policies import earliest_day, set_policy, show_policies
from jara.services.context import Context
from jara.services.proposals.vote_rules import earliest_rule, list_rules, set_rule
from jara_cli.columns import Column, Kind
from jara_cli.options import Yes, argument, confirm, flag, option, parse_weights
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

FromDay = Annotated[
    str | None, option("DATE", "First day; default: as soon as possible.", "--from")
]

_RULE = (Column("from", "From", Kind.DATE), Column("rule", "Passes when", Kind.SENTENCE))
_RULES = (*_RULE, Column("inForce", "In force"))


@verb(app, *_WEIGHTS)
def show(context: Context) -> Answer:
    """Show how payments are split today, when proposals pass, and all past and future changes.

    Example: jara policy show
    """
    policies = show_policies(context)
    in_force, rules = policies.in_force, list_rules(context)
    changes = [
        {"from": one.valid_from, "weights": _weights_text(one), "inForce": one is in_force}
        for one in policies.all
    ]
    return Answer(
        {**to_document(in_force), "all": policies.all, "voteRules": rules},
        view=_rows(in_force),
        tables=[
            Table("All splits:", changes, _CHANGES),
            Table("A proposal passes when:", _rule_rows(context, rules), _RULES),
        ],
    )


@verb(app, *_WEIGHTS, name="set")
def set_command(
    context: Context,
    weights: Annotated[
        str, argument("FUND=WEIGHT,…", "How a payment is split over the funds, in percent.")
    ],
    why: Annotated[str, option("TEXT", "Reason; it is stored permanently.")],
    fees: Annotated[
        str | None, option("FUND=WEIGHT,…", "Which funds pay the fees; default: unchanged.")
    ] = None,
    from_day: FromDay = None,
    any_sum: Annotated[
        bool, flag("--weights", "These are weights: they need not sum to 100.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Set a new split that applies from a given day; earlier payments keep theirs.

    Shows the old and the new split, asks for confirmation, and emails the change to all members.
    They hear of it before it applies, so it applies from tomorrow on; at once while nobody is a
    member yet.

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


@verb(app, *_RULE)
def vote_rule(
    context: Context,
    why: Annotated[str, option("TEXT", "Reason; it is stored permanently.")],
    passes: Annotated[
        str | None,
        option(
            '"more than 1/2"|"at least 2/3"',
            "The yes votes that pass a proposal; default: unchanged.",
        ),
    ] = None,
    of: Annotated[
        Measure | None,
        typer.Option(
            help="What they are a share of: all who may vote, or the votes cast; "
            "default: unchanged."
        ),
    ] = None,
    quorum: Annotated[
        str | None,
        option(
            "SHARE",
            "Share of all who may vote that must vote, such as 20% or 1/3; none for none; "
            "default: unchanged.",
        ),
    ] = None,
    from_day: FromDay = None,
    yes: Yes = False,
) -> Answer:
    """Set when proposals pass that open from a given day on; votes that are open keep their rule.

    Without a rule of your own, a proposal passes with yes votes of half of all who may vote.
    Members hear of the change by email before it holds, so it holds from tomorrow on; at once
    while nobody is a member yet. `jara policy show` shows the rule.

    Example:
      jara policy vote-rule --passes "more than 1/2" --of votes --quorum 20% \\
          --why "By-law 7.3: a tie fails, and a fifth of the members must vote."
    """
    today = context.today()
    start = earliest_rule(context) if from_day is None else parse_first_day(from_day, today=today)
    before = rule_in_force(list_rules(context), start)
    change = RuleChange(start, change_rule(before, passes=passes, of=of, quorum=quorum))
    if not yes:
        note(f"Before: a proposal passes when {passes_words(before)}.")
        note(f"After:  a proposal passes when {passes_words(change.rule)}, from {start}.")
    confirm("Set this rule, and email the change to all members?", yes=yes)
    done = set_rule(context, change, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    note(
        "Texts of your own that say when a vote passes, such as answers in `jara faqs list`, stay."
    )
    return Answer(done, view={"from": done.valid_from, "rule": passes_words(done.rule)})


def _rule_rows(context: Context, rules: Sequence[RuleChange]) -> list[Document]:
    newest = change_in_force(rules, context.today())
    first: Document = {"from": None, "rule": passes_words(DEFAULT_RULE), "inForce": newest is None}
    return [first] + [
        {"from": one.valid_from, "rule": passes_words(one.rule), "inForce": one is newest}
        for one in rules
    ]


def _rows(policy: FundPolicy) -> list[Document]:
    return [
        {"fund": fund, "weight": weight, "feeWeight": policy.fee_weights[fund]}
        for fund, weight in policy.weights.items()
    ]


def _weights_text(policy: FundPolicy) -> str:
    return ", ".join(f"{fund} {weight}" for fund, weight in policy.weights.items())
