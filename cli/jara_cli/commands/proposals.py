"""``jara proposals``: proposals that members vote on."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.money import parse_cents
from jara.domain.voting.proposal import ProposalStatus
from jara.files.content_files import write_json, write_yaml
from jara.files.html import clean_document
from jara.services.books.commitments import release as release_commitment
from jara.services.books.posting import Books
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_due_votes, close_vote
from jara.services.proposals.lifecycle import (
    draft_proposal,
    edit_proposal,
    export_proposals,
    find_proposal,
    find_title,
    import_proposals,
    put_to_vote,
    withdraw_proposal,
)
from jara.services.proposals.views import list_proposals, show_proposal, tally_vote
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag, OutPath, Yes, confirm
from jara_cli.output import emit, note
from jara_cli.proposal_parts import (
    CARD,
    LIST,
    emit_record,
    read_documents_of,
    read_one_document,
    rounded_shares,
)

app = typer.Typer(no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="PROPOSAL", help="Id or slug, or its first characters.")
]
Source = Annotated[
    str,
    typer.Argument(metavar="FILE", help="YAML or JSON with the proposal; - is standard input."),
]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason; it is published.")]


@app.command("list")
def list_command(
    ctx: typer.Context,
    status: Annotated[
        ProposalStatus | None, typer.Option("--status", help="Only in this state.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the proposals with their counts, open ones first.

    \b
    Example:
      jara proposals list --status open
    """
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
    document = clean_document(show_proposal(open_application(ctx).context, name))
    card = {**document, **rounded_shares(document["tally"])}
    emit(document if as_json else card, as_json=as_json, columns=CARD)


@app.command()
def new(ctx: typer.Context, source: Source, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Create a draft from a file; it is not public until it is opened.

    If another proposal has the same title, it asks first.

    \b
    Example:
      jara proposals new wells.yaml
    """
    document = read_one_document(source)
    context = open_application(ctx).context
    twin = find_title(context, str(document.get("title", "")))
    if twin is not None:
        confirm(f"The proposal '{twin}' has this title. Create another one?", yes=yes)
    emit_record(draft_proposal(context, document), as_json=as_json)


@app.command()
def edit(ctx: typer.Context, name: Name, source: Source, as_json: JsonFlag = False) -> None:
    """Edit a draft: the keys in the file replace those of the proposal.

    \b
    Example:
      jara proposals edit wells later.yaml
    """
    changes = read_one_document(source)
    emit_record(edit_proposal(open_application(ctx).context, name, changes), as_json=as_json)


@app.command("open")
def open_command(
    ctx: typer.Context, name: Name, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Open the vote on a draft; its text can then no longer change.

    \b
    Example:
      jara proposals open wells --yes
    """
    context = open_application(ctx).context
    found = find_proposal(context, name)
    confirm(f"Open the vote on '{found.title}'? Its text cannot be changed afterwards.", yes=yes)
    emit_record(put_to_vote(context, found.id), as_json=as_json)


@app.command()
def close(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[PROPOSAL]", help="Proposal; default: all votes that have ended."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Close votes that have ended: count, publish, reserve the money.

    \b
    Example:
      jara proposals close
    """
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
    """Withdraw a draft or an open vote permanently.

    \b
    Example:
      jara proposals withdraw wells --why "The site was sold" --yes
    """
    context = open_application(ctx).context
    found = find_proposal(context, name)
    confirm(f"Withdraw '{found.title}'? Its votes will not count.", yes=yes)
    emit_record(withdraw_proposal(context, found.id, reason=why), as_json=as_json)


@app.command()
def fund(
    ctx: typer.Context,
    name: Name,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="SLUG", help="Existing project; default: create one."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Assign a passed proposal to a project, so that it can be paid.

    \b
    Example:
      jara proposals fund wells --project clean-water
    """
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
        typer.Argument(metavar="[AMOUNT]", help="Dollars; default: the rest of the goal."),
    ] = None,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Release money held for a proposal permanently.

    \b
    Example:
      jara proposals release wells 1.00 --why "Cheaper pump" --yes
    """
    cents = None if amount is None else parse_cents(amount)
    context = open_application(ctx).context
    found = find_proposal(context, name)
    confirm(f"Release the money held for '{found.title}' permanently?", yes=yes)
    with context.store.write() as work:
        left = release_commitment(
            context, work, Books(context, work), proposal_id=found.id, cents=cents, why=why
        )
    emit(
        {
            "id": found.id,
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
    """Import proposals from a file: create new drafts and update existing ones.

    \b
    Example:
      jara proposals import proposals.yaml
    """
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
    """Export all proposals as YAML or JSON, ready to import.

    \b
    Example:
      jara proposals export --out proposals.yaml
    """
    documents = [clean_document(one) for one in export_proposals(open_application(ctx).context)]
    write_output(out, write_json(documents) if as_json else write_yaml(documents))
    if out != "-":
        note(f"Wrote {len(documents)} proposals to '{out}'.")
