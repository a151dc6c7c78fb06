"""Every sentence that promises something names what keeps it, and is reviewed when it changes.

``tests/promises.yaml`` lists the sentences of site, emails and legal texts, in English and French,
that say what we will do or what people get, by what keeps them. A keeper is one of:

- ``package.module:name``: code of ours, which is imported;
- ``email NAME``: a kind of email that is declared;
- ``file#text``: code of the website, with a text that stands in it;
- ``people``: what only people can do, in the legal texts alone.

After a text has changed, check that its keeper still does what it says, then list it anew.
"""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from jara.domain.email_kinds import KINDS

ROOT = Path(__file__).parents[1]
FRENCH = ROOT / "src" / "jara" / "languages" / "fr"
ENGLISH_WORDS = re.compile(
    r"\b(?:we(?:\s+will|['’]ll)|you(?:\s+will|['’]ll)?\s+get|by\s+email)\b", re.IGNORECASE
)
FRENCH_WORDS = re.compile(
    r"\b(?:nous\s+(?:(?:vous|ne|le|la|les|en|y)\s+|[ln]['’])*\w+rons"
    r"|vous\s+(?:recevez|recevrez|obtenez|obtiendrez)|par\s+(?:courriel|e-mail))\b",
    re.IGNORECASE,
)
FOLDERS = (
    ("site", ROOT / "webui" / "src" / "messages" / "en", FRENCH / "site"),
    ("emails", ROOT / "src" / "jara" / "mail" / "templates", FRENCH / "emails"),
    ("legal", ROOT / "data" / "legal", FRENCH / "legal"),
)
LISTED: dict[str, list[str]] = yaml.safe_load((ROOT / "tests" / "promises.yaml").read_text("utf-8"))


def sentences_of(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the key of each text in a catalogue; else, each sentence of a file."""
    text = file.read_text("utf-8")
    if file.suffix == ".json":
        yield from json.loads(text).items()
    else:
        said = re.sub(r"{%.*?%}", "\n\n", text)  # what a template decides ends a sentence, too
        for paragraph in re.split(r"\n\s*\n", said):
            for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
                yield "", sentence


def written() -> Iterator[tuple[re.Pattern[str], str, str]]:
    """Yield each text of ours with the words that make it a promise, and where it stands."""
    for part, english, french in FOLDERS:
        suffix = {"site": "json", "emails": "txt", "legal": "md"}[part]
        for words, folder in ((ENGLISH_WORDS, english), (FRENCH_WORDS, french)):
            for file in sorted(folder.glob(f"*.{suffix}")):
                for key, text in sentences_of(file):
                    yield words, f"{part}/{file.stem} {key}".strip(), text
    for name in ("answers", "errors", "email_kinds"):
        for said, translated in leaves_of(json.loads((FRENCH / f"{name}.json").read_text("utf-8"))):
            yield ENGLISH_WORDS, f"server/{name}", said
            yield FRENCH_WORDS, f"server/{name}", translated


def leaves_of(catalogue: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the English and the French text of each message of the server."""
    for key, value in catalogue.items():
        if isinstance(value, dict):
            yield from leaves_of(value)
        else:
            yield key, value


def test_every_promise_is_listed() -> None:
    """A new or changed sentence is missing in the list; one that is gone is too many there."""
    promises = {f"{place} | {text}" for words, place, text in written() if words.search(text)}
    listed = [line for lines in LISTED.values() for line in lines]

    assert len(set(listed)) == len(listed)
    assert sorted(promises - set(listed)) == []
    assert sorted(set(listed) - promises) == []


@pytest.mark.parametrize("keeper", LISTED)
def test_each_promise_names_an_existing_test(keeper: str) -> None:
    """The code can be imported, the email is sent, the website's file has the text."""
    file, mark, text = keeper.partition("#")
    if keeper == "people":
        assert all(line.startswith("legal/") for line in LISTED[keeper])
    elif keeper.startswith("email "):
        assert keeper.removeprefix("email ") in KINDS
    elif mark:
        assert text in (ROOT / file).read_text("utf-8")
    else:
        module, _, name = keeper.partition(":")
        assert callable(getattr(import_module(module), name))
