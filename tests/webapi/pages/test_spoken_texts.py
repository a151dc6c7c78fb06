"""The texts that the server uses from the website's catalogues."""

import json
import re
from collections.abc import Iterator

import pytest

from jara_webapi.pages.templates import SLOT
from tests.languages.catalogues import LANGUAGES, ROOT, catalogues

PAGES = ROOT / "webapi" / "jara_webapi" / "pages"
_USE = re.compile(r'(?:\bt|_text|texts)\(\s*"([a-z-]+)",\s*f?"((?:[^"{]|\{[^}]*\})+)"(\s*~)?')


def uses() -> Iterator[tuple[str, str]]:
    """Return the catalogue and key of each text; computed keys are patterns."""
    for path in sorted([*PAGES.glob("*.py"), *PAGES.glob("templates/*.html")]):
        for catalogue, key, more in _USE.findall(path.read_text("utf-8")):
            pattern = re.sub(r"\\\{.*?\\\}", r"[\\w ]+", re.escape(key))
            yield catalogue, pattern + (r"[\w -]+" if more else "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_is_there_and_simple(language: str) -> None:
    """The server supports only names and plurals of one and other in texts."""
    for catalogue, key in sorted(set(uses())):
        texts = json.loads((catalogues(language) / f"{catalogue}.json").read_text("utf-8"))
        found = [text for name, text in texts.items() if re.fullmatch(key, name)]

        assert found, (catalogue, key)
        assert [text for text in found if "{" in SLOT.sub("", text)] == []


def test_the_build_passes_on_the_servers_texts() -> None:
    """The build writes every catalogue that the server uses."""
    script = (ROOT / "webui" / "scripts" / "prerender.mjs").read_text("utf-8")
    written = re.search(r"SERVER_CATALOGUES = \[(.*?)\]", script, re.DOTALL)

    assert written
    assert {catalogue for catalogue, _ in uses()} == set(re.findall(r'"([\w-]+)"', written[1]))
