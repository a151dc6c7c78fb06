"""The frame of every command: it opens the application, adds ``--json`` and prints the answer."""

import gc
import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar

import typer

from jara.domain.time_zone import TimeZone
from jara_cli.columns import Column, Row
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag, Options
from jara_cli.output import ZONE, emit, note, show_line, write

P = ParamSpec("P")
R = TypeVar("R")

_JSON = inspect.Parameter(
    "as_json", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=JsonFlag
)
_CONTEXT = _JSON.replace(name="ctx", default=inspect.Parameter.empty, annotation=typer.Context)
_OPENED = {"context", "application"}


class Table(NamedTuple):
    """A further table for people, below a heading; it is left out if it has no rows."""

    heading: str
    rows: Sequence[object]
    columns: Sequence[Column]


class Answer(NamedTuple):
    """What a command prints, if that is more than one document."""

    document: object
    """A record, an object, or a list of either; ``--json`` prints it whole. None: there is none."""
    view: Sequence[object] | Row | str | None = None
    """What people see instead: rows, one object for a card, or a text."""
    columns: Sequence[Column] = ()  # what people see of it; default: the columns of the verb
    total: Row | None = None  # a last row under a line
    lead: Iterable[str] = ()  # sentences before it, for people, on standard output
    tables: Sequence[Table] = ()  # further tables, for people, on standard output
    hints: Iterable[str] = ()  # sentences after it, for people, on standard error
    notes: Iterable[str] = ()  # sentences after it, with ``--json`` too, on standard error
    ok: bool = True  # False if the answer is no, for the exit code 1
    error: Exception | None = None  # raised at the end


def verb(
    app: typer.Typer,
    *columns: Column,
    name: str | None = None,
    any_mode: bool = False,
    help_text: str | None = None,
    hidden: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Add a function to a noun as a verb; the function itself stays as it is.

    A parameter ``context`` or ``application`` gets the organisation, and ``ctx`` Typer's context;
    the others are arguments and options, or `Options`, whose fields are options. The function
    returns a record, a document, a list of either, an ``Answer``, or None if it has printed
    everything itself. ``--json`` is added as the last option; a function that needs to know it has
    a parameter ``as_json``.

    Args:
        app: the noun.
        columns: what people see of the answer.
        name: the verb; default: the name of the function.
        any_mode: as of ``open_application``.
        help_text: default: the docstring.
        hidden: whether the list of verbs omits it.
    """

    def add(function: Callable[P, R]) -> Callable[P, R]:
        framed = _frame(function, columns, any_mode=any_mode)
        app.command(name, help=help_text, hidden=hidden)(framed)
        return function

    return add


def list_verb(app: typer.Typer, *columns: Column) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Add a function as the verb ``list``, which also runs if the noun stands alone."""

    def add(function: Callable[P, R]) -> Callable[P, R]:
        framed = _frame(function, columns, any_mode=False)
        app.callback(invoke_without_command=True)(framed)
        app.command("list")(framed)
        return function

    return add


def show(answer: object, *, as_json: bool, columns: Sequence[Column] = ()) -> ExitCode:
    """Print what a command returned, and return the exit code.

    Raises:
        Exception: the answer contains it.
    """
    full = answer if isinstance(answer, Answer) else Answer(answer)
    if not as_json:
        _write_all(full.lead)
    if full.document is not None:
        emit(
            full.document,
            as_json=as_json,
            columns=full.columns or columns,
            view=full.view,
            total=full.total,
        )
    if not as_json:
        for table in full.tables:
            if table.rows:
                _write_all([table.heading] if table.heading else ())
                emit(table.rows, as_json=False, columns=table.columns)
        _note_all(full.hints)
    _note_all(full.notes)
    if full.error is not None:
        raise full.error
    return ExitCode.DONE if full.ok else ExitCode.NO


def _write_all(sentences: Iterable[str]) -> None:
    """Write what belongs to the answer, so that a file which takes it has the whole."""
    for sentence in sentences:
        write(f"{show_line(sentence)}\n")


def _note_all(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        note(sentence)


def _frame(
    function: Callable[..., object], columns: Sequence[Column], *, any_mode: bool
) -> Callable[..., ExitCode]:
    """Return the function that Typer calls, with the signature that Typer reads."""
    own = inspect.signature(function, eval_str=True).parameters
    shared = {
        name: inspect.signature(one.annotation, eval_str=True).parameters
        for name, one in own.items()
        if isinstance(one.annotation, type) and issubclass(one.annotation, Options)
    }

    @wraps(function)
    def run(ctx: typer.Context, *, as_json: bool, **options: object) -> ExitCode:
        if ctx.invoked_subcommand is not None:
            return ExitCode.DONE
        frame: dict[str, object] = {"ctx": ctx, "as_json": as_json}
        if own.keys() & _OPENED:
            from jara_cli.context import open_application  # noqa: PLC0415 - help needs no database

            application = open_application(ctx, any_mode=any_mode)
            frame |= {"application": application, "context": application.context}
            ZONE.set(application.context.store.zone)
        options |= {name: value for name, value in frame.items() if name in own}
        for name, fields in shared.items():
            given = {field: options.pop(field) for field in fields}
            options[name] = own[name].annotation(**given)
        if not gc.isenabled():  # `jara_cli.main` loads without it
            gc.freeze()
            gc.enable()
        try:
            return show(function(**options), as_json=as_json, columns=columns)
        finally:
            ZONE.set(TimeZone)  # or the database would stay open

    words = [
        word
        for name, one in own.items()
        if name not in {*_OPENED, "ctx", "as_json"}
        for word in (shared[name].values() if name in shared else [one])
    ]
    parameters = [_CONTEXT, *words, own.get("as_json", _JSON)]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # Typer reads it
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run
