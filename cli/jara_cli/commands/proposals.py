"""``jara proposals``: proposals that members vote on."""

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.content.kinds import PROPOSAL
from jara.domain.language import Language
from jara.domain.money import parse_cents
from jara.domain.voting.proposal import ProposalStatus, parse_end
from jara.files.content_files import write_json, write_yaml
from jara.files.html import clean_document
from jara.records.operations import Approval
from jara.records.voting import ProposalRecord
from jara.services.books.commitments import release_commitment
from jara.services.context import Context
from jara.services.projects.funding import fund_proposal
from jara.services.proposals import lifecycle, views
from jara.services.proposals.closing import close_due_votes, close_vote
from jara_cli.columns import Column, Kind
from jara_cli.content_commands import (
    ChangedLanguage,
    Checked,
    LanguageOption,
    MaybeSource,
    for_reader,
    help_of,
    read_documents,
    read_one,
    require_change,
)
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag, OutPath, Yes, argument, confirm, option
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

_LIST = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("slug", "Slug"),
    Column("title", "Title", rank=2),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("fundingGoalCents", "Goal", Kind.CENTS),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
    Column("roll", "Roll", Kind.COUNT),
    Column("languages", "Other languages"),
]
_CARD = [
    Column("id", "Id"),
    Column("slug", "Slug"),
    Column("title", "Title"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("country", "Country"),
    Column("category", "Category"),
    Column("fundingGoalCents", "Goal", Kind.CENTS),
    Column("summary", "Summary"),
    Column("upvotePercentage", "Yes, rounded down", Kind.PERCENT),
    Column("downvotePercentage", "No, rounded down", Kind.PERCENT),
    Column("votes", "Votes", Kind.COUNT),
    Column("result", "Result"),
    Column("withdrawnBecause", "Withdrawn because"),
    Column("withdrawnBallots", "Ballots then", Kind.COUNT),
    Column("languages", "Other languages"),
]
_NAMED = [
    Column("id", "Id"),
    Column("slug", "Slug"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
]

Name = Annotated[str, argument("PROPOSAL", "Id or slug, or its first characters.")]
Source = Annotated[str, argument("FILE", "YAML or JSON with the proposal; - is standard input.")]
Why = Annotated[str, option("TEXT", "Reason; it is published.", "--why")]


@verb(app, *_LIST, name="list")
def list_command(
    context: Context,
    status: Annotated[ProposalStatus | None, typer.Option(help="Only in this state.")] = None,
    language: LanguageOption = None,
) -> Answer:
    """List the proposals with their counts, open ones first.

    Examples:
      jara proposals list --status open
      jara proposals list --language fr
    """
    statuses = () if status is None else (status,)
    reader = None if language is None else for_reader(context, language)
    listed = views.list_proposals(reader or context, *statuses, whole=reader is None)
    documents = [clean_document(one) for one in listed]
    carried = views.list_languages(context)
    return Answer(
        documents,
        view=[
            {**shown(context, one), **one["tally"], "languages": carried[one["id"]]}
            for one in documents
        ],
    )


@verb(app, *_CARD)
def show(context: Context, name: Name, language: LanguageOption = None) -> Answer:
    """Show one proposal with its counts.

    Examples:
      jara proposals show beekeeping
      jara proposals show beekeeping --language fr
    """
    reader = None if language is None else for_reader(context, language)
    document = clean_document(views.show_proposal(reader or context, name, whole=reader is None))
    carried = views.list_languages(context)[document["id"]]
    return Answer(document, view={**shown(context, document), "languages": carried})


@verb(
    app,
    *_NAMED,
    help_text=help_of(
        "Create a draft from a file; it is not public until it is opened.\n\n"
        "Amounts may be in units (fundingGoal, and amount in the budget) instead of cents, the end "
        "in days from today (endsInDays). If another proposal has the same title, it asks first.",
        "jara proposals new wells.yaml",
        PROPOSAL,
    ),
)
def new(context: Context, source: Source, yes: Yes = False) -> Answer:
    """Create a draft from a file."""
    document = read_one(context, source)
    twin = lifecycle.find_title(context, str(document.get("title", "")))
    if twin is not None:
        confirm(f"The proposal '{twin}' has this title. Create another one?", yes=yes)
    return _named(context, lifecycle.draft_proposal(context, document))


@verb(app, *_NAMED)
def edit(
    context: Context,
    name: Name,
    source: MaybeSource = None,
    language: ChangedLanguage = None,
    checked: Checked = False,
    why: Annotated[str, option("TEXT", "Reason of a correction; it is published.")] = "",
) -> Answer:
    """Edit a draft: the keys in the file replace those of the proposal.

    With --language the file has the texts in that language. From the opening on they are fixed
    too: a correction needs --why and is published in the log, and while the vote is open a second
    operator approves it.

    Examples:
      jara proposals edit wells later.yaml
      jara proposals edit wells french.yaml --language fr --why "a wrong amount"
    """
    changes = read_one(context, source)
    require_change(changes, language, checked=checked)
    chosen = None if language is None else Language(language)
    edited = lifecycle.edit_proposal(
        context, name, changes, language=chosen, checked=checked, why=why
    )
    return waiting(edited) if isinstance(edited, Approval) else _named(context, edited)


@verb(app, *_NAMED, name="open")
def open_command(context: Context, name: Name, yes: Yes = False) -> Answer:
    """Open the vote on a draft; its text can then no longer change.

    Example: jara proposals open wells --yes
    """
    proposal = lifecycle.find_proposal(context, name)
    confirm(f"Open the vote on '{proposal.title}'? Its text cannot be changed afterwards.", yes=yes)
    return _named(context, lifecycle.put_to_vote(context, proposal.id))


@verb(
    app,
    Column("id", "Id"),
    Column("status", "Result"),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
    Column("void", "Dropped", Kind.COUNT),
    Column("roll", "Roll", Kind.COUNT),
)
def close(
    context: Context,
    name: Annotated[
        str | None, argument("[PROPOSAL]", "Proposal; default: all votes that have ended.")
    ] = None,
) -> Answer:
    """Close votes that have ended: count, publish, reserve the money.

    Example: jara proposals close
    """
    closed = close_due_votes(context) if name is None else [close_vote(context, name)]
    tallies = [views.tally_vote(context, vote.record.proposal.id) for vote in closed]
    return Answer(tallies, view=[{**one, **one["proposal"]} for one in tallies])


@verb(app, *_NAMED)
def withdraw(context: Context, name: Name, why: Why, yes: Yes = False) -> Answer:
    """Withdraw a draft or an open vote permanently.

    A vote that has ballots needs a second operator. It stays listed, with the reason and the
    number of its ballots.

    Example: jara proposals withdraw wells --why "The site was sold" --yes
    """
    proposal = lifecycle.find_proposal(context, name)
    confirm(f"Withdraw '{proposal.title}'? Its votes will not count.", yes=yes)
    done = lifecycle.withdraw_proposal(context, proposal.id, reason=why)
    return waiting(done) if isinstance(done, Approval) else _named(context, done)


@verb(app, Column("slug", "Project"), Column("proposal", "Proposal"))
def fund(
    context: Context,
    name: Name,
    project: Annotated[str | None, option("SLUG", "Existing project; default: create one.")] = None,
) -> Document:
    """Assign a passed proposal to a project, so that it can be paid.

    Example: jara proposals fund wells --project clean-water
    """
    item = fund_proposal(context, name, project=project)
    return {"id": item.id, "slug": item.slug, "proposal": item.doc["proposal"]}


@verb(
    app,
    Column("id", "Proposal"),
    Column("goalCents", "Goal", Kind.CENTS),
    Column("heldCents", "Held", Kind.CENTS),
    Column("paidCents", "Paid", Kind.CENTS),
    Column("releasedCents", "Released", Kind.CENTS),
)
def release(
    context: Context,
    name: Name,
    why: Why,
    amount: Annotated[str | None, argument("[AMOUNT]", "Default: the rest of the goal.")] = None,
    yes: Yes = False,
) -> Answer:
    """Release money held for a proposal permanently.

    The reason is published. The amount counts against the limits like a payment.

    Example: jara proposals release wells 1.00 --why "Cheaper pump" --yes
    """
    cents = None if amount is None else parse_cents(amount)
    proposal = lifecycle.find_proposal(context, name)
    confirm(f"Release the money held for '{proposal.title}' permanently?", yes=yes)
    left = release_commitment(context, proposal.id, cents=cents, why=why)
    if isinstance(left, Approval):
        return waiting(left)
    return Answer(
        {
            "id": proposal.id,
            "goalCents": left.goal,
            "heldCents": left.held,
            "paidCents": left.paid,
            "releasedCents": left.released,
        }
    )


@verb(
    app,
    Column("created", "Created"),
    Column("changed", "Changed"),
    Column("unchanged", "Unchanged"),
    name="import",
)
def import_command(context: Context, source: Source) -> lifecycle.ImportReport:
    """Import proposals from a file: create new drafts and update existing ones.

    Example: jara proposals import proposals.yaml
    """
    return lifecycle.import_proposals(context, read_documents(context, source))


@verb(app)
def export(context: Context, out: OutPath = "-", as_json: JsonFlag = False) -> None:
    """Export all proposals as YAML or JSON, ready to import.

    Example: jara proposals export --out proposals.yaml
    """
    documents = [clean_document(one) for one in lifecycle.export_proposals(context)]
    write_output(out, write_json(documents) if as_json else write_yaml(documents))
    if out != "-":
        note(f"Wrote {len(documents):,} proposals to '{out}'.")


def shown(context: Context, document: Document) -> Document:
    """Return a proposal as people see it: with its state by now, and the last minute of a vote."""
    end, text = parse_end(document["endDate"]), document["endDate"]
    has_ended = document["status"] == ProposalStatus.OPEN and end <= context.now()
    if "T" in text:
        last = context.zone.last_minute(end)
        text = f"{context.zone.day_of(last)} {context.zone.clock(last)}"
    status = "ended, waiting for the count" if has_ended else document["status"]
    off = document.get("withdrawal") or {"reason": None, "ballots": None}
    return {
        **document,
        "status": status,
        "endDate": text,
        "withdrawnBecause": off["reason"],
        "withdrawnBallots": off["ballots"],
    }


def _named(context: Context, record: ProposalRecord) -> Answer:
    name = views.name_proposal(record)
    return Answer(name, view=shown(context, to_document(name)))
