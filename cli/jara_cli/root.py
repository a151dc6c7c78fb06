"""The Typer app: a table of commands, whose modules are imported on demand."""

import os
import re
import sys
from functools import cache, partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from jara import build_name
from jara.domain.content.kinds import KINDS, PROJECTS
from jara.domain.currency import use_currency
from jara.domain.errors import InvalidInput
from jara_cli.exits import ExitCode
from jara_cli.groups import SANDBOX, LazyGroup, PanelGroup, add_verbs, tidy_help
from jara_cli.output import WIDE

HELP_OPTIONS = ["--help", "-h"]
EXPERTS = "For experts"

_CONTENT_LINES = {kind.command: kind.help for kind in KINDS.values()}

# Each name is a module of jara_cli.commands with `app`: a noun with verbs, or one verb of its name.
# The kinds of content share one module; projects have verbs of their own as well. A name of two
# words is a verb that is listed here, and in the same panel of its noun's help.
PANELS: dict[str, dict[str, str]] = {
    "Begin": {
        "demo": "Create a sample organisation and open its website.",
        "setup": "A guided first run: settings, organisation, keys.",
        "init": "Create the database, secrets, fund policy and accounts.",
        "samples": "Sample content for a sandbox, and files to try imports with.",
        "help": "Explain a topic, or a command.",
    },
    "Every day": {
        "members": "Registered members.",
        "approvals": "Actions that need a second operator's approval.",
        "mail": "Emails waiting to be sent, and announcements.",
        "newsletter": "Readers of the newsletter.",
        "partners": "Who reports from the field, and their links.",
        "field": "Reports from the field that wait to be published.",
        "report": "Impact reports, statements, funds and voting.",
    },
    "Money": {
        "pledges": "Monthly pledges and their charges.",
        "payments": "Payments received: list, show, refund, other ways.",
        "claims": "What volunteers paid for us, and paying it back.",
        "bank": "Statements of the bank: import, match, reconcile.",
        "ledger": "The books: balances, entries, imports, exports, checks.",
        "plan": "The plan of a year, beside what the books say.",
        "policy": "The fund split and the fee weights, with their dates.",
        "split": "Show what each fund gets of an amount.",
        "trace": "Which payments paid for what.",
    },
    "Votes": {
        "proposals": "Proposals that members vote on.",
        "votes": "Ballots: count, check, watch.",
    },
    "Website": {
        "organisation": "The organisation's name, address, colour and logo.",
        "legal": "The terms and the privacy text: versions, own texts.",
        **_CONTENT_LINES,
    },
    "Check": {
        "audit": "What an auditor gets, asks for, and signs.",
        "doctor": "Check the installation, and show the settings.",
        "rehearse": "Try with Stripe's test keys what Jara relies on.",
        "proofs": "The public log: checkpoints, bundles, receipts, witnesses.",
        "export": "Files: open data, the public log, the documents of entries.",
    },
    "Run it": {
        "serve": "Serve the website and the HTTP API.",
        "run": "Daily tasks: charges, votes, emails, checks.",
        "backup": "Copy the database to one file while it is in use.",
        "restore": "Restore a backup into a new database.",
        "migrate": "Upgrade the database to this version's schema.",
        "operators": "Who may run commands, and the audit log.",
        "stripe": "Product, price and webhook in the Stripe account.",
    },
    SANDBOX: {
        "pledges start": "Start a pledge with a test card.",
        "pledges card": "Replace the card with another test card.",
        "pledges confirm": "Confirm a payment in place of the cardholder.",
        "pledges charge": "Make due charges, also of days to come.",
        "members confirm": "Confirm a member's address.",
        "votes cast": "Cast a member's ballot.",
        "samples load": "Load sample content.",
        "samples bank": "Write a year of bank statements.",
    },
    EXPERTS: {
        "db": "Move an organisation between databases.",
        "witness": "Sign what the public logs of other organisations say.",
        "proofs rotate-key": "Replace the key of the public log.",
        "proofs signer": "Rebuild the state of the log's signer.",
        "votes destroy-key": "Destroy the ballot key of a vote early.",
        "export tiles": "Write the public log as files for mirrors.",
    },
}
COMMANDS = {
    name: line for panel in PANELS.values() for name, line in panel.items() if " " not in name
}

_RENAMED = {
    "jara reports": "field",
    "jara seed": "samples load",
    "jara pledges refund": "payments refund",
}
"""Commands up to 0.2.0, and what they are called now."""

CONTENT = {kind.command: kind for kind in KINDS.values() if kind.name != PROJECTS}

_NO_COMMAND = re.compile("No such command '(.*?)'")
_NEGATIVE = re.compile(r"-\D{0,3}[0-9][0-9.,]*", re.ASCII)
"""A word of the command line that means an amount, such as ``-5`` or ``-$1,000.00``."""


@cache
def load_command(name: str) -> Any:  # noqa: ANN401 - Typer's class is private
    """Import a command's module and return what Typer makes of it, once in a process."""
    app = typer.Typer(rich_markup_mode=None)
    if name in CONTENT:
        content = import_module("jara_cli.content_commands")
        app.add_typer(content.make_content_app(CONTENT[name]), name=name, help=COMMANDS[name])
        return tidy_help(get_group(app).commands[name])
    module = import_module(f"jara_cli.commands.{name}")
    verbs = getattr(module, "VERBS", None)
    group = PanelGroup if verbs is None else LazyGroup
    app.add_typer(module.app, name=name, help=COMMANDS[name], cls=group)
    noun = get_group(app).commands[name]
    assert isinstance(noun, TyperGroup)  # noqa: S101 - so are all nested apps
    if isinstance(noun, LazyGroup):
        add_verbs(noun, module.__name__, module.VERBS)
    for panel, lines in PANELS.items():
        for path in lines:
            if path.startswith(f"{name} "):
                verb: Any = noun.commands[path.removeprefix(f"{name} ")]
                verb.rich_help_panel = panel
    return tidy_help(noun.commands.get(name, noun))  # `jara split` has no verb


@cache
def build_root() -> LazyGroup:
    """Return the group of all commands, with a placeholder for each, once in a process."""
    app = typer.Typer(
        cls=LazyGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP_OPTIONS},
        epilog="Example: jara split 10.01",
    )
    app.callback(invoke_without_command=True)(_read_root_options)
    root = get_command(app)
    assert isinstance(root, LazyGroup)  # noqa: S101 - named above
    for panel, lines in PANELS.items():
        for name, line in lines.items():
            if name in COMMANDS:
                root.add_placeholder(name, line, partial(load_command, name), panel=panel)
    root.below = {
        panel: {name: line for name, line in lines.items() if name not in COMMANDS}
        for panel, lines in PANELS.items()
    }
    tidy_help(root)
    return root


def run_command(argv: list[str]) -> int:
    """Run one command line and return its exit status.

    A command that returns an ``ExitCode`` ends with it; any other return value means success.

    Raises:
        InvalidInput: the command line is wrong.
    """
    command = build_root()
    if "_JARA_COMPLETE" in os.environ:
        from jara_cli.completion import complete  # noqa: PLC0415 - only for a shell that asks

        complete(command, argv)
    try:
        with command.make_context("jara", _wide_first(argv)) as context:
            status = command.invoke(context)
    except typer.Exit as ending:
        return ending.exit_code
    except typer.Abort as ending:
        raise KeyboardInterrupt from ending
    except typer.TyperException as error:
        help_text = _help_of_bare_noun(error)
        if help_text is None:
            raise InvalidInput(_describe_usage(error, argv)) from error
        sys.stderr.write(f"{help_text}\n")
        return ExitCode.USAGE
    return status if isinstance(status, int) else 0


def _wide_first(argv: list[str]) -> list[str]:
    """Move ``--wide`` to the front, so that it works with every command."""
    ours = argv[: argv.index("--")] if "--" in argv else argv
    if "--wide" not in ours:
        return argv
    return ["--wide", *(word for word in ours if word != "--wide"), *argv[len(ours) :]]


def _show_version(flag: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag
    if flag:
        sys.stdout.write(f"jara {build_name()}\n")
        raise typer.Exit


def _read_root_options(
    context: typer.Context,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL", help="Database; default: JARA_DATABASE_URL, else jara.db."
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            is_eager=True,  # help depends on it
            help="Settings file; default: ./jara.toml if it exists.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="SSH key that signs; default: JARA_OPERATOR_KEY, else the agent."
        ),
    ] = None,
    now: Annotated[
        str | None,
        typer.Option(
            metavar="DATE|INSTANT",
            rich_help_panel=SANDBOX,
            help="Sandbox only: run the command as of this time.",
        ),
    ] = None,
    as_json: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--json", help="Without a command: print one JSON document.")
    ] = False,
    wide: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--wide", help="Show all columns of a table in full.")
    ] = False,
    version: Annotated[  # noqa: ARG001, FBT002 - answered by its callback
        bool,
        typer.Option(
            "--version", "-V", is_eager=True, callback=_show_version, help="Show the version."
        ),
    ] = False,
) -> None:
    """Monthly giving, votes on what it funds, and a ledger that anyone can check."""
    del db, config, key, now  # jara_cli.context reads them
    WIDE.set(wide)
    use_currency(partial(_read_currency, context))
    if context.invoked_subcommand is None:
        from jara_cli.start_page import show_start_page  # noqa: PLC0415 - only `jara` alone

        show_start_page(context, as_json=as_json)
    elif as_json:
        raise InvalidInput("--json stands after the command, as in: jara members list --json")


def _read_currency(context: typer.Context) -> str:
    """Return the currency of the organisation, for amounts on the command line."""
    from jara_cli.context import read_currency  # noqa: PLC0415 - few commands need it

    return read_currency(context)


def _help_of_bare_noun(error: typer.TyperException) -> str | None:
    """Return the help that Typer reports as the error when a noun has no verb."""
    context: typer.Context | None = getattr(error, "ctx", None)
    message = error.format_message()
    return message if context is not None and message == context.get_help() else None


def _describe_usage(error: typer.TyperException, argv: list[str]) -> str:
    """Return Typer's message as one sentence, with a pointer to the help."""
    # Pydantic prefixes messages with "Value error, "; only the value and the rule are wanted.
    message = " ".join(error.format_message().split()).replace(": Value error, ", ": ", 1)
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is not None and (unknown := _NO_COMMAND.match(message)):
        typed = f"{context.command_path} {unknown[1]}"
        if typed in _RENAMED:
            return f"'{typed}' is now 'jara {_RENAMED[typed]}'."
    amount = next((word for word in argv if _NEGATIVE.fullmatch(word)), "")
    if amount and message.startswith(f"No such option: {amount[:2]}"):
        message = (
            f"'{amount}' is a negative amount; write amounts without a sign, since the command "
            "says which way the money goes"
        )
    if context is None:
        return message
    ending = "" if message.endswith((".", "?")) else "."
    return f"{message}{ending} See '{context.command_path} --help'."
