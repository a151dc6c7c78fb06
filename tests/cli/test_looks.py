"""Output for people: no Python types in the help, no empty rows, rounded shares."""

import re
from typing import Any

import pytest
import typer

from jara_cli.columns import Column, Kind, spell_key
from jara_cli.output import emit
from jara_cli.rich_output import draw_table, fit_widths
from jara_cli.root import COMMANDS, load_command
from tests.pages.commands import make_page


def test_help_shows_no_types_of_python() -> None:
    """The help has no types, doubled brackets or braces around required arguments."""
    text = make_page()

    assert "Usage: jara ledger balance [OPTIONS] [ACCOUNT...]" in text
    assert re.findall(r"<(?:str|int|list\[.*?)>|\[\[|OPTIONS\] \{", text) == []


def test_lists_of_verbs_cut_no_sentence() -> None:
    """A long description continues on a second line."""
    lists = [command_list(load_command(noun)) for noun in COMMANDS]

    assert [line for text in lists for line in text.splitlines() if line.endswith("...")] == []


def command_list(command: Any) -> str:
    """Return the command list of a noun and of the nouns below it, 80 columns wide."""
    verbs = getattr(command, "commands", None)
    if verbs is None:
        return ""
    shown: str = command.get_help(typer.Context(command, info_name="jara", terminal_width=80))
    return shown.partition("Commands:")[2] + "".join(map(command_list, verbs.values()))


def test_a_card_has_no_empty_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows without a value are left out; a card without any value says so."""
    columns = [Column("a", "Name"), Column("b", "Skips")]

    emit({"a": "Ama", "b": None}, as_json=False, columns=columns)
    emit({}, as_json=False, columns=columns)

    assert capsys.readouterr().out == "Name  Ama\n" + "  Nothing to show.\n"


def test_a_table_has_no_empty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal, columns without values are left out; --wide shows them."""
    columns = [Column("a", "Name"), Column("b", "Skips")]

    draw_table(columns, [["Ama", ""]], ["Total", ""], wide=False)
    assert "Skips" not in capsys.readouterr().out
    draw_table(columns, [["Ama", ""]], None, wide=True)
    assert "Skips" in capsys.readouterr().out
    draw_table(columns, [["", ""]], None, wide=False)
    assert "Skips" in capsys.readouterr().out


def test_ids_make_room_before_texts_do() -> None:
    """Ids are shortened before addresses are."""
    columns = [Column("id", "Id", Kind.ID), Column("email", "Email")]
    cells = [["01a20756-3763-722f", "ama@example.org"], ["01b20756-3763-722f", "kofi@example.org"]]

    assert fit_widths(columns, cells, 26) == {0: 8, 1: 16}
    assert fit_widths(columns, cells, 30) == {0: 12, 1: 16}
    assert fit_widths(columns, cells, 23) == {0: 8, 1: 13}


def test_commands_are_never_cut() -> None:
    """A waiting task uses a second line before its command is shortened."""
    columns = [Column("a", "Waits", Kind.SENTENCE), Column("b", "Command", Kind.COMMAND)]
    command = "jara pledges list --state past_due --way transfer"

    assert fit_widths(columns, [["1 late transfer " * 9, command]], 80) == {0: 29, 1: 49}


def test_keys_are_spelt_as_words() -> None:
    """JSON keys become headings in plain words."""
    names = [spell_key(key) for key in ("fundingGoalCents", "title", "externalId")]

    assert names == ["Funding goal", "Title", "External id"]
