"""``jara report``: impact, statements, funds, voting, spending, plan, for schedulers too."""

import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import quote

import typer

from jara.bootstrap import Application
from jara.bootstrap.organisation import branding_of
from jara.domain.dates import parse_period, parse_state, parse_year
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH
from jara.domain.reports.funds import CanadianRate
from jara.domain.reports.parts import ReportPeriod
from jara.languages import require_available
from jara.reports.render import SUFFIXES, AnyReport, ReportFormat, parse_format, render
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.reports.impact import impact_report, voting_report
from jara.services.reports.plan import plan_report
from jara.services.reports.spending import spending_report
from jara.services.reports.statements import all_statements, mail_statements, member_statement
from jara.services.reports.yearly_funds import FilingFacts, funds_report
from jara_cli.columns import Column
from jara_cli.inputs import require_writable, write_output
from jara_cli.options import (
    AtInstant,
    JsonFlag,
    Options,
    OutTarget,
    PeriodOptions,
    Year,
    argument,
    flag,
    option,
)
from jara_cli.output import note
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

*_NAMES, _LAST_NAME = ReportFormat

Format = Annotated[
    str | None,
    option(
        "FORMAT",
        f"{', '.join(_NAMES)} or {_LAST_NAME}; default: by file name, else md. "
        "pdf needs: pip install 'jara[pdf]'.",
        "--format",
        "-f",
    ),
]
Language = Annotated[
    str | None,
    option("LANGUAGE", "Language of md, html and pdf, such as fr; default: the organisation's."),
]
_MAILED = (Column("email", "Email"), Column("mailed", "Mailed now"))
_WRITTEN = (Column("email", "Email"), Column("file", "File"))
_RATE_SCALE = 10_000


@dataclass(frozen=True)
class ReportOptions(Options):
    """Of what state of the books a report is, and how and where it is written."""

    at: AtInstant = None
    as_format: Format = None
    language: Language = None
    out: OutTarget = "-"

    def context(self, application: Application) -> Context:
        """Return the context of a reader of the report's language."""
        spoken = require_available(self.language or application.settings.language)
        return application.context.for_reader(spoken)

    def parse_at(self, context: Context) -> At:
        """Read ``--at``."""
        if self.at is None:
            return None
        return parse_state(self.at, today=context.today(), zone=context.zone)

    def check(self) -> None:
        """Check before anything else is done that a report can be written.

        Raises:
            InvalidInput: the format is unknown, or the file cannot be written.
        """
        parse_format(self.as_format or _format_of(self.out))
        require_available(self.language or ENGLISH)
        if self.out != "-":
            require_writable(self.out)

    def write(
        self, application: Application, report: AnyReport, *, as_json: bool, private: bool = False
    ) -> None:
        """Write a report.

        Raises:
            InvalidInput: the format is unknown, or does not fit a terminal.
        """
        chosen = parse_format(self.as_format or ("json" if as_json else _format_of(self.out)))
        if chosen is ReportFormat.PDF and self.out == "-" and sys.stdout.isatty():
            raise InvalidInput("A PDF cannot be shown on the terminal; name a file with --out.")
        spoken = self.context(application).language
        data = render(report, chosen, spoken, branding_of(application))
        write_output(self.out, data, private=private)
        if self.out != "-":
            note(f"Wrote '{self.out}' ({len(data):,} bytes).")


@verb(app)
def impact(
    application: Application,
    period: PeriodOptions,
    options: ReportOptions,
    as_json: JsonFlag = False,
) -> None:
    """Write the impact report of a period; default: last month.

    The report is reproducible: the same books always give the same bytes.

    Examples:
      jara report impact --month 2026-10
      jara report impact --year 2026 --format pdf --out impact-2026.pdf
      jara report impact --year 2026 --language fr --out rapport-2026.html
      jara report impact --month 2026-10 --at 4217 --json
    """
    context = options.context(application)
    days, at = _period(context, period), options.parse_at(context)
    report = impact_report(context, days, at, is_public=False)
    options.write(application, report, as_json=as_json)


@verb(app)
def statement(
    application: Application,
    period: PeriodOptions,
    options: ReportOptions,
    member: Annotated[
        str | None, argument("MEMBER", "Email address, or the id or its first characters.")
    ] = None,
    every: Annotated[bool, flag("--all", "Of each member who gave; --out names a folder.")] = False,
    print_all: Annotated[
        bool, flag("--print-all", "Of each member who gave and has no email address; as --all.")
    ] = False,
    mail: Annotated[bool, flag("--mail", "Email the member a link to it, once.")] = False,
    as_json: JsonFlag = False,
) -> Answer | None:
    """Write a member's statement: what they gave, and where that money went.

    The default period is last month. Only the owner of the file can read it. With --all, the
    files in the folder have the members' addresses as names, and the default format is html.
    Who has no address has a file by name; --print-all writes these alone, to print and post.

    Examples:
      jara report statement ada@example.org --year 2026 \\
          --format pdf --out ada-2026.pdf
      jara report statement --all --year 2026 --out statements-2026
      jara report statement --all --year 2026 --mail
      jara report statement --print-all --year 2026 --format pdf --out to-print
    """
    context = options.context(application)
    if (every or print_all) is (member is not None) or (every and print_all):
        raise InvalidInput("Name a member, or use --all or --print-all.")
    if print_all and mail:
        raise InvalidInput("Who has no address gets no email; omit --mail.")
    if mail and options != ReportOptions():
        raise InvalidInput(
            "--mail sends a link and writes no file; omit --out, --format, --language and --at."
        )
    chosen, at = _period(context, period), options.parse_at(context)
    if mail:
        return Answer(mail_statements(context, member, chosen), columns=_MAILED)
    if member is None:
        written = _write_all(application, chosen, at, options, only_bare=print_all)
        return Answer(written, columns=_WRITTEN)
    report = member_statement(context, member, chosen, at)
    options.write(application, report, as_json=as_json, private=True)
    return None


class WrittenStatement(NamedTuple):
    """A member's statement as a file."""

    email: str
    file: str


def _write_all(
    application: Application,
    period: ReportPeriod,
    at: At,
    options: ReportOptions,
    *,
    only_bare: bool,
) -> list[WrittenStatement]:
    """Write the statement of each member who gave in a period into a folder.

    With `only_bare`, of those without an address.
    """
    if options.out == "-":
        raise InvalidInput("Name a folder with --out, or use --mail.")
    chosen = parse_format(options.as_format or ReportFormat.HTML)
    context, branding = options.context(application), branding_of(application)
    Path(options.out).mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    written = []
    for person, report in all_statements(context, period, at):
        if only_bare and person.email:
            continue
        name = f"{quote(person.email or person.label, safe='@+ ()')}.{chosen}"
        file = str(Path(options.out, name))
        data = render(report, chosen, context.language, branding)
        write_output(file, data, private=True)
        written.append(WrittenStatement(person.label, file))
    return written


@verb(app)
def funds(
    application: Application,
    options: ReportOptions,
    year: Year = None,
    rate: Annotated[
        str | None, option("CAD", "Canadian dollars for one of our currency, such as 1.3698.")
    ] = None,
    rate_source: Annotated[
        str, option("TEXT", "Source of the rate.")
    ] = "Bank of Canada, annual average",
    members_are_changemakers: Annotated[
        bool,
        flag(
            "--changemakers-are-members",
            "A changemaker is a member of the corporation in the Act's sense.",
        ),
    ] = False,
    filed_before: Annotated[
        bool, flag("--filed-before", "Form T1044 was filed for an earlier year.")
    ] = False,
    approved_by: Annotated[str, option("NAME", "The director who signed the statements.")] = "",
    method: Annotated[
        str, option("TEXT", "How restricted contributions are accounted for.")
    ] = "restricted fund method",
    as_json: JsonFlag = False,
) -> None:
    """Write a year's financial statements by fund; default: last year.

    Example:
      jara report funds --year 2026 --rate 1.3698 \\
          --format pdf --out funds-2026.pdf
    """
    context = options.context(application)
    today = context.today()
    chosen_year = parse_year(year or "last-year", today=today).first.year
    facts = FilingFacts(
        method=method,
        changemakers_are_members=members_are_changemakers,
        filed_before=filed_before,
        rate=None if rate is None else CanadianRate(_parse_rate(rate), rate_source),
        approved_by=approved_by,
    )
    report = funds_report(context, chosen_year, options.parse_at(context), facts=facts)
    options.write(application, report, as_json=as_json)


@verb(app)
def voting(
    application: Application,
    period: PeriodOptions,
    options: ReportOptions,
    as_json: JsonFlag = False,
) -> None:
    """Write the votes of a period; default: last month.

    A vote that is still open appears without its count.

    Example: jara report voting --year 2026 --format html --out votes.html
    """
    context = options.context(application)
    days, at = _period(context, period), options.parse_at(context)
    report = voting_report(context, days, at, is_public=False)
    options.write(application, report, as_json=as_json)


@verb(app)
def spending(
    application: Application,
    period: PeriodOptions,
    options: ReportOptions,
    by_signers: Annotated[
        bool, flag("--by-signers", "With names: what one person spent alone, and each payment.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write what left in a period, and how much one person alone decided; default: last month.

    Alone is what nobody else signed, because it was below the limits.

    Examples:
      jara report spending --by-signers --month 2026-10
      jara report spending --by-signers --year 2026 --out spending-2026.pdf
    """
    context = options.context(application)
    days, at = _period(context, period), options.parse_at(context)
    report = spending_report(context, days, at, by_signers=by_signers)
    options.write(application, report, as_json=as_json, private=by_signers)


@verb(app)
def plan(
    application: Application,
    options: ReportOptions,
    year: Year = None,
    version: Annotated[int | None, option("N", "Of the plan; default: the newest.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write a year's plan beside what the books say, with a forecast; default: this year.

    The forecast is what the year comes to if it goes on as until now.

    Example: jara report plan --year 2026 --out plan-2026.pdf
    """
    context = options.context(application)
    chosen = parse_year(year or "this-year", today=context.today()).first.year
    report = plan_report(context, chosen, options.parse_at(context), version=version)
    options.write(application, report, as_json=as_json)


def _period(context: Context, options: PeriodOptions) -> ReportPeriod:
    today = context.today()
    period = options.choose(today=today) or parse_period("last-month", today=today)
    return ReportPeriod(period.first, period.last)


def _parse_rate(text: str) -> int:
    whole, _point, rest = text.partition(".")
    digits = whole + rest
    if not (digits.isascii() and digits.isdigit() and 0 < len(whole) <= 3 and len(rest) <= 4):  # noqa: PLR2004 - ten-thousandths, far above any rate
        raise InvalidInput(f"'{text}' is not an exchange rate; write it like 1.3698.")
    return int(whole) * _RATE_SCALE + int(rest.ljust(4, "0"))


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
