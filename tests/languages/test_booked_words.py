"""The website translates all standard texts of the books."""

import json
import re

from tests.languages.catalogues import catalogues
from tests.pages.rules import booked_words


def test_the_site_translates_the_words_of_the_books() -> None:
    """Each has a text in the catalogue, under the key that the site derives from it."""
    english, french = (
        json.loads((catalogues(language) / "booked.json").read_text("utf-8"))
        for language in ("en", "fr")
    )
    keys = {re.sub("[^a-z]+", "-", text.lower()): text for text in booked_words()}

    assert english == keys
    assert english.keys() == french.keys()
