"""``jara plan``: the plan of a year, in versions."""

from collections import Counter
from io import StringIO
from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.account import AccountType, account_type
from jara.domain.dates import parse_one_day, parse_year
from jara.domain.money import format_cents
from jara.files.plan_file import read_plan, write_plan_journal
from jara.records.journal import PlanRecord
from jara.services.books.plans import Plan, import_plan, list_plans, publish_plan, show_plan
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.commands.members.moving import opened_table
from jara_cli.inputs import name_input, write_output
from jara_cli.options import OutPath, Year, argument, flag, option
from jara_cli.papers import read_papers
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer(no_args_is_help=True)

Version = Annotated[int | None, option("N", "Of the plan; default: the newest.")]
_LINES = (
    Column("account", "Account"),
    Column("fund", "Fund"),
    Column("month", "Month"),
    Column("cents", "Amount", Kind.CENTS),
)
_VERSIONS = (
    Column("version", "Version", Kind.COUNT),
    Column("decidedOn", "Decided on", Kind.DATE),
    Column("importedBy", "By"),
    Column("importedAt", "Imported", Kind.DATE),
    Column("publishedAt", "Members see it since", Kind.DATE),
)


@verb(app, *_LINES, name="import")
def import_command(
    context: Context,
    file: Annotated[str, argument("FILE", "CSV: Account or Project, Fund, Month, Amount.")],
    year: Year = None,
    decided_on: Annotated[str | None, option("DATE", "Day of the decision.")] = None,
    minutes: Annotated[str | None, option("FILE", "The minutes: a PDF or a photo.")] = None,
    why: Annotated[str, option("TEXT", "Reason, for the audit log.")] = "",
) -> Answer:
    """Import the plan of a year as its newest version; default: this year.

    A row is an account or a project with an amount of the year, or of the month in the column
    Month; columns named 2026-01 or January have an amount of each month. Income and expenses
    are both positive. Without a fund an amount is for all funds together; what is paid for a
    vote is in the fund committed.

    Example:
      jara plan import plan.csv --year 2027 --decided-on 2026-12-05 \\
          --minutes minutes.pdf
    """
    today = context.today()
    chosen = parse_year(year or "this-year", today=today).first.year
    with opened_table(file, "") as table:
        lines = read_plan(table, name_input(file), year=chosen)
    plan = import_plan(
        context,
        chosen,
        lines,
        decided_on=None if decided_on is None else parse_one_day(decided_on, today=today),
        minutes=None if minutes is None else read_papers([minutes])[0],
        why=why,
    )
    return _answer(context, plan)


@verb(app, *_LINES)
def show(context: Context, year: Year = None, version: Version = None) -> Answer:
    """Show a plan and its versions; default: the newest of this year.

    Example: jara plan show --year 2026
    """
    chosen = parse_year(year or "this-year", today=context.today()).first.year
    return _answer(context, show_plan(context, chosen, version))


@verb(app, *_VERSIONS)
def publish(
    context: Context,
    year: Year = None,
    hide: Annotated[bool, flag("--hide", "Show it no more.")] = False,
) -> Answer:
    """Show members the newest version of a plan beside the books, on the page of the ledger.

    A version that is imported later is shown when it is published too.

    Example: jara plan publish --year 2026
    """
    chosen = parse_year(year or "this-year", today=context.today()).first.year
    plan = publish_plan(context, chosen, shown=not hide)
    return Answer(plan, view=[_version(context, plan)])


@verb(app)
def export(
    context: Context, year: Year = None, version: Version = None, out: OutPath = "-"
) -> None:
    """Write a plan as periodic transactions for `hledger balance --budget`.

    Example: jara plan export --year 2026 --out plan.journal
    """
    chosen = parse_year(year or "this-year", today=context.today()).first.year
    plan, text = show_plan(context, chosen, version), StringIO()
    write_plan_journal(plan.lines, text, year=chosen)
    write_output(out, text.getvalue().encode())


def _answer(context: Context, plan: Plan) -> Answer:
    versions = [_version(context, one) for one in list_plans(context, plan.record.year)]
    sums: Counter[AccountType] = Counter()
    for line in plan.lines:
        sums[account_type(line.account)] += line.cents
    return Answer(
        {**to_document(plan.record), "lines": [to_document(one) for one in plan.lines]},
        view=[to_document(one) for one in plan.lines],
        lead=[f"{kind.capitalize()}: {format_cents(cents)}" for kind, cents in sums.items()],
        tables=[Table("Versions:", versions, _VERSIONS)],
    )


def _version(context: Context, plan: PlanRecord) -> Document:
    shown = plan.published_at
    return {
        **to_document(plan),
        "importedAt": context.zone.day_of(plan.imported_at),
        "publishedAt": None if shown is None else context.zone.day_of(shown),
    }
