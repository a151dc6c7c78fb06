"""What a person reads: no Python in the help, no empty rows, rounded shares."""

from __future__ import annotations

import re

import pytest

from jara_cli.columns import Column, spell_key
from jara_cli.output import emit
from jara_cli.rich_output import draw_table
from tests.pages.commands import make_page


def test_help_shows_no_types_of_python() -> None:
    """Neither types, nor doubled brackets, nor braces around what is required."""
    text = make_page()

    assert "Usage: jara ledger balance [OPTIONS] [ACCOUNT...]" in text
    assert [] == re.findall(r"<(?:str|int|list\[.*?)>|\[\[|OPTIONS\] \{", text)


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


def test_keys_are_spelt_as_words() -> None:
    """A key of JSON is no heading."""
    names = [spell_key(key) for key in ("fundingGoalCents", "title", "externalId")]

    assert ["Funding goal", "Title", "External id"] == names
