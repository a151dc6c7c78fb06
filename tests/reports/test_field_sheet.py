"""The sheet for partners is in their language, with the link as a QR code."""

from __future__ import annotations

import json

import pytest

from jara.domain.language import ENGLISH, Language
from jara.languages import read_text
from jara.reports.field_sheet import FieldSheet, draw_sheet

SHEET = FieldSheet(
    "Sankofa", "Maji <Safi>", "Wells", "2027-11-20", "https://x.example/field#abc", ENGLISH
)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The link holds until 2027-11-20."),
        ("fr", "Le lien est valable jusqu’au 2027-11-20."),
    ],
)
def test_a_sheet_is_in_the_language_of_the_partner(language: str, sentence: str) -> None:
    """It has the code, the address and the last day; a name is never markup."""
    page = draw_sheet(SHEET._replace(language=Language(language)))

    assert sentence in page
    assert "<svg" in page
    assert "Maji &lt;Safi&gt;" in page
    assert f'<html lang="{language}">' in page


def test_every_sentence_is_translated() -> None:
    """A French sheet has no English sentence."""
    texts = json.loads(read_text(Language("fr"), "field-sheet.json"))
    french = draw_sheet(SHEET._replace(language=Language("fr")))

    assert [one for one in texts if one.partition("{")[0] in french] == []
