"""The Typer app: the table of commands, of which only the named one is imported."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from copy import copy
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command, get_command_name

from jara import __version__
from jara.services.content.kinds import KINDS, PROJECTS
from jara_cli.content_commands import make_content_app
from jara_cli.root_options import RootOptions

# Each name is a module of jara_cli.commands, which holds `app` (a noun with verbs) or
# `command` (a single command). The kinds of content share one module; projects have verbs
# of their own besides.
COMMANDS = {
    "demo": "Make a whole sample organisation and show its website.",
    "init": "Begin: schema, secrets, fund policy, chart of accounts.",
    "doctor": "Check the installation and show every setting with its source.",
    "migrate": "Bring the database to this version's schema.",
    "backup": "Copy the database to one file, also while it is in use.",
    "restore": "Put a backup where there is no database yet.",
    "serve": "Serve the website and the HTTP API.",
    "samples": "Example files to try the imports with.",
    "seed": "Load sample content, marked as sample.",
    "run": "Do what is due: close votes, send mail, reconcile.",
    "members": "The people who registered.",
    "pledges": "What members promise each month, and its charges.",
    "proposals": "What is voted on.",
    "votes": "Ballots: count, check, watch.",
    "ledger": "The books: balances, entries, imports, exports, checks.",
    "split": "Show what each fund gets of an amount.",
    "policy": "The fund split and the fee weights, with their dates.",
    "trace": "Whose dollars paid for what.",
    "report": "Impact reports, statements, funds and voting.",
    **{kind.command: kind.help for kind in KINDS.values()},
    "mail": "The outbox.",
    "proofs": "The public log: checkpoints, bundles, receipts.",
    "operators": "Who may work with this organisation.",
    "approvals": "What waits for a second operator.",
    "stripe": "Product, price and webhook in the Stripe account.",
    "db": "Move an organisation between databases.",
}
CONTENT = {kind.command: kind for kind in KINDS.values() if kind.name != PROJECTS}
_OPTIONS_WITH_VALUE = {"--db", "--config"}
_HELP = ("--help", "-h")


def run_command(argv: list[str]) -> int:
    """Run one command line and return its exit status.

    A command that returns an ``ExitCode`` ends with it; any other return means done.

    Raises:
        InvalidInput: the command line does not say what Jara understands.
    """
    completing = "_JARA_COMPLETE" in os.environ
    command = get_command(build_app(_named_words(argv), everything=completing))
    if completing:
        command.main(argv, prog_name="jara")
    try:
        with command.make_context("jara", argv or ["--help"]) as context:
            _look_for_garbage()
            status = command.invoke(context)
    except typer.Exit as ending:
        return ending.exit_code
    except typer.Abort as ending:
        raise KeyboardInterrupt from ending
    except typer.TyperException as error:
        from jara.domain.errors import InvalidInput

        raise InvalidInput(_describe_usage(error)) from error
    return status if isinstance(status, int) else 0


def _look_for_garbage() -> None:
    """Begin it when the command's own work begins; what was made before is kept to the end."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def build_app(named: Sequence[str] = (), *, everything: bool = False) -> typer.Typer:
    """Make the app with the named command alone, since Typer takes long to read signatures.

    Without one, each command is a name and a line of help.
    """
    app = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": [*_HELP]},
        epilog="Example: jara split 10.01",
    )
    app.callback()(_read_root_options)
    noun, verb = (*named, "", "")[:2]
    for name, line in COMMANDS.items():
        if not everything and name != noun:
            if noun not in COMMANDS:
                app.command(name, help=line)(_stand_in)
        elif name in CONTENT:
            app.add_typer(_narrow(make_content_app(CONTENT[name]), verb), name=name, help=line)
        else:
            module: Any = import_module(f"jara_cli.commands.{name}")
            if hasattr(module, "app"):
                app.add_typer(_narrow(module.app, verb), name=name, help=line)
            else:
                app.command(name)(module.command)
    return app


def _narrow(app: typer.Typer, verb: str) -> typer.Typer:
    """Return a noun's app with one verb alone; all of it when there is no such verb."""
    commands = [
        command
        for command in app.registered_commands
        if verb == (command.name or get_command_name(getattr(command.callback, "__name__", "")))
    ]
    groups = [group for group in app.registered_groups if verb == group.name]
    if not commands and not groups:
        return app
    narrowed = copy(app)
    narrowed.registered_commands, narrowed.registered_groups = commands, groups
    return narrowed


def _stand_in() -> None:
    """Take the place of a command in the list, where only its name and line are shown."""


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag
    if wanted:
        sys.stdout.write(f"jara {__version__}\n")
        raise typer.Exit


def _read_root_options(
    context: typer.Context,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL", help="The database; else JARA_DATABASE_URL, else jara.db."
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="The file of settings; else ./jara.toml if there."),
    ] = None,
    version: Annotated[  # noqa: ARG001, FBT002 - answered by its callback
        bool,
        typer.Option(
            "--version", "-V", is_eager=True, callback=_show_version, help="Show the version."
        ),
    ] = False,
) -> None:
    """Monthly giving, votes on what it funds, and a ledger that anyone can check."""
    context.obj = RootOptions(db=db, config=config)


def _named_words(argv: Sequence[str]) -> Sequence[str]:
    """Return the command line from its noun on; nothing when help of all is asked for."""
    skip = False
    for place, word in enumerate(argv):
        if skip:
            skip = False
        elif word in _OPTIONS_WITH_VALUE:
            skip = True
        elif word in _HELP:
            return ()
        elif not word.startswith("-"):
            return argv[place:]
    return ()


def _describe_usage(error: typer.TyperException) -> str:
    """One sentence from Typer's message, and where the help is."""
    # Typer hands on how Pydantic begins; the value and the rule follow.
    message = " ".join(error.format_message().split()).replace(": Value error, ", ": ", 1)
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is None:
        return message
    ending = "" if message.endswith((".", "?")) else "."
    return f"{message}{ending} See '{context.command_path} --help'."
