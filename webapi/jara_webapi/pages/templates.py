"""The HTML that the server writes: heads of pages, and pages for readers without scripts."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from types import CodeType
from typing import Any
from urllib.parse import quote

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from jara.domain.language import ENGLISH
from jara.domain.organisation import DEFAULT_NAME
from jara.domain.voting.proposal import parse_end
from jara.files.html import clean_html
from jara_webapi.calls.languages import choice_in
from jara_webapi.pages.words import Amount, Words

Document = dict[str, Any]

SLOT = re.compile(
    r"\{(?P<value>\w+)\}"
    r"|\{(?P<count>\w+), plural, one \{(?P<one>[^{}]*)\} other \{(?P<other>[^{}]*)\}\}"
    r"|\b(?:Jara|JARA)\b(?P<genitive>'s)?"
)
"""A slot of a text (ICU MessageFormat): a value, a plural, or the organisation's name."""
_END_TAG = re.compile("</(?=noscript)", re.IGNORECASE)


class Texts:
    """The texts of the site in one language, from its build."""

    def __init__(
        self,
        catalogues: Mapping[str, Mapping[str, str]],
        name: str = DEFAULT_NAME,
        language: str = ENGLISH,
        site_language: str = ENGLISH,
    ) -> None:
        self._catalogues = catalogues
        self.organisation = name
        self.language = language
        self._site_language = site_language
        self.words = Words(language, self)
        self._templates = _TEMPLATES.overlay()
        self._templates.filters = _TEMPLATES.filters | _filters_of(self.words)

    def __call__(self, catalogue: str, key: str, **values: object) -> str:
        """Return a text with its slots filled."""
        text = self._catalogues[catalogue][key]
        return SLOT.sub(lambda slot: self._filled(slot, values), text)

    @property
    def choice(self) -> str:
        """The query that chooses the language in an address."""
        return self.choice_of(self.language)

    def choice_of(self, language: str) -> str:
        """Return the query that chooses another language of the site."""
        return choice_in(language, self._site_language)

    def render(self, template: str, **values: object) -> str:
        """Fill a template with the texts and some values."""
        return self._templates.get_template(template).render(t=self, **values)

    def marked(self, named: Document) -> str:
        """Return the title of something, with the mark of sample content."""
        title: str = named["title"]
        return f"{title} · {self('common', 'sample')}" if named.get("sample") else title

    def named(self, name: str) -> "Texts":
        """Return the texts of an organisation with another name."""
        return Texts(self._catalogues, name, self.language, self._site_language)

    def on_site_in(self, language: str) -> "Texts":
        """Return the texts of a site whose own language is another one."""
        return Texts(self._catalogues, self.organisation, self.language, language)

    def _filled(self, slot: re.Match[str], values: Mapping[str, object]) -> str:
        if slot["value"]:
            name = slot["value"]
            own = {"currency": self.words.currency, "unit": self.words.unit}
            if name in own and name not in values:
                return own[name]()
            value = values[name]
            return self.words.number(value) if isinstance(value, int) else str(value)
        if slot["count"]:
            value = values[slot["count"]]
            if isinstance(value, Amount):
                return slot[self.words.plural(value.units)].replace("#", value)
            number = int(str(value))
            return slot[self.words.plural(number)].replace("#", self.words.number(number))
        if self.organisation == DEFAULT_NAME:
            return slot[0]  # as it is written, which may be in capitals
        return genitive(self.organisation) if slot["genitive"] else self.organisation


def genitive(name: str) -> str:
    """Return a name's genitive, as the website's scripts write it."""
    return f"{name}'" if name.lower().endswith("s") else f"{name}'s"


def render(template: str, **values: object) -> str:
    """Fill a template that has no texts and no figures."""
    return _TEMPLATES.get_template(template).render(values)


def noscript(content: str, note: str = "") -> str:
    """Return the ``<noscript>`` content of a page: filled templates, then a note.

    A browser with scripts reads it as text up to the first ``</noscript``, wherever that is.
    """
    if not content:
        return ""
    safe = Markup(_END_TAG.sub("&lt;/", content))  # noqa: S704 - templates escaped it
    return render("noscript.html", content=safe, note=note)


def page_path(slug: str, kind: str) -> str:
    """Return the path of the page of a project or a proposal."""
    return f"/{kind}/{quote(slug, safe='')}"


def has_ended(proposal: Document, now: datetime) -> bool:
    """Return whether the vote on a proposal is over."""
    return proposal["status"] != "open" or now >= parse_end(proposal["endDate"])


def month_of(words: Words, text: str) -> str:
    """Show the month of a date: ``October 2026``."""
    return words.month(date.fromisoformat(f"{text[:7]}-01"))


def _filters_of(words: Words) -> dict[str, Callable[..., str]]:
    return {
        "country": words.country,
        "day": lambda text: words.day(date.fromisoformat(text[:10])),
        "dollars": words.dollars,
        "foreign": words.foreign,
        "money": words.money,
        "month": partial(month_of, words),
        "number": words.number,
        "percent": words.percent,
    }


def _clean(html: str) -> Markup:
    return Markup(clean_html(html))  # noqa: S704 - sanitised


class _Compiled(BytecodeCache):
    """Compiled templates, which all languages and names of an organisation share."""

    def __init__(self) -> None:
        self._codes: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the template, if it was compiled before."""
        bucket.code = self._codes.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that was compiled."""
        self._codes[bucket.key] = bucket.code


_TEMPLATES = Environment(
    loader=PackageLoader("jara_webapi.pages"),
    bytecode_cache=_Compiled(),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters |= {"clean": _clean, "has_ended": has_ended, "path_of": page_path}
