"""The folder of the website's texts in each language."""

from pathlib import Path

from jara.domain.language import ENGLISH
from jara.languages import translated_languages

ROOT = Path(__file__).parents[2]
LANGUAGES = (ENGLISH, *translated_languages())


def catalogues(language: str) -> Path:
    """Return the folder of the website's texts in a language."""
    if language == ENGLISH:
        return ROOT / "webui" / "src" / "messages" / language
    return ROOT / "src" / "jara" / "languages" / language / "site"
