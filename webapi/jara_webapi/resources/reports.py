"""Published figures, impact reports, traces of contributions, and the open data."""

from calendar import monthrange
from datetime import date
from typing import Annotated

from jara.bootstrap import Application
from jara.bootstrap.organisation import branding_of
from jara.documents import to_document
from jara.domain.content.kinds import CLAIMS
from jara.domain.currency import is_home_currency
from jara.domain.errors import InvalidInput, NotFound, Unauthenticated
from jara.domain.giving.member import Member
from jara.domain.reports.parts import ReportPeriod
from jara.reports.json_data import report_document
from jara.reports.open_data import DESCRIPTOR, package_files
from jara.reports.render import ReportFormat, render
from jara.services.context import Context
from jara.services.projects.catalogue import list_published
from jara.services.rate_limits import Limit, acquire_in_memory
from jara.services.reports import followed as traces
from jara.services.reports.entry_page import EntryPage, entry_page
from jara.services.reports.figures import cash_overview, site_figures
from jara.services.reports.followed import Followed, follow
from jara.services.reports.impact import impact_report, list_archive
from jara.services.reports.open_data import open_data
from jara.services.reports.statements import member_statement
from jara_webapi.calls.operations import Access, Call, Endpoint, Reply, get
from jara_webapi.schemas import site
from jara_webapi.schemas.base import Document, Shape, answer_model, dollars
from jara_webapi.schemas.public import FollowQuery, ImpactQuery, PeriodQuery


@get(cached=True)
def all_users(context: Context) -> site.MemberCount:
    """Count the active changemakers."""
    return site.MemberCount(total=site_figures(context).changemakers)


@get(cached=True)
def all_contributions(context: Context) -> site.ContributionCount:
    """Return the number and the sum of contributions that were not refunded."""
    figures = site_figures(context)
    return site.ContributionCount(
        total=figures.contributions, total_cents=figures.contributions_cents
    )


@get(cached=True)
def cash_overviews(context: Context) -> site.CashOverview:
    """Return the figures of the open ledger, in units of the currency."""
    overview = cash_overview(context)
    return site.CashOverview(
        monthly_donation=dollars(overview.monthly_donation_cents),
        cash_at_hand=dollars(overview.cash_at_hand_cents),
        monthly_fixed_cost=dollars(overview.monthly_fixed_cost_cents),
        cash_deployed=dollars(overview.cash_deployed_cents),
        available=dollars(overview.budget.available),
        allocated=dollars(overview.budget.allocated),
        unallocated=dollars(overview.budget.unallocated),
        year=overview.year,
    )


@get(cached=True, in_languages=True)
def stats(context: Context) -> site.Statistics:
    """Return every figure of the home and about pages."""
    figures = site_figures(context)._asdict()
    cash = figures.pop("cash")
    return site.Statistics(
        **figures,
        monthly_donation_cents=cash.monthly_donation_cents,
        cash_at_hand_cents=cash.cash_at_hand_cents,
        monthly_fixed_cost_cents=cash.monthly_fixed_cost_cents,
        cash_deployed_cents=cash.cash_deployed_cents,
        claims=list_published(context, CLAIMS),
    )


@get(
    answer=Annotated[Document, Shape(answer_model(site.PublishedReport, "ImpactReport"))],
    access=Access.OPTIONAL,
    refuses=(404,),
    cached=True,
    in_languages=True,
)
def impact(context: Context, call: Call, query: ImpactQuery) -> Document:
    """Return the report of all time, a year or a closed month, and the list of others.

    The default is the current year.
    """
    archive, today = list_archive(context), context.today()
    is_member = call.session is not None
    period = _period(query, archive, is_member=is_member, today=today)
    return {
        **report_document(impact_report(context, period)),
        "isOver": period.last < today,
        "archive": [to_document(one) for one in archive],
    }


def _period(
    query: ImpactQuery, archive: list[ReportPeriod], *, is_member: bool, today: date
) -> ReportPeriod:
    if query.first is not None or query.last is not None:
        if not is_member:
            raise Unauthenticated("Reports of any period are for members; please sign in.")
        return _days(query.first, query.last, today=today)
    if query.month is not None:
        period = _month(query.month)
    elif query.year is not None:
        period = _year(query.year)
    elif query.all:
        # Without a second year, all time is the current year.
        period = archive[0] if archive else _year(today.year)
    else:
        return _year(today.year)
    if period not in archive and not is_member:
        raise NotFound("There is no report for that period: it is not over, or has no entries.")
    return period


@get(answer=Annotated[Document, Shape(site.MemberTrace)], access=Access.MEMBER, in_languages=True)
def my_impact(context: Context, member: Member, query: PeriodQuery) -> Document:
    """Return the trace of the member's own money, to the cent, by default of all of it."""
    today = context.today()
    period = _days(query.first or date(2000, 1, 1), query.last, today=today)
    statement = member_statement(context, member.id, period)
    received = sum(line.received_cents for line in statement.trace)
    own = {"receivedCents": received, "isHomeCurrency": is_home_currency(statement.country)}
    return {**report_document(statement), **own}


@get(answer=Annotated[Document, Shape(site.TraceAnswer)], cached=True, in_languages=True)
def sample_trace(context: Context) -> Document:
    """Return the trace of one spent contribution, without its giver; null if there is none."""
    trace = traces.sample_trace(context)
    return {"trace": None if trace is None else to_document(trace)}


@get(answer=Annotated[Document, Shape(Followed)], refuses=(404,), cached=True, in_languages=True)
def followed(context: Context, query: FollowQuery) -> Followed:
    """Return where an amount of a month went, in proportion to all contributions of that month."""
    return follow(context, query.cents, query.month)


@get(answer=Annotated[Document, Shape(EntryPage)], refuses=(404,), cached=True, in_languages=True)
def ledger_entry(context: Context, entry: str) -> EntryPage:
    """Return an entry of the ledger as everybody may see it, by its whole id; it names nobody."""
    return entry_page(context, entry)


def statement_file(as_format: ReportFormat) -> Endpoint:
    """Return the call that downloads a member's statement in a format."""

    @get(access=Access.MEMBER, refuses=(422, 429), media_type="application/octet-stream")
    def statement(app: Application, call: Call, query: PeriodQuery) -> Reply:
        """Download what the member gave in a period (by default this year) and what it paid for."""
        context = app.context.for_reader(call.member.language)
        acquire_in_memory(context, app.limits, Limit.STATEMENT_MEMBER, call.member.id)
        period = _days(query.first, query.last, today=context.today())
        name = f"statement-{period.first}-{period.last}.{as_format}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        with app.own_file_turns.take():
            figures = member_statement(context, call.member.id, period)
            data = render(figures, as_format, call.member.language, branding_of(app))
        return Reply(data, headers=headers)

    return statement


@get(answer=Document, cached=True)
def open_data_package(context: Context) -> Reply:
    """Return the data package's descriptor (Frictionless Data Package)."""
    return Reply(package_files(open_data(context))[DESCRIPTOR]())


@get(media_type="text/csv", refuses=(404,), cached=True)
def open_data_table(context: Context, file: str) -> Reply:
    """Return a table as CSV."""
    files = package_files(open_data(context))
    if file not in files:
        raise NotFound(
            "There is no file '{file}'; the package has {files}.", file=file, files=", ".join(files)
        )
    return Reply(files[file]())


def _days(first: date | None, last: date | None, *, today: date) -> ReportPeriod:
    """Return the period of two days; by default the current year until today."""
    first, last = first or date(today.year, 1, 1), last or today
    if last < first:
        raise _wrong("to", "The period ends before it starts.")
    return ReportPeriod(first, last)


def _month(text: str) -> ReportPeriod:
    year, month = int(text[:4]), int(text[5:])
    return ReportPeriod(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _year(year: int) -> ReportPeriod:
    return ReportPeriod(date(year, 1, 1), date(year, 12, 31))


def _wrong(name: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={name: sentence})
