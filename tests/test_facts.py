"""Sentences that state how the product behaves name what makes them true.

``tests/facts.yaml`` lists them, in English and French, by what holds them:

- ``package.module:NAME = 30 days``: a constant with this value;
- ``file#text``: code, with a text that stands in it;
- ``people``: what only people can do.

Each sentence with a period, such as "180 days", must be listed: when the constant changes, the
list fails until the sentence follows. Other facts are listed where somebody thought of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module

import pytest
import yaml

from tests.languages.catalogues import catalogues
from tests.test_kept_promises import ENGLISH_WORDS, FOLDERS, ROOT, sentences_of, written

NUMBERS = {
    "two": 2,
    "six": 6,
    "seven": 7,
    "fourteen": 14,
    "thirty": 30,
    "deux": 2,
    "sept": 7,
    "quatorze": 14,
    "trente": 30,
}
UNITS = {
    "minute": "minutes",
    "hour": "hours",
    "day": "days",
    "year": "years",
    "heure": "hours",
    "jour": "days",
    "an": "years",
}
_NUMBER = rf"\b(?P<number>\d+|{'|'.join(NUMBERS)})\s+"
ENGLISH = re.compile(rf"{_NUMBER}(?P<unit>minute|hour|day|year)s?\b", re.IGNORECASE)
FRENCH = re.compile(rf"{_NUMBER}(?P<unit>minute|heure|jour|an)s?\b", re.IGNORECASE)
FACTS: dict[str, list[str]] = yaml.safe_load((ROOT / "tests" / "facts.yaml").read_text("utf-8"))


def sentences() -> Iterator[tuple[re.Pattern[str], str]]:
    """Yield each sentence with its place; those of a list in a legal text with its heading."""
    for words, place, text in written():
        if not place.startswith("legal/"):
            yield ENGLISH if words is ENGLISH_WORDS else FRENCH, f"{place} | {text}"
    for period, folder in zip((ENGLISH, FRENCH), FOLDERS[2][1:], strict=True):
        for file in sorted(folder.glob("*.md")):
            text = re.sub(r"{%.*?%}", " ", file.read_text("utf-8"))
            for part in re.split(r"\n\s*\n|\n\s*(?=- )", text):
                heading, _, rest = " ".join(part.split()).rpartition("** ")
                for one in re.split(r"(?<=[.!?])\s+", rest):
                    head = f"{heading.lstrip('- *')} " if heading else ""
                    yield period, f"legal/{file.stem} | {head}{one}"


def test_each_period_is_listed() -> None:
    """A sentence with a period that changed is missing in the list, and the old one too many."""
    written_facts = dict.fromkeys(line for _, line in sentences())
    periods = {line for period, line in sentences() if period.search(line.partition(" | ")[2])}
    listed = [line for lines in FACTS.values() for line in lines]

    assert len(set(listed)) == len(listed)
    assert sorted(periods - set(listed)) == []
    assert sorted(set(listed) - set(written_facts)) == []


@pytest.mark.parametrize("holder", FACTS)
def test_each_fact_is_held(holder: str) -> None:
    """The constant has the value, which each sentence says; the code has the text."""
    file, mark, text = holder.partition("#")
    if holder == "people":
        return
    if mark:
        assert text in (ROOT / file).read_text("utf-8")
        return
    name, _, said = holder.partition(" = ")
    module, _, constant = name.partition(":")
    number, unit = said.split()
    value = getattr(import_module(module), constant)

    assert value == (int(number) if unit == "years" else timedelta(**{unit: int(number)}))
    for line in FACTS[holder]:
        assert (int(number), unit) in set(periods_in(line)), line


def periods_in(line: str) -> Iterator[tuple[int, str]]:
    """Yield the periods that a sentence names."""
    for pattern in (ENGLISH, FRENCH):
        for one in pattern.finditer(line):
            word = one["number"].lower()
            yield (NUMBERS.get(word) or int(word)), UNITS[one["unit"].lower()]


def test_only_texts_with_a_contact_ask_to_write() -> None:
    """Where no address is set, nothing says "write to us": the texts that do stand beside one."""
    english = {
        f"{file.stem} {key}"
        for file in sorted(catalogues("en").glob("*.json"))
        for key, text in sentences_of(file)
        if re.search(r"\bwrite to us\b", text, re.IGNORECASE)
    }

    assert english == WITH_A_CONTACT


WITH_A_CONTACT = {
    "accessibility help.mail",
    "faqs unsure.text",
    "home-rest faq.else",
    "own-votes own.wrong",
}
"""Their components show them with ``contactEmail`` alone."""
