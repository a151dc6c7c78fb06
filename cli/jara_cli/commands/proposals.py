"""``jara proposals``: what is voted on."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.money import parse_cents
from jara.domain.voting.proposal import ProposalStatus
from jara_cli.context import open_application
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag, OutPath, Yes, confirm
from jara_cli.output import Column, Kind, emit, note
from jara_cli.proposal_parts import CARD, LIST, emit_record, read_documents_of, read_one_document

app = typer.Typer(no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="PROPOSAL", help="Its id or slug, or a unique beginning.")
]
Source = Annotated[
    str,
    typer.Argument(metavar="FILE", help="YAML or JSON with the keys of a proposal; - reads stdin."),
]
Why = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="The reason, for everybody to read.")
]


@app.command("list")
def list_command(
    ctx: typer.Context,
    status: Annotated[
        ProposalStatus | None, typer.Option("--status", help="Only those in this state.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the proposals with their counts, open ones first.

    \b
    Example:
      jara proposals list --status open
    """
    from jara.files.html import clean_document
    from jara.services.proposals.views import list_proposals

    wanted = () if status is None else (status,)
    shown = [clean_document(one) for one in list_proposals(open_application(ctx).context, *wanted)]
    rows = [{**one, **one["tally"]} for one in shown]
    emit(shown, as_json=as_json, columns=LIST, rows=rows)


@app.command()
def show(ctx: typer.Context, name: Name, as_json: JsonFlag = False) -> None:
    """Show one proposal with its counts.

    \b
    Example:
      jara proposals show beekeeping
    """
    from jara.files.html import clean_document
    from jara.services.proposals.views import show_proposal

    emit(
        clean_document(show_proposal(open_application(ctx).context, name)),
        as_json=as_json,
        columns=CARD,
    )


@app.command()
def new(ctx: typer.Context, source: Source, as_json: JsonFlag = False) -> None:
    """Draft a proposal from a file; nobody sees it before it is opened.

    \b
    Example:
      jara proposals new wells.yaml
    """
    from jara.services.proposals.lifecycle import draft_proposal

    document = read_one_document(source)
    emit_record(draft_proposal(open_application(ctx).context, document), as_json=as_json)


@app.command()
def edit(ctx: typer.Context, name: Name, source: Source, as_json: JsonFlag = False) -> None:
    """Change a draft: the keys in the file replace those of the proposal.

    \b
    Example:
      jara proposals edit wells later.yaml
    """
    from jara.services.proposals.lifecycle import edit_proposal

    changes = read_one_document(source)
    emit_record(edit_proposal(open_application(ctx).context, name, changes), as_json=as_json)


@app.command("open")
def open_command(
    ctx: typer.Context, name: Name, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Put a draft to the vote; from then on its text is fixed.

    \b
    Example:
      jara proposals open wells --yes
    """
    from jara.services.proposals.lifecycle import put_to_vote

    context = open_application(ctx).context
    confirm(f"Open the vote on '{name}'? Its text cannot be changed afterwards.", yes=yes)
    emit_record(put_to_vote(context, name), as_json=as_json)


@app.command()
def close(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[PROPOSAL]", help="Only this one; else all whose end has come."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Close votes whose end has come: count, publish, promise the money.

    \b
    Example:
      jara proposals close
    """
    from jara.services.proposals.closing import close_due_votes, close_vote
    from jara.services.proposals.views import tally_vote

    context = open_application(ctx).context
    closed = close_due_votes(context) if name is None else [close_vote(context, name)]
    tallies = [tally_vote(context, vote.record.proposal.id) for vote in closed]
    rows = [{**one, **one["proposal"]} for one in tallies]
    columns = [
        Column("id", "Id"),
        Column("status", "Result"),
        Column("yes", "Yes", Kind.COUNT),
        Column("no", "No", Kind.COUNT),
        Column("void", "Voided", Kind.COUNT),
        Column("roll", "Roll", Kind.COUNT),
    ]
    emit(tallies, as_json=as_json, columns=columns, rows=rows)


@app.command()
def withdraw(
    ctx: typer.Context, name: Name, why: Why, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Take a draft or an open vote back, for good.

    \b
    Example:
      jara proposals withdraw wells --why "The site was sold" --yes
    """
    from jara.services.proposals.lifecycle import withdraw_proposal

    context = open_application(ctx).context
    confirm(f"Withdraw '{name}'? Its votes will count for nothing.", yes=yes)
    emit_record(withdraw_proposal(context, name, reason=why), as_json=as_json)


@app.command()
def fund(
    ctx: typer.Context,
    name: Name,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="SLUG", help="A project that exists; else one is made."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Give a passed proposal its project, from which it is paid.

    \b
    Example:
      jara proposals fund wells --project clean-water
    """
    from jara.services.projects.funding import fund_proposal

    item = fund_proposal(open_application(ctx).context, name, project=project)
    emit(
        {"id": item.id, "slug": item.slug, "proposal": item.doc["proposal"]},
        as_json=as_json,
        columns=[Column("slug", "Project"), Column("proposal", "Proposal")],
    )


@app.command()
def release(
    ctx: typer.Context,
    name: Name,
    why: Why,
    amount: Annotated[
        str | None,
        typer.Argument(metavar="[AMOUNT]", help="Dollars; else all that is left of the goal."),
    ] = None,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Give back what is held for a proposal; it is not held again.

    \b
    Example:
      jara proposals release wells 1.00 --why "Cheaper pump" --yes
    """
    from jara.services.books.commitments import release as release_commitment
    from jara.services.books.posting import Books

    cents = None if amount is None else parse_cents(amount)
    context = open_application(ctx).context
    confirm(f"Release what is held for '{name}'? It is not held again.", yes=yes)
    with context.store.write() as work:
        proposal_id = work.proposals.find(name).proposal.id
        left = release_commitment(
            context, work, Books(context, work), proposal_id=proposal_id, cents=cents, why=why
        )
    emit(
        {
            "id": proposal_id,
            "goalCents": left.goal,
            "heldCents": left.held,
            "paidCents": left.paid,
            "releasedCents": left.released,
        },
        as_json=as_json,
        columns=[
            Column("id", "Proposal"),
            Column("goalCents", "Goal", Kind.CENTS),
            Column("heldCents", "Held", Kind.CENTS),
            Column("paidCents", "Paid", Kind.CENTS),
            Column("releasedCents", "Released", Kind.CENTS),
        ],
    )


@app.command("import")
def import_command(ctx: typer.Context, source: Source, as_json: JsonFlag = False) -> None:
    """Take over proposals from a file: new ones as drafts, known drafts changed.

    \b
    Example:
      jara proposals import proposals.yaml
    """
    from jara.services.proposals.lifecycle import import_proposals

    report = import_proposals(open_application(ctx).context, read_documents_of(source))
    emit(
        {
            "created": list(report.created),
            "changed": list(report.changed),
            "unchanged": list(report.unchanged),
        },
        as_json=as_json,
        columns=[
            Column("created", "Created"),
            Column("changed", "Changed"),
            Column("unchanged", "Unchanged"),
        ],
    )


@app.command()
def export(
    ctx: typer.Context,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Write every proposal as YAML, or JSON; imported again it changes nothing.

    \b
    Example:
      jara proposals export --out proposals.yaml
    """
    from jara.files.content_files import write_json, write_yaml
    from jara.files.html import clean_document
    from jara.services.proposals.lifecycle import export_proposals

    documents = [clean_document(one) for one in export_proposals(open_application(ctx).context)]
    write_output(out, write_json(documents) if as_json else write_yaml(documents))
    if out != "-":
        note(f"{len(documents)} proposals are in {out}.")
