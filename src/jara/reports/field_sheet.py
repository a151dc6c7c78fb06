"""The sheet for a partner in the field: the link as a QR code, and what to do with it."""

from datetime import date
from html import escape
from pathlib import Path
from typing import NamedTuple

import segno

from jara.domain.dates import long_date
from jara.domain.language import Language
from jara.domain.texts import tr
from jara.languages import known_languages, writer_of

_STEPS = (
    "Scan this code with the camera of your phone, or type the address under it.",
    "Open the page once where there is a network. Then it also works without one.",
    (
        "Write what happened and add photos. Ask the people in them whether everybody may see "
        "them, and note the answer."
    ),
    "Press Send report. It stays on your phone until there is a network.",
    "Open the page again to see whether the report was published, or why not.",
)
_WARNING = (
    "Whoever has this sheet can send reports in your name. If you lose it, tell us: {organisation}."
)
_CATALOGUE = "field-sheet"
_QUIET_MODULES = 4
"""The white border that readers of QR codes need."""
_STYLE = Path(__file__).with_name("templates") / "field-sheet.css"


class FieldSheet(NamedTuple):
    """What a sheet says."""

    organisation: str
    partner: str
    project: str
    last_day: date
    address: str
    language: Language


def draw_sheet(sheet: FieldSheet) -> str:
    """Return the sheet as an HTML page to print: the partner's language first, then the others."""
    known = known_languages()
    languages = (sheet.language, *(one for one in known if one != sheet.language))
    code = segno.make(sheet.address, error="m", micro=False)
    # Without its own size it has a viewBox, so that no style cuts it.
    drawn = code.svg_inline(border=_QUIET_MODULES, omitsize=True)
    title = writer_of(sheet.language, _CATALOGUE)("Report from the field")
    sections = "\n".join(_section(sheet, language) for language in languages)
    return f"""<!doctype html>
<html lang="{sheet.language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>
{_STYLE.read_text("utf-8")}</style>
<header><span>{escape(sheet.organisation)}</span><span>{escape(sheet.partner)}</span></header>
<h1>{escape(sheet.project)}</h1>
<div class="code">
{drawn}
<code>{escape(sheet.address)}</code>
</div>
<main class="languages">
{sections}
</main>
</html>
"""


def _section(sheet: FieldSheet, language: Language) -> str:
    write = writer_of(language, _CATALOGUE)

    def say(sentence: str) -> str:
        day = long_date(sheet.last_day)
        return escape(write(tr(sentence, organisation=sheet.organisation, day=day)))

    steps = "\n".join(f"<li>{say(step)}</li>" for step in _STEPS)
    return f"""<section lang="{language}">
<h2>{say("Report from the field")}</h2>
<ol>
{steps}
</ol>
<p>{say("The link is valid until {day}.")}</p>
<p class="warning">{say(_WARNING)}</p>
</section>"""
