"""``jara members died``; apart, because writing a statement loads the reports."""

from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.domain.dates import parse_period
from jara.records.operations import Approval
from jara.services.giving.deaths import record_death
from jara.services.members.accounts import find_member
from jara.services.reports.statements import whole_statement
from jara_cli.columns import Column, Kind
from jara_cli.commands.report import ReportOptions
from jara_cli.options import Who, Why, Yes, confirm, option
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(rich_markup_mode=None)


@verb(app, Column("name", "Died"), Column("diedOn", "On", Kind.DATE))
def died(
    application: Application,
    member: Who,
    day: Annotated[str, option("DATE", "Day of the death.", "--on")],
    options: ReportOptions,
    why: Why = "",
    yes: Yes = False,
) -> Answer:
    """Record a death: pledge and emails end, the family gets a statement.

    With --out, all that they gave is written as a statement, to hand to the family. The email
    address and every way to sign in are removed, so no vote counts them any more. A last email
    tells the address, in case it is a mistake. Name, payments and ballots stay. While a vote is
    open in which they may vote, another operator must approve it; then `jara report statement`
    writes the statement. If it was a mistake, `jara members edit ID
    --email ADDRESS` gives the account back.

    Example: jara members died ama@example.org --on 2026-11-02 --out ama-mensah.pdf
    """
    context = application.context
    person = find_member(context, member)
    died_on = parse_period(day, today=context.today()).first
    options.check()
    confirm(f"Record that {person.mailbox} died on {died_on}?", yes=yes)
    done = record_death(context, person, died_on=died_on, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    document = {"id": done.id, "name": done.names[0], "diedOn": died_on}
    if options.out == "-":
        first = context.zone.day_of(done.joined_at)
        words = f"jara report statement {done.id} --since {first} --out statement.html"
        return Answer(document, notes=[f"The statement for the family: {words}"])
    report = whole_statement(options.context(application), done, options.parse_at(context))
    options.write(application, report, as_json=False, private=True)
    return Answer(document)
