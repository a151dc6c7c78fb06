"""Sentences that state how the product behaves name what makes them true.

``tests/facts.yaml`` lists their places by what holds them, each with a mark of its English and
French words: after one of them has changed, look at what holds it, then write the new mark. A
holder is one of:

- ``package.module:NAME = 30 days``: a constant with this value;
- ``file#text``: code, with a text that stands in it;
- ``test: NAME``: a test, by the name of its function or by its title;
- ``people``: what only people, or the law, can keep;
- ``words``: it says nothing of how the product behaves.

Each paragraph of the legal texts, each shipped answer and each email must be listed, and each text
of the site with a sentence or a period ("180 days"), unless ``tests/promises.yaml`` has it.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import yaml

from tests.test_configurations import LEGAL
from tests.test_documents import SECURITY
from tests.test_kept_promises import FRENCH as CATALOGUES
from tests.test_kept_promises import LISTED, ROOT, sentences_of

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
SENTENCE = re.compile(r"(?<!\.)[.:](?:\s|<|$)")
NOT_LOADED = re.compile(r"[^.]+ did not load\.")
"""What ``webui/src/app/unknown.test.tsx`` holds."""
TOLD = {
    "emails, with address and text": "2.9",
    "events of the payment provider": "",
    "ballot keys": "3.2",
    "sessions, with browser, system and last day of use": "2.7",
    "devices that signed in before, as keyed hashes": "2.8",
    "gifts that givers announced, with name and address": "2.13",
    "old addresses of members whose address an operator changed": "2.4",
    "unconfirmed newsletter addresses": "2.21",
    "interrupted registrations, with the form": "2.3",
    "responses to repeated requests": "",
    "ended sessions": "2.7",
    "operators' notes on entries": "2.11",
    "hashed addresses of donors without an account": "2.12",
    "attempts counted for the limits above": "2.23",
    "members, pledges, consents": "2.1 2.10 2.18",
    "partners' addresses, confirmed or not": "2.19",
    "documents of entries, encrypted": "2.22",
    "account numbers of claims, encrypted": "2.20",
    "claimants' names and addresses, and what they wrote beside a claim": "2.20",
    "entries, ballots, who took part in a vote (from 14 days after it), the audit log, operators' "
    "names and addresses with their keys and signed acts": "2.11 2.16 2.17",
    "backups": "8.4",
}
"""The paragraphs of the privacy text for each row of docs/security.md's retention.

The provider's events and repeated answers name nobody for longer than the rest.
"""
PROMISES = {line for lines in LISTED.values() for line in lines}
FACTS: dict[str, dict[str, str]] = yaml.safe_load(
    (ROOT / "tests" / "facts.yaml").read_text("utf-8")
)


def paragraphs(file: Path) -> dict[str, str]:
    """Return the paragraphs of a legal text by section and number; a bullet is one of them."""
    text = re.sub(r"{%.*?%}", " ", file.read_text("utf-8"))
    found, section, number = dict[str, str](), 0, 0
    for part in re.split(r"\n\s*\n|\n\s*(?=- )", text):
        words = " ".join(part.split())
        if words.startswith("#"):
            section, number = section + words.startswith("##"), 0
        elif words:
            number += 1
            found[f"{section}.{number}"] = words
    return found


@cache
def places() -> dict[str, tuple[str, str]]:
    """Return the English and the French text of each place."""
    found: dict[str, tuple[str, str]] = {}
    for file in sorted((ROOT / "webui" / "src" / "messages" / "en").glob("*.json")):
        french = dict(sentences_of(CATALOGUES / "site" / file.name))
        found |= {
            f"site/{file.stem} {key}": (text, french[key]) for key, text in sentences_of(file)
        }
    for file in sorted((CATALOGUES / "emails").glob("*.txt")):
        english = ROOT / "src" / "jara" / "mail" / "templates" / file.name
        both = [" ".join(text for _, text in sentences_of(one)) for one in (english, file)]
        found[f"emails/{file.stem}"] = (both[0], both[1])
    for file in sorted(LEGAL["en"].glob("*.md")):
        ours, theirs = paragraphs(file), paragraphs(LEGAL["fr"] / file.name)
        assert [*ours] == [*theirs], "the texts have other paragraphs"
        found |= {f"legal/{file.stem} {one}": (ours[one], theirs[one]) for one in ours}
    for faq in yaml.safe_load((ROOT / "data" / "faqs.yaml").read_text("utf-8")):
        found[f"answer {faq['id']}"] = (faq["answer"], faq["fr"]["answer"])
    return found


def is_fact(place: str, english: str, french: str) -> bool:
    """Return whether a place must be listed."""
    if not place.startswith("site/"):
        return True
    is_promise = f"{place} | {english}" in PROMISES
    is_held = is_promise or NOT_LOADED.fullmatch(english)
    has_period = ENGLISH.search(english) or FRENCH.search(french)
    return not is_held and bool(SENTENCE.search(english) or has_period)


def mark_of(place: str) -> str:
    """Return the mark of what a place says in both languages."""
    return sha256("\n".join(places()[place]).encode()).hexdigest()[:8]


def periods_in(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the periods that a text names."""
    for one in pattern.finditer(text):
        word = one["number"].lower()
        yield (NUMBERS.get(word) or int(word)), UNITS[one["unit"].lower()]


@cache
def sources() -> str:
    """Return the tests of the product and of the website."""
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "webui").glob("src/**/*.test.ts*")]
    return "\n".join(
        one.read_text("utf-8") for one in (*files, *(ROOT / "webui" / "e2e").glob("*.ts"))
    )


def test_each_fact_is_listed() -> None:
    """A new statement is missing in the list until somebody says what holds it."""
    facts = {place for place, texts in places().items() if is_fact(place, *texts)}
    listed = {place for held in FACTS.values() for place in held}

    assert sorted(facts - listed) == []
    assert sorted(listed - places().keys()) == []


def test_each_fact_has_the_words_that_were_looked_at() -> None:
    """The words of a place have changed: does its holder still make them true?"""
    listed = [(holder, *row) for holder, held in FACTS.items() for row in held.items()]

    assert [
        f"{place}: {mark_of(place)} ({holder})"
        for holder, place, mark in listed
        if mark != mark_of(place)
    ] == []


def test_each_holder_is_there() -> None:
    """Each test, text and constant exists; sentences say the constant's value."""
    assert [fault for holder in FACTS for fault in faults_of(holder)] == []


def faults_of(holder: str) -> Iterator[str]:
    """Yield what is wrong with a holder."""
    if holder.startswith("test: "):
        name = holder.removeprefix("test: ")
        if f"def {name}(" not in sources() and f'"{name}"' not in sources():
            yield holder
    elif "#" in holder:
        file, _, text = holder.partition("#")
        if text not in (ROOT / file).read_text("utf-8"):
            yield holder
    elif holder not in {"people", "words"}:
        name, _, said = holder.partition(" = ")
        module, _, constant = name.partition(":")
        number, unit = int(said.split()[0]), said.split()[1]
        value = getattr(import_module(module), constant)
        if value != (number if unit == "years" else timedelta(**{unit: number})):
            yield f"{holder}: {value}"
        for place in FACTS[holder]:
            for text, pattern in zip(places()[place], (ENGLISH, FRENCH), strict=True):
                if (number, unit) not in set(periods_in(text, pattern)):
                    yield f"{holder}: {place}"


def test_each_row_of_retention_is_told() -> None:
    """Each has its paragraphs, and a constant holds one of them."""
    page = SECURITY.read_text("utf-8").partition("## Data retention")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    held = {"": held_places()}
    for holder, places_held in FACTS.items():
        name = holder.partition(" = ")[0].rpartition(":")[2]
        held.setdefault(name, set()).update(places_held)
    told = [(TOLD[row[0].strip()].split(), row[2].strip(" `").rpartition(".")[2]) for row in rows]

    assert [row[0].strip() for row in rows] == [*TOLD]
    assert [
        constant or paragraphs
        for paragraphs, constant in told
        if paragraphs
        and not held.get(constant, set()) & {f"legal/privacy {one}" for one in paragraphs}
    ] == []


def held_places() -> set[str]:
    """Return every place that something holds."""
    return {place for places_held in FACTS.values() for place in places_held}


def test_only_texts_with_a_contact_ask_to_write() -> None:
    """Where no address is set, nothing says "write to us": the texts that do stand beside one."""
    english = {
        place for place, (text, _) in places().items()
        if place.startswith("site/") and re.search(r"\bwrite to us\b", text, re.IGNORECASE)
    }  # fmt: skip

    assert english == WITH_A_CONTACT


WITH_A_CONTACT = {
    "site/accessibility help.mail",
    "site/faqs unsure.text",
    "site/home-rest faq.else",
    "site/own-votes own.wrong",
}
"""Their components show them with ``contactEmail`` alone."""
