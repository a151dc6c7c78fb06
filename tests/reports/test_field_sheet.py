"""The sheet for partners is in their language, with the link as a QR code."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
import segno

from jara.domain.field_report import PHOTOS_MAX, PIECE_BYTES_MAX, Place
from jara.domain.language import ENGLISH, Language
from jara.domain.projects import REPORT_WITHIN
from jara.languages import read_text
from jara.reports.field_sheet import FieldSheet, draw_sheet

SHEET = FieldSheet(
    "Sankofa", "Maji <Safi>", "Wells", date(2027, 11, 20), "https://x.example/field#abc", ENGLISH
)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The link is valid until 20 November 2027."),
        ("fr", "Le lien est valable jusqu’au 20 novembre 2027."),
    ],
)
def test_a_sheet_is_in_the_language_of_the_partner(language: str, sentence: str) -> None:
    """It has the code, the address and the last day; a name is never markup."""
    page = draw_sheet(SHEET._replace(language=Language(language)))

    assert sentence in page
    modules = segno.make(SHEET.address, error="m", micro=False).symbol_size(border=4)[0]
    assert f'<svg viewBox="0 0 {modules} {modules}"' in page, "no style can cut the code"
    assert "Maji &lt;Safi&gt;" in page
    assert f'<html lang="{language}">' in page


def test_a_sheet_is_in_every_language_the_partners_first() -> None:
    """Who finds it, or helps with it, may read the other language."""
    page = draw_sheet(SHEET._replace(language=Language("fr")))
    sections = re.findall(r'<section lang="(\w+)">(.*?)</section>', page, re.DOTALL)

    assert [language for language, _ in sections] == ["fr", "en"]
    texts = json.loads(read_text(Language("fr"), "field-sheet.json"))
    (_, french), (_, english) = sections
    assert [one for one in texts if one.partition("{")[0] in french] == []
    assert [one for one in texts.values() if one.partition("{")[0] in english] == []


@pytest.mark.parametrize(
    ("heading", "texts", "photos"),
    [
        ("For partners", "webui/src/messages/en/field.json", "up to six photos"),
        ("Pour les partenaires", "src/jara/languages/fr/site/field.json", "jusqu'à six photos"),
    ],
)
def test_the_guide_names_the_button_and_the_limit(heading: str, texts: str, photos: str) -> None:
    """Partners find on the page what docs/field.md tells them to press."""
    root = Path(__file__).parents[2]
    guide = (root / "docs" / "field.md").read_text("utf-8").partition(f"## {heading}\n")[2]
    button = json.loads((root / texts).read_text("utf-8"))["send"]

    assert f"*{button}*" in guide.partition("\n## ")[0]
    assert (photos in guide.partition("\n## ")[0], PHOTOS_MAX) == (True, 6)


def test_the_guide_gives_the_numbers_of_the_rules() -> None:
    """Size of a piece, days of silence, and how exact a place is."""
    guide = (Path(__file__).parents[2] / "docs" / "field.md").read_text("utf-8")

    assert f"pieces of {PIECE_BYTES_MAX // 1024} KiB" in guide
    assert f"no report for {REPORT_WITHIN.days} days" in guide
    assert str(Place.near(-1.29234, 36.82171)) == "-1.29, 36.82", "a hundredth of a degree"
