"""``jara setup``: a guided first run."""

import sys
from typing import Annotated

import typer

from jara.bootstrap.serving import is_open_sandbox
from jara.domain.errors import InvalidInput, JaraError, Unavailable
from jara.services.operations.diagnosis_setup import Level
from jara_cli.columns import Column, Kind
from jara_cli.commands.doctor import CHECKS
from jara_cli.commands.serve import Address, require_free
from jara_cli.options import option
from jara_cli.output import note
from jara_cli.setup.answers import Answers, Draft, read_answers
from jara_cli.setup.interview import interview
from jara_cli.setup.steps import Setup
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer()

_FAILED = (Column("command", "Command", Kind.COMMAND), Column("why", "Why", Kind.SENTENCE))
_PORTS = 20


@verb(app, name="setup")
def command(
    ctx: typer.Context,
    answers: Annotated[
        str | None, option("FILE", "Ask nothing: the answers are in this TOML file; or -.")
    ] = None,
) -> Answer:
    """Set up an organisation: ask a dozen questions, and do what follows from the answers.

    It writes the settings file and the organisation, tries Stripe's keys and the mail server, and
    enrols the first operator's key. Enter takes the value in brackets, - leaves a question out.
    Nothing is changed before the last answer. Run it again at any time: values that stay are not
    written, and after an interruption it goes on where it was.

    The keys of the file are named like the options of `init` and `organisation set`, and like
    the settings: legal-name, time-zone, site-url. `split`, `operator` and `key` are those of
    `policy set` and `operators add`. A mistake is named with its line, and nothing is written.

    Examples:
      jara setup
      jara setup --answers answers.toml
    """
    setup = Setup(ctx)
    draft = Draft(setup.file.parent)
    if answers is None:
        given = _answers_at_terminal(setup, draft)
    else:
        given = read_answers(answers, setup.current(), setup.settings())
    setup.check(given)
    setup.apply(given)
    draft.remove()
    findings = [one for one in setup.run("doctor")["checks"] if one["level"] != Level.OK]
    findings += [one._asdict() for one in setup.left]
    return Answer(
        {"done": setup.done, "failed": setup.failures, "left": findings},
        view="".join(f"{line}\n" for line in setup.done),
        lead=["Done:" if setup.done else "Nothing was to be done."],
        tables=[
            Table("What did not work:", setup.failures, _FAILED),
            Table("What is left:", findings, CHECKS),
        ],
        hints=[f"Start the website: {_serving(setup)}"],
        ok=not setup.failures,
    )


def _answers_at_terminal(setup: Setup, draft: Draft) -> Answers:
    if not sys.stdin.isatty():
        raise InvalidInput("There is no terminal to ask at; give --answers FILE.")
    try:
        given = interview(setup, draft)
        setup.check(given)
    except KeyboardInterrupt:
        note(f"\nThe answers so far are in {draft.path}; the same command goes on.")
        raise
    except JaraError:
        note(f"The answers are in {draft.path}; remove it to answer anew.")
        raise
    return given


def _serving(setup: Setup) -> str:
    """Return the command that starts the website, with a port that is free."""
    settings = setup.settings()
    is_public = is_open_sandbox(settings) and not settings.public_sandbox
    words = ["serve", *(["--public-sandbox"] if is_public else [])]
    first = Address().port
    for port in range(first, first + _PORTS):
        try:
            require_free(Address(port=port))
        except Unavailable:
            continue
        usual = port == first
        return setup.words(*words, *(() if usual else ("--port", str(port))))
    return setup.words(*words, "--port", "PORT")
