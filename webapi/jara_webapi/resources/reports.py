"""The public impact report, and the trace of a member's own dollars."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import Annotated

from jara.bootstrap import Application
from jara.bootstrap.organisation import branding_of
from jara.domain.errors import InvalidInput, NotFound, Unauthenticated
from jara.domain.reports.parts import ReportPeriod
from jara.reports.json_data import impact_document, period_data, statement_document
from jara.reports.render import ReportFormat, render_statement
from jara.services.rate_limits import Limit, acquire_in_memory
from jara.services.reports.impact import impact_report, list_archive
from jara.services.reports.sample_trace import SampleTrace, sample_trace
from jara.services.reports.statements import member_statement
from jara_webapi.calls.operations import Access, Call, Reply, operation
from jara_webapi.schemas.base import Document, Shape
from jara_webapi.schemas.public import ImpactQuery, PeriodQuery
from jara_webapi.schemas.reports import ImpactReport, MemberTrace, TraceAnswer


class Impact:
    """The public impact report."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Annotated[Document, Shape(ImpactReport)],
        access=Access.OPTIONAL,
        query=ImpactQuery,
        refuses=(404,),
        cached=True,
    )
    def on_get(self, call: Call, query: ImpactQuery) -> Document:
        """Return the report of all time, a year or a closed month, and the list of others.

        The default is the current year.
        """
        archive = list_archive(self._app.context)
        period = self._period(call, query, archive)
        report = impact_report(self._app.context, period)
        return {
            **impact_document(report),
            "isOver": period.last < self._app.context.today(),
            "archive": [period_data(one) for one in archive],
        }

    def _period(self, call: Call, query: ImpactQuery, archive: list[ReportPeriod]) -> ReportPeriod:
        if query.first is not None or query.last is not None:
            if call.session is None:
                raise Unauthenticated("Reports of any period are for members; please sign in.")
            return _days(query.first, query.last, today=self._app.context.today())
        if query.month is not None:
            year, month = int(query.month[:4]), int(query.month[5:])
            if year < 1:
                raise _wrong("month", "There is no year 0.")
            last = date(year, month, monthrange(year, month)[1])
            wanted = ReportPeriod(date(year, month, 1), last)
        elif query.year is not None:
            wanted = _year(query.year)
        elif query.all:
            # Without a second year, all time is the current year.
            wanted = archive[0] if archive else _year(self._app.context.today().year)
        else:
            return _year(self._app.context.today().year)
        if wanted not in archive and call.session is None:
            raise NotFound("There is no report for that period: it is not over, or has no entries.")
        return wanted


class MyImpact:
    """Where a member's dollars went."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Annotated[Document, Shape(MemberTrace)], access=Access.MEMBER)
    def on_get(self, call: Call) -> Document:
        """Return the trace of the member's own dollars, to the cent."""
        context = self._app.context
        period = ReportPeriod(date(2000, 1, 1), context.today())
        statement = member_statement(context, call.member.id, period)
        received = sum(line.received_cents for line in statement.trace)
        return {**statement_document(statement), "receivedCents": received}


class TraceOfOne:
    """One contribution and what it paid for, for visitors."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Annotated[Document, Shape(TraceAnswer)], cached=True)
    def on_get(self, call: Call) -> Document:
        """Return the trace of one spent contribution, without its giver; null if there is none."""
        del call
        found = sample_trace(self._app.context)
        return {"trace": None if found is None else _sample_document(found)}


class StatementFile:
    """A member's statement of any period, as a file to print or to keep."""

    def __init__(self, application: Application, as_format: ReportFormat) -> None:
        """Use an application's services, in one format."""
        self._app = application
        self._format = as_format

    @operation(
        access=Access.MEMBER,
        query=PeriodQuery,
        refuses=(422, 429),
        media_type="application/octet-stream",
    )
    def on_get(self, call: Call, query: PeriodQuery) -> Reply:
        """Download what the member gave in a period (by default this year) and what it paid for."""
        application = self._app
        context = application.context
        acquire_in_memory(context, application.limits, Limit.STATEMENT_MEMBER, call.member.id)
        period = _days(query.first, query.last, today=context.today())
        statement = member_statement(context, call.member.id, period)
        name = f"statement-{period.first}-{period.last}.{self._format}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        branding = branding_of(application)
        data = render_statement(statement, self._format, call.member.language, branding)
        return Reply(data, headers=headers)


def _sample_document(trace: SampleTrace) -> Document:
    return {
        "month": trace.month.isoformat()[:7],
        "cents": trace.cents,
        "runningCents": trace.running_cents,
        "paid": [
            {
                "date": one.day.isoformat(),
                "account": one.account,
                "project": one.title,
                "cents": one.cents,
            }
            for one in trace.paid
        ],
    }


def _days(first: date | None, last: date | None, *, today: date) -> ReportPeriod:
    """Return the period of two days; by default the current year until today."""
    first, last = first or date(today.year, 1, 1), last or today
    if last < first:
        raise _wrong("to", "The period ends before it starts.")
    return ReportPeriod(first, last)


def _year(year: int) -> ReportPeriod:
    return ReportPeriod(date(year, 1, 1), date(year, 12, 31))


def _wrong(name: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={name: sentence})
