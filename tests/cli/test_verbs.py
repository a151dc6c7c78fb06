"""The frame of commands: what it adds to a function, and how it prints the answer."""

import json
from typing import Annotated, NamedTuple

import pytest
import typer
from typer.main import get_group

from jara.domain.errors import Conflict
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.exits import ExitCode
from jara_cli.verbs import Answer, Table, list_verb, show, verb

COLUMNS = [Column("name", "Name"), Column("paidCents", "Paid", Kind.CENTS)]


class Payer(NamedTuple):
    """A record with a field of two words."""

    name: str
    paid_cents: int


AMA, BEN = Payer("Ama", 1000), Payer("Ben", 550)


def run(app: typer.Typer, *words: str) -> int:
    """Run a command line of a noun and return its exit code."""
    command = get_group(app)
    with command.make_context("noun", list(words)) as context:
        return int(command.invoke(context) or 0)


def options_of(app: typer.Typer, name: str) -> list[str | None]:
    """Return the names of a verb's parameters, in the order of its help."""
    return [parameter.name for parameter in get_group(app).commands[name].params]


def test_json_is_the_last_option_and_the_organisation_is_none() -> None:
    """A function takes only its own parameters; it stays callable as it is."""
    app = typer.Typer()

    @verb(app)
    @verb(app, name="another-name")
    def payers(context: Context, least: Annotated[int, typer.Option()] = 0) -> list[Payer]:
        del context
        return [one for one in (AMA, BEN) if one.paid_cents >= least]

    assert options_of(app, "payers") == ["least", "as_json"]
    assert options_of(app, "another-name") == ["least", "as_json"]
    assert payers(None, 600) == [AMA]  # type: ignore[arg-type] # it is not used


def test_records_become_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The columns of the verb name the JSON keys of the record."""
    app = typer.Typer()
    app.callback()(lambda: None)
    verb(app, *COLUMNS, name="payers")(lambda: [AMA, BEN])

    assert run(app, "payers") == ExitCode.DONE
    assert capsys.readouterr().out.splitlines()[2:] == ["Ama   $10.00", "Ben    $5.50"]
    assert run(app, "payers", "--json") == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == [
        {"name": "Ama", "paidCents": 1000},
        {"name": "Ben", "paidCents": 550},
    ]


def test_a_function_can_ask_for_the_json_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """A verb that prints everything itself returns None."""
    app = typer.Typer()
    app.callback()(lambda: None)

    @verb(app)
    def export(as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
        typer.echo("json" if as_json else "text")

    run(app, "export", "--json")

    assert options_of(app, "export") == ["as_json"]
    assert capsys.readouterr().out == "json\n"


def test_a_noun_can_stand_for_its_list(capsys: pytest.CaptureFixture[str]) -> None:
    """The list is shown with the noun alone and with ``list``, and not before another verb."""
    app = typer.Typer()
    list_verb(app, *COLUMNS)(lambda: [AMA])
    verb(app, *COLUMNS, name="add")(lambda: BEN)

    run(app)
    alone = capsys.readouterr().out
    run(app, "list")
    assert "Ama" in alone
    assert capsys.readouterr().out == alone
    run(app, "add")

    assert capsys.readouterr().out == "Name  Ben\nPaid  $5.50\n"


def test_people_see_the_view_and_programs_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Sentences and tables for people do not appear with --json, notes do."""
    answer = Answer(
        {"payers": [AMA]},
        view=[AMA],
        lead=["Before."],
        tables=[Table("Others:", [BEN], COLUMNS[:1]), Table("Empty:", [], COLUMNS)],
        hints=["Hint."],
        notes=["Note."],
    )

    show(answer, as_json=False, columns=COLUMNS[:1])
    assert capsys.readouterr() == (
        "Before.\nName\n----\nAma\nOthers:\nName\n----\nBen\n",
        "Hint.\nNote.\n",
    )
    show(answer, as_json=True, columns=COLUMNS)

    out, err = capsys.readouterr()
    assert json.loads(out) == {"payers": [{"name": "Ama", "paidCents": 1000}]}
    assert err == "Note.\n"


def test_a_text_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A view can be a text, such as an email."""
    show(Answer({"text": "Dear Ama"}, view="Dear Ama\n"), as_json=False)

    assert capsys.readouterr().out == "Dear Ama\n"


def test_an_answer_can_be_no_or_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1 for no; an error is raised after the notes."""
    assert show(Answer({}, ok=False), as_json=True) == ExitCode.NO
    with pytest.raises(Conflict, match="Refused"):
        show(Answer(None, notes=["First."], error=Conflict("Refused.")), as_json=True)

    assert capsys.readouterr() == ("{}\n", "First.\n")
