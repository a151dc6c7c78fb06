"""``jara projects``: funded projects: content, payouts, milestones, evidence."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.documents import Document, to_document
from jara.domain.books.foreign import describe_foreign, public_amount
from jara.domain.books.journal import PostedEntry
from jara.domain.content.fields import parse_number
from jara.domain.content.kinds import KINDS, PROJECTS
from jara.domain.dates import parse_period
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, parse_cents
from jara.files.media import MEDIA_BYTES_MAX, keep_media, read_media
from jara.records.content import ContentItem
from jara.records.operations import Approval
from jara.services.content import show_item as find
from jara.services.context import Context
from jara.services.projects.catalogue import used_cents
from jara.services.projects.disbursing import Disbursement, disburse
from jara.services.projects.milestones import (
    Evidence,
    add_evidence,
    add_measure,
    add_measurement,
    add_milestone,
    finish_milestone,
    list_results,
    plan_payment,
)
from jara.services.projects.tranches import list_tranches
from jara_cli.columns import Column, Kind
from jara_cli.content_commands import FIGURES, item_answer, item_document, make_content_app
from jara_cli.inputs import open_input
from jara_cli.options import (
    BankCharge,
    Cents,
    ForeignOption,
    PaidFrom,
    RateSource,
    Yes,
    argument,
    confirm,
    flag,
    option,
    read_foreign_options,
)
from jara_cli.papers import PaperOptions
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import TRANCHES, entry_notes, say_tranche, waiting

_USED = "capitalUsedCents"


def _show(context: Context, item: ContentItem) -> Answer:
    """Show a project with the money that it used, as its page does, and that of its milestones."""
    tranches, used = list_tranches(context, item.slug), used_cents(context, item)
    shown = item_answer(item if not used else item._replace(doc={**item.doc, _USED: used}))
    return shown._replace(
        document={**item_document(item), FIGURES: tranches},
        tables=[Table("Money of the milestones:", tranches, TRANCHES)],
    )


app = make_content_app(KINDS[PROJECTS], _show)

Project = Annotated[str, argument("PROJECT", "Id or slug, or its first characters.")]
MilestoneOption = Annotated[str | None, option("ID", "Milestone that is paid.")]
Proposal = Annotated[str | None, option("PROPOSAL", "Passed proposal that authorises the payment.")]
_ENTRY = [
    Column("id", "Entry", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("account", "Account"),
    Column("proposal", "Proposal"),
    Column("cents", "Amount", Kind.CENTS),
]
_ABROAD = [*_ENTRY, Column("abroad", "Abroad")]


@verb(app)
def pay(
    context: Context,
    project: Project,
    amount_cents: Cents,
    papers: PaperOptions,
    proposal: Proposal = None,
    milestone: MilestoneOption = None,
    day: Annotated[
        str | None, option("DATE", "Date of the payment; default: today.", "--date")
    ] = None,
    foreign: ForeignOption = None,
    rate_source: RateSource = None,
    receipt: Annotated[str | None, option("FILE", "As --document receipt=FILE.")] = None,
    bank_charge: BankCharge = None,
    paid_from: PaidFrom = None,
    yes: Yes = False,
) -> Answer:
    """Book a payment to a project from the money held for its proposal.

    With --milestone it pays for one part of the project: all earlier milestones must be
    complete, and the payment cannot exceed what is left of the cost of that milestone:
    payments that wait for approval count too.

    AMOUNT is what the payment cost us, without the bank's charge. The charge is a
    separate entry: the funds that pay the fees pay it, never the project.

    Examples:
      jara projects pay clean-water-boreholes 610 \\
          --proposal prop_01 --milestone handover --document invoice.pdf
      jara projects pay clean-water-boreholes 3600 --foreign "KES 464,400" \\
          --rate-source "bank slip 1182" \\
          --receipt slip-1182.pdf --bank-charge 18.50
    """
    stored = papers.stored(context, receipt)
    abroad = read_foreign_options(foreign, cents=amount_cents, source=rate_source)
    planned = plan_payment(
        context,
        project,
        amount_cents,
        proposal=proposal,
        milestone=milestone,
        day=None if day is None else parse_period(day, today=context.today()).last,
    )
    charge_cents = 0 if bank_charge is None else parse_cents(bank_charge)
    payment = planned._replace(foreign=abroad, charge_cents=charge_cents, paid_from=paid_from)
    equal = "" if abroad is None else f" = {describe_foreign(abroad, amount_cents)}"
    confirm(f"Book {format_cents(amount_cents)}{equal} as paid to '{payment.slug}'?", yes=yes)
    with stored as inside:
        done = disburse(inside, payment)
    tranches = list_tranches(context, payment.slug)
    tranche = next((one for one in tranches if one["id"] == payment.milestone), None)
    hints = [] if tranche is None else [f"Milestone {tranche['title']}: {say_tranche(tranche)}."]
    if isinstance(done, Approval):
        return waiting(done)._replace(hints=hints)
    answer = _paid_answer(done, payment, tranche)
    return answer._replace(hints=hints, notes=entry_notes(context, done.id))


def _paid_answer(done: PostedEntry, payment: Disbursement, tranche: Document | None) -> Answer:
    document: Document = {
        "id": done.id,
        "index": done.index,
        "date": done.entry.day,
        "account": f"expenses:projects:{payment.slug}",
        "proposal": done.entry.reference,
        "cents": payment.cents,
        "milestone": tranche,
    }
    if payment.charge_cents:
        document["bankChargeCents"] = payment.charge_cents
    if payment.foreign is None:
        return Answer(document, columns=_ENTRY)
    foreign = public_amount(payment.foreign, payment.cents)
    document["foreign"] = to_document(foreign) | {"source": payment.foreign.source}
    row = {**document, "abroad": describe_foreign(payment.foreign, payment.cents)}
    return Answer(document, view=[row], columns=_ABROAD)


@verb(
    app,
    Column("id", "Id"),
    Column("date", "Planned", Kind.DATE),
    Column("title", "Title"),
    Column("costCents", "Cost", Kind.CENTS),
    Column("paidCents", "Paid", Kind.CENTS),
    Column("leftCents", "Left", Kind.CENTS),
    Column("completedOn", "Done", Kind.DATE),
)
def milestone(
    context: Context,
    project: Project,
    milestone_id: Annotated[
        str | None, argument("[MILESTONE]", "Milestone id; default: list all.")
    ] = None,
    complete: Annotated[bool, flag("--complete", "Mark it as complete.")] = False,
    on: Annotated[str | None, option("DATE", "Completion date; default: today.")] = None,
    title: Annotated[str | None, typer.Option(help="Add a milestone with this title.")] = None,
    due: Annotated[str | None, option("DATE", "Planned date of a new milestone.")] = None,
    cost: Annotated[str | None, option("AMOUNT", "Cost of a new milestone.")] = None,
) -> list[Document]:
    """List, add or complete the milestones of a project.

    Examples:
      jara projects milestone clean-water-boreholes
      jara projects milestone clean-water-boreholes handover \\
          --complete --on 2026-12-15
      jara projects milestone clean-water-boreholes fence --title "A fence" \\
          --due 2027-02 --cost 250
    """
    today = context.today()
    if complete and title is not None:
        raise InvalidInput("Add a milestone with --title, or complete one with --complete.")
    if milestone_id is None:
        item = find(context, "projects", project)
    elif complete:
        day = today if on is None else parse_period(on, today=today).last
        item = finish_milestone(context, project, milestone_id, on=day)
    elif title is not None:
        item = add_milestone(
            context, project, _new_milestone(today, milestone_id, title, due, cost)
        )
    else:
        raise InvalidInput(f"Give --complete or --title for the milestone '{milestone_id}'.")
    milestones: list[Document] = item.doc.get("milestones", [])
    tranches = list_tranches(context, item.slug)
    return [
        {**tranche, **milestone} for milestone, tranche in zip(milestones, tranches, strict=True)
    ]


@verb(
    app,
    Column("id", "Id"),
    Column("name", "Measure"),
    Column("unit", "Unit", rank=1),
    Column("baseline", "Before"),
    Column("target", "Target"),
    Column("dueOn", "By", Kind.DATE),
    Column("actual", "Measured"),
    Column("measuredOn", "On", Kind.DATE),
    Column("state", "State"),
    Column("costPerUnitCents", "Cost per unit", Kind.CENTS),
)
def measure(
    context: Context,
    project: Project,
    measure_id: Annotated[
        str | None, argument("[MEASURE]", "Measure id; default: list all.")
    ] = None,
    value: Annotated[str | None, option("NUMBER", "What was measured.")] = None,
    on: Annotated[str | None, option("DATE", "Day of the value; default: today.")] = None,
    note: Annotated[str, typer.Option(help="How it was measured; public.")] = "",
    name: Annotated[str | None, typer.Option(help="Add a measure with this name.")] = None,
    unit: Annotated[str, typer.Option(help="Unit of a new measure.")] = "",
    baseline: Annotated[str, option("NUMBER", "Value before the project.")] = "0",
    target: Annotated[str | None, option("NUMBER", "Value to reach.")] = None,
    by: Annotated[str | None, option("DATE", "Last day to reach it.")] = None,
    no_cost: Annotated[
        bool, flag("--no-cost", "The money does not buy units: no cost per unit.")
    ] = False,
) -> list[Document]:
    """List or add the measures of a project, or note what was measured.

    A measure is reached, missed, open, or overdue: its day has passed and nobody has measured it
    since. The cost per unit is what the project was paid, divided by the change.

    Examples:
      jara projects measure clean-water-boreholes
      jara projects measure clean-water-boreholes households \\
          --value 212 --on 2026-12-01 --note "Counted by the committee"
      jara projects measure clean-water-boreholes litres \\
          --name "Water a day" --unit litres --target 10000 --by 2027-03-31
    """
    today = context.today()
    if value is not None and name is not None:
        raise InvalidInput("Note a value with --value, or add a measure with --name.")
    if measure_id is None:
        item = find(context, PROJECTS, project)
    elif value is not None:
        day = today if on is None else parse_period(on, today=today).last
        number = parse_number("The value", value)
        item = add_measurement(context, project, measure_id, number, on=day, note=note)
    elif name is not None:
        new = _new_measure(today, measure_id, (name, unit, baseline), target, by)
        item = add_measure(context, project, {**new, "costPerUnit": False if no_cost else None})
    else:
        raise InvalidInput(f"Give --value or --name for the measure '{measure_id}'.")
    return [to_document(result) for result in list_results(context, item.slug)]


@verb(app)
def evidence(
    application: Application,
    project: Project,
    milestone_id: Annotated[str, argument("MILESTONE", "Milestone id.")],
    source: Annotated[str, argument("FILE", "PDF, PNG, JPEG or WebP; - is standard input.")],
) -> Answer:
    """Add a photo or document that shows a milestone was reached.

    It is stored in the media folder under its SHA-256. Photos are re-encoded, upright and
    without metadata such as place, time and device. A PDF is stored unchanged.

    Example: jara projects evidence clean-water-boreholes handover minutes.pdf
    """
    with open_input(source) as stream:
        media = read_media(stream.read(MEDIA_BYTES_MAX + 1), source)
    keep_media(media, Path(application.settings.media_dir))
    item = add_evidence(
        application.context, project, milestone_id, Evidence(media.path, media.is_image)
    )
    return item_answer(item)._replace(
        document={"id": item.id, "milestone": milestone_id, "path": media.path},
        hints=[f"Stored as {media.path}."],
    )


def _new_measure(
    today: date, measure_id: str, what: tuple[str, str, str], target: str | None, by: str | None
) -> Document:
    if target is None or by is None:
        raise InvalidInput(f"The measure '{measure_id}' needs --target and --by.")
    name, unit, baseline = what
    return {
        "id": measure_id,
        "name": name,
        "unit": unit or None,
        "baseline": parse_number("--baseline", baseline),
        "target": parse_number("--target", target),
        "by": parse_period(by, today=today).last.isoformat(),
    }


def _new_milestone(
    today: date, milestone_id: str, title: str, due: str | None, cost: str | None
) -> Document:
    if due is None:
        raise InvalidInput(f"The milestone '{milestone_id}' needs a planned date: --due.")
    return {
        "id": milestone_id,
        "title": title,
        "date": parse_period(due, today=today).last.isoformat(),
        "costCents": 0 if cost is None else parse_cents(cost),
        "completed": False,
    }
