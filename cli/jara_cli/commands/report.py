"""``jara report``: impact reports, statements, funds and voting, ready for schedulers."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import quote

import typer

from jara.bootstrap import Application
from jara.bootstrap.organisation import branding_of
from jara.domain.dates import parse_period, parse_state, parse_year
from jara.domain.errors import InvalidInput
from jara.domain.language import Language as LanguageCode
from jara.domain.reports.funds import CanadianRate
from jara.domain.reports.parts import ReportPeriod
from jara.languages import require_available
from jara.reports.render import (
    SUFFIXES,
    ReportFormat,
    parse_format,
    render_funds,
    render_impact,
    render_statement,
    render_voting,
)
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.reports.impact import impact_report, voting_report
from jara.services.reports.statements import (
    all_statements,
    mail_statements,
    member_statement,
)
from jara.services.reports.yearly_funds import FilingFacts, funds_report
from jara_cli.columns import Column
from jara_cli.inputs import write_output
from jara_cli.options import (
    AtInstant,
    FromDay,
    JsonFlag,
    Month,
    OutPath,
    ToDay,
    Year,
    choose_period,
)
from jara_cli.output import note
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

*_NAMES, _LAST_NAME = ReportFormat

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help=(
            f"{', '.join(_NAMES)} or {_LAST_NAME}; default: by file name, else md. "
            "pdf needs: pip install 'jara[pdf]'."
        ),
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="LANGUAGE",
        help="Language of md, html and pdf, such as fr; default: the organisation's.",
    ),
]
_MAILED = (Column("email", "Email"), Column("mailed", "Mailed now"))
_WRITTEN = (Column("email", "Email"), Column("file", "File"))
_RATE_SCALE = 10_000


@verb(app)
def impact(
    application: Application,
    from_day: FromDay = None,
    to_day: ToDay = None,
    month: Month = None,
    year: Year = None,
    at: AtInstant = None,
    as_format: Format = None,
    language: Language = None,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Write the impact report of a period; default: last month.

    The report is reproducible: the same books always give the same bytes.

    \b
    Examples:
      jara report impact --month 2026-10
      jara report impact --year 2026 --format pdf --out impact-2026.pdf
      jara report impact --year 2026 --language fr --out rapport-2026.html
      jara report impact --month 2026-10 --at 4217 --json
    """
    spoken = require_available(language or application.settings.language)
    context = application.context.for_reader(spoken)
    period = _period(from_day, to_day, month, year, today=context.today())
    report = impact_report(context, period, _parse_at(context, at), is_public=False)
    _write(
        lambda chosen: render_impact(report, chosen, spoken, branding_of(application)),
        as_format,
        out,
        as_json=as_json,
    )


@verb(app)
def statement(
    application: Application,
    member: Annotated[
        str | None,
        typer.Argument(metavar="MEMBER", help="Email address, or the id or its first characters."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Of each member who gave; --out names a folder.")
    ] = False,
    mail: Annotated[
        bool, typer.Option("--mail", help="Email the member a link to it, once.")
    ] = False,
    from_day: FromDay = None,
    to_day: ToDay = None,
    month: Month = None,
    year: Year = None,
    at: AtInstant = None,
    as_format: Format = None,
    language: Language = None,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> Answer | None:
    """Write a member's statement: what they gave, and where that money went.

    The default period is last month. Only the owner of the file can read it. With --all, the
    files in the folder have the members' addresses as names, and the default format is html.

    \b
    Examples:
      jara report statement ada@example.org --year 2026 \\
          --format pdf --out ada-2026.pdf
      jara report statement --all --year 2026 --out statements-2026
      jara report statement --all --year 2026 --mail
    """
    spoken = require_available(language or application.settings.language)
    context = application.context.for_reader(spoken)
    if every is (member is not None):
        raise InvalidInput("Name a member, or use --all.")
    if mail and out != "-":
        raise InvalidInput("--mail writes no file; omit --out.")
    period = _period(from_day, to_day, month, year, today=context.today())
    parsed = _parse_at(context, at)
    if mail:
        return Answer(mail_statements(context, member, period), columns=_MAILED)
    if member is None:
        written = _write_all(application, period, parsed, as_format, spoken, out)
        return Answer(written, columns=_WRITTEN)
    report = member_statement(context, member, period, parsed)
    _write(
        lambda chosen: render_statement(report, chosen, spoken, branding_of(application)),
        as_format,
        out,
        as_json=as_json,
        private=True,
    )
    return None


class WrittenStatement(NamedTuple):
    """A member's statement as a file."""

    email: str
    file: str


def _write_all(
    application: Application,
    period: ReportPeriod,
    at: At,
    as_format: str | None,
    language: LanguageCode,
    folder: str,
) -> list[WrittenStatement]:
    """Write the statement of each member who gave in a period into a folder."""
    if folder == "-":
        raise InvalidInput("Name a folder with --out, or use --mail.")
    chosen = parse_format(as_format or ReportFormat.HTML)
    context, branding = application.context.for_reader(language), branding_of(application)
    Path(folder).mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    written = []
    for person, report in all_statements(context, period, at):
        name = f"{quote(person.email, safe='@+')}.{chosen}"
        file = str(Path(folder, name))
        write_output(file, render_statement(report, chosen, language, branding), private=True)
        written.append(WrittenStatement(person.email, file))
    return written


@verb(app)
def funds(
    application: Application,
    year: Year = None,
    at: AtInstant = None,
    rate: Annotated[
        str | None,
        typer.Option(
            metavar="CAD", help="Canadian dollars for one of our currency, such as 1.3698."
        ),
    ] = None,
    rate_source: Annotated[
        str, typer.Option(metavar="TEXT", help="Source of the rate.")
    ] = "Bank of Canada, annual average",
    members_are_changemakers: Annotated[
        bool,
        typer.Option(
            "--changemakers-are-members",
            help="A changemaker is a member of the corporation in the Act's sense.",
        ),
    ] = False,
    filed_before: Annotated[
        bool, typer.Option("--filed-before", help="Form T1044 was filed for an earlier year.")
    ] = False,
    approved_by: Annotated[
        str, typer.Option(metavar="NAME", help="The director who signed the statements.")
    ] = "",
    method: Annotated[
        str, typer.Option(metavar="TEXT", help="How restricted contributions are accounted for.")
    ] = "restricted fund method",
    as_format: Format = None,
    language: Language = None,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Write a year's financial statements by fund; default: last year.

    \b
    Example:
      jara report funds --year 2026 --rate 1.3698 \\
          --format pdf --out funds-2026.pdf
    """
    spoken = require_available(language or application.settings.language)
    context = application.context.for_reader(spoken)
    today = context.today()
    chosen_year = parse_year(year or "last-year", today=today).first.year
    facts = FilingFacts(
        method=method,
        changemakers_are_members=members_are_changemakers,
        filed_before=filed_before,
        rate=None if rate is None else CanadianRate(_parse_rate(rate), rate_source),
        approved_by=approved_by,
    )
    report = funds_report(context, chosen_year, _parse_at(context, at), facts=facts)
    _write(
        lambda chosen: render_funds(report, chosen, spoken, branding_of(application)),
        as_format,
        out,
        as_json=as_json,
    )


@verb(app)
def voting(
    application: Application,
    from_day: FromDay = None,
    to_day: ToDay = None,
    month: Month = None,
    year: Year = None,
    at: AtInstant = None,
    as_format: Format = None,
    language: Language = None,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Write the votes of a period; default: last month.

    A vote that is still open appears without its count.

    \b
    Example:
      jara report voting --year 2026 --format html --out votes.html
    """
    spoken = require_available(language or application.settings.language)
    context = application.context.for_reader(spoken)
    period = _period(from_day, to_day, month, year, today=context.today())
    report = voting_report(context, period, _parse_at(context, at), is_public=False)
    _write(
        lambda chosen: render_voting(report, chosen, spoken, branding_of(application)),
        as_format,
        out,
        as_json=as_json,
    )


def _period(
    from_day: str | None,
    to_day: str | None,
    month: str | None,
    year: str | None,
    *,
    today: date,
) -> ReportPeriod:
    chosen = choose_period(from_day=from_day, to_day=to_day, month=month, year=year, today=today)
    period = chosen or parse_period("last-month", today=today)
    return ReportPeriod(period.first, period.last)


def _parse_at(context: Context, text: str | None) -> At:
    """Read ``--at``."""
    if text is None:
        return None
    return parse_state(text, today=context.today(), zone=context.zone)


def _parse_rate(text: str) -> int:
    whole, _point, rest = text.partition(".")
    digits = whole + rest
    if not (digits.isascii() and digits.isdigit() and 0 < len(whole) <= 3 and len(rest) <= 4):  # noqa: PLR2004 - ten-thousandths, far above any rate
        raise InvalidInput(f"'{text}' is not an exchange rate; write it like 1.3698.")
    return int(whole) * _RATE_SCALE + int(rest.ljust(4, "0"))


def _write(
    render: Callable[[str], bytes],
    as_format: str | None,
    out: str,
    *,
    as_json: bool,
    private: bool = False,
) -> None:
    chosen = parse_format(as_format or ("json" if as_json else _format_of(out)))
    if chosen is ReportFormat.PDF and out == "-" and sys.stdout.isatty():
        raise InvalidInput("A PDF cannot be shown on the terminal; name a file with --out.")
    data = render(chosen)
    write_output(out, data, private=private)
    if out != "-":
        note(f"Wrote '{out}' ({len(data):,} bytes).")


def _format_of(out: str) -> str:
    """Return the format for a file name's suffix; without a suffix, Markdown.

    Raises:
        InvalidInput: no report is written with that suffix.
    """
    suffix = Path(out).suffix.lower()
    if suffix and suffix not in SUFFIXES:
        suffixes = ", ".join(SUFFIXES)
        raise InvalidInput(f"'{out}' has an unknown suffix; use one of {suffixes}, or --format.")
    return SUFFIXES.get(suffix, ReportFormat.MARKDOWN)
