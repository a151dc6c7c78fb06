"""The sheet for a partner in the field: the link as a QR code, and what to do with it."""

from __future__ import annotations

import json
from html import escape
from typing import NamedTuple

import segno

from jara.domain.language import ENGLISH, Language
from jara.languages import read_text

_STEPS = (
    "Scan this code with the camera of your phone, or type the address below.",
    "Open the page once where there is a network. Then it also works without one.",
    (
        "Write what happened, add photos, and press Send report. It stays on your phone until "
        "there is a network."
    ),
    "Ask the people in the photos whether everybody may see them.",
    "Open the page again to see whether the report was published, or why not.",
)
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 2rem; line-height: 1.1; margin: 0 0 .5rem; }
svg { display: block; width: 16rem; height: auto; margin: 1.5rem 0; }
code { overflow-wrap: anywhere; }
li { margin: .5rem 0; }
"""


class FieldSheet(NamedTuple):
    """What a sheet says."""

    organisation: str
    partner: str
    project: str
    last_day: str
    address: str
    language: Language


def draw_sheet(sheet: FieldSheet) -> str:
    """Return the sheet as an HTML page to print, in the partner's language."""
    texts: dict[str, str] = (
        {}
        if sheet.language == ENGLISH
        else json.loads(read_text(sheet.language, "field-sheet.json"))
    )

    def say(sentence: str) -> str:
        values = {"day": sheet.last_day, **sheet._asdict()}
        return escape(texts.get(sentence, sentence).format(**values))

    code = segno.make(sheet.address, error="m", micro=False).svg_inline(border=2, scale=8)
    warning = (
        "Whoever has this sheet can send reports in your name. If you lose it, tell us: "
        "{organisation}."
    )
    steps = "\n".join(f"<li>{say(step)}</li>" for step in _STEPS)
    return f"""<!doctype html>
<html lang="{sheet.language}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>{say("Report from the field")}</title>
<style>{_STYLE}</style>
<h1>{say("Report from the field")}</h1>
<p>{say("Project: {project}. Partner: {partner}.")}</p>
{code}
<ol>
{steps}
</ol>
<p><code>{escape(sheet.address)}</code></p>
<p>{say("The link holds until {day}.")}</p>
<p>{say(warning)}</p>
</html>
"""
