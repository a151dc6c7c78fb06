"""What a person reads: no Python in the help, no empty rows, rounded shares."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from jara_cli.columns import Column, Kind, spell_key
from jara_cli.output import emit
from jara_cli.proposal_parts import rounded_shares
from jara_cli.rich_output import draw_table, fit_widths
from jara_cli.root import COMMANDS, load_command
from tests.pages.commands import make_page


def test_help_shows_no_types_of_python() -> None:
    """Neither types, nor doubled brackets, nor braces around what is required."""
    text = make_page()

    assert "Usage: jara ledger balance [OPTIONS] [ACCOUNT...]" in text
    assert [] == re.findall(r"<(?:str|int|list\[.*?)>|\[\[|OPTIONS\] \{", text)


def test_lists_of_verbs_cut_no_sentence() -> None:
    """What a verb does is said to the end; a long sentence takes a second line."""
    lists = [command_list(load_command(noun)) for noun in COMMANDS]

    assert [] == [line for text in lists for line in text.splitlines() if line.endswith("...")]


def command_list(command: Any) -> str:
    """Return what a noun and the nouns below it list, 80 columns wide."""
    verbs = getattr(command, "commands", None)
    if verbs is None:
        return ""
    shown: str = command.get_help(typer.Context(command, info_name="jara", terminal_width=80))
    return shown.partition("Commands:")[2] + "".join(map(command_list, verbs.values()))


def test_a_card_has_no_empty_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """What has no value is left out; a card without any says so."""
    columns = [Column("a", "Name"), Column("b", "Skips")]

    emit({"a": "Ama", "b": None}, as_json=False, columns=columns)
    emit({}, as_json=False, columns=columns)

    assert "Name  Ama\n" + "  Nothing to show.\n" == capsys.readouterr().out


def test_a_table_has_no_empty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal a column without any value makes room for the others; --wide shows it."""
    columns = [Column("a", "Name"), Column("b", "Skips")]

    draw_table(columns, [["Ama", ""]], ["Total", ""], wide=False)
    assert "Skips" not in capsys.readouterr().out
    draw_table(columns, [["Ama", ""]], None, wide=True)
    assert "Skips" in capsys.readouterr().out
    draw_table(columns, [["", ""]], None, wide=False)
    assert "Skips" in capsys.readouterr().out


def test_ids_make_room_before_texts_do() -> None:
    """The beginning of an id is enough; half of an address is not."""
    columns = [Column("id", "Id", Kind.ID), Column("email", "Email")]
    cells = [["01a20756-3763-722f", "ama@example.org"], ["01b20756-3763-722f", "kofi@example.org"]]

    assert {0: 8, 1: 16} == fit_widths(columns, cells, 26)
    assert {0: 12, 1: 16} == fit_widths(columns, cells, 30)
    assert {0: 8, 1: 13} == fit_widths(columns, cells, 23)


def test_commands_are_never_cut() -> None:
    """What waits takes a second line before the command that deals with it is shortened."""
    columns = [Column("a", "Waits", Kind.SENTENCE), Column("b", "Command", Kind.COMMAND)]
    command = "jara pledges list --state past_due --way transfer"

    assert {0: 29, 1: 49} == fit_widths(columns, [["1 late transfer " * 9, command]], 80)


def test_a_total_stands_under_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """As on paper, and not under an empty row."""
    columns = [Column("a", "Account"), Column("b", "Balance", Kind.CENTS)]

    draw_table(columns, [["assets:bank", "$1.00"]], ["Total", "$1.00"], wide=False)

    *_, rule, total = capsys.readouterr().out.splitlines()
    assert {"─"} == set(rule)
    assert total.startswith("Total")


def test_shares_are_rounded_for_reading() -> None:
    """4 of 6 are not 66.6 %; nobody on the roll is no error."""
    assert {"upvotePercentage": "66.7", "downvotePercentage": "16.7"} == rounded_shares(
        {"yes": 4, "no": 1, "roll": 6}
    )
    assert {"0.0"} == set(rounded_shares({"yes": 0, "no": 0, "roll": 0}).values())


def test_keys_are_spelt_as_words() -> None:
    """A key of JSON is no heading."""
    names = [spell_key(key) for key in ("fundingGoalCents", "title", "externalId")]

    assert ["Funding goal", "Title", "External id"] == names
