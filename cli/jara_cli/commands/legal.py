"""``jara legal``: the terms and the privacy text, and their versions."""

import re
from typing import Annotated

import typer

from jara.domain.dates import parse_one_day
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.versions import TEXT_MAX, LegalChange, LegalText
from jara.languages import require_available
from jara.records.operations import Approval
from jara.reports.legal_page import view_legal
from jara.services.context import Context
from jara.services.legal.changing import LegalImport, import_legal, read_own_text, withdraw_legal
from jara.services.legal.reading import list_versions, show_legal
from jara_cli.columns import Column, Kind
from jara_cli.inputs import naming, open_input, write_output
from jara_cli.options import OutPath, Why, argument, flag, option
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

_BYTES_MAX = 4 * TEXT_MAX
_IN_LANGUAGE = re.compile("([a-z]{2})=(.+)")
_VERSIONS = (
    Column("text", "Text"),
    Column("version", "Version", Kind.COUNT),
    Column("from", "From", Kind.DATE),
    Column("until", "Until", Kind.DATE),
    Column("status", "Status"),
    Column("languages", "Texts in"),
    Column("why", "Why", Kind.SENTENCE, rank=1),
)

Text = Annotated[LegalText, argument("terms|privacy", "Which text.")]
Number = Annotated[
    int | None, option("N", "Version; default: the one that holds.", "--version", min=1)
]
LanguageCode = Annotated[str, option("CODE", "Language, such as en or fr.")]


@verb(app, *_VERSIONS, name="list")
def list_command(context: Context) -> Answer:
    """List the versions of both texts with their days; without any, they are as shipped.

    Example: jara legal list
    """
    hint = "Neither text is in effect: jara organisation set --effective today"
    versions = list_versions(context)
    return Answer(versions, hints=() if versions else [hint])


@verb(app)
def show(
    context: Context, text: Text, version: Number = None, language: LanguageCode = ENGLISH
) -> Answer:
    """Show a text as readers get it, with what is not known yet left out.

    Examples:
      jara legal show terms
      jara legal show terms --version 1 --language fr
    """
    page = show_legal(context, text, version)
    view = view_legal(page, require_available(language), context.gateway.name)
    change = None if page.version is None else page.version.change
    document = {
        "text": text,
        "version": None if change is None else change.number,
        "from": None if change is None else change.valid_from,
        "language": view.language,
        "notes": view.notes,
        "markdown": view.markdown,
        "missing": page.missing,
    }
    return Answer(document, view=view.markdown, notes=view.notes)


@verb(app)
def export(
    context: Context,
    text: Text,
    version: Number = None,
    language: LanguageCode = ENGLISH,
    out: OutPath = "-",
) -> None:
    """Write a text with its places, such as {{ postal_address }}, to a file that you can edit.

    A part between {% if PLACE %} and {% endif %} is shown only if the value is known;
    {% elif PLACE %} and {% else %} say what stands there otherwise.

    Example: jara legal export terms --language fr --out conditions.md
    """
    contents = show_legal(context, text, version).wording.contents
    if language not in contents:
        codes = ", ".join(contents) or "none"
        raise InvalidInput(f"The {text.phrase} has no text in '{language}'; there are: {codes}.")
    write_output(out, contents[require_available(language)].text.encode())


@verb(app, *_VERSIONS[:4], name="import")
def import_command(
    context: Context,
    text: Text,
    files: Annotated[
        list[str] | None,
        argument(
            "[FILE|LANGUAGE=FILE]...",
            "Markdown in UTF-8; or -. Several have their language before them.",
        ),
    ] = None,
    language: LanguageCode = ENGLISH,
    shipped: Annotated[bool, flag("--shipped", "Take the texts that come with Jara.")] = False,
    effective: Annotated[
        str | None, option("DATE", "First day on which it holds; default: the earliest.")
    ] = None,
    correction: Annotated[
        bool, flag("--correction", "Only slips of the pen: holds without notice.")
    ] = False,
    why: Why = "",
) -> Answer:
    """Put your own text into effect; earlier versions stay readable.

    With live payments a change holds 30 days later at the earliest, because the texts say that
    members hear of it before; a text in several languages is one change. If actions need a second
    operator's approval, this does too.

    The first text of your own replaces those that come with Jara in every language: readers of one
    that it lacks get another language, and a note. Later your own texts of other languages stay,
    but a page says if they are older.

    Examples:
      jara legal import terms en=terms.md fr=conditions.md
      jara legal import terms conditions.md --language fr
      jara legal import privacy privacy.md --effective 2027-03-01 \\
          --why "New mail provider"
    """
    if shipped == bool(files):
        raise InvalidInput("Name a file with your text, or --shipped.")
    contents = _read_texts(files or [], language)
    day = None if effective is None else parse_one_day(effective, today=context.today())
    done = import_legal(
        context, LegalImport(text, contents, day, is_correction=correction, why=why)
    )
    if isinstance(done, Approval):
        return waiting(done)
    return _answer(done)._replace(notes=_notes_of(context, done))


def _read_texts(files: list[str], language: str) -> dict[Language, str]:
    """Read texts, each in the language before its name, or else in the one that is given."""
    contents: dict[Language, str] = {}
    for named in files:
        code, file = (
            match.groups() if (match := _IN_LANGUAGE.fullmatch(named)) else (language, named)
        )
        known = require_available(code)
        if known in contents:
            raise InvalidInput(f"Two files are in '{known}'; write en=FILE fr=FILE.")
        with naming(file), open_input(file) as stream:
            contents[known] = read_own_text(stream.read(_BYTES_MAX + 1))
    return contents


def _notes_of(context: Context, change: LegalChange) -> list[str]:
    """Say in which languages of the site a version of the organisation's own has no text."""
    contents = show_legal(context, change.text, change.number).wording.contents
    lacks = [code for code in context.rules.languages if code not in contents]
    note = (
        f"There is no text of your own in {', '.join(lacks)}, and those that come with Jara are "
        "not shown beside own ones: its readers get another language, and a note that says so."
    )
    return [note] if lacks else []


@verb(app, *_VERSIONS[:4])
def withdraw(
    context: Context,
    text: Text,
    version: Annotated[int, option("N", "Which version.", min=1)],
    why: Annotated[str, option("TEXT", "Reason, for the audit log.")],
) -> Answer:
    """Withdraw a version before it holds; it stays readable, marked as withdrawn.

    If there are limits, another operator must approve it.

    Example: jara legal withdraw terms --version 3 --why "The trustees said no."
    """
    done = withdraw_legal(context, text, version, why=why)
    return waiting(done) if isinstance(done, Approval) else _answer(done)


def _answer(change: LegalChange) -> Answer:
    return Answer(
        {"text": change.text, "version": change.number, "from": change.valid_from, "until": None}
    )
