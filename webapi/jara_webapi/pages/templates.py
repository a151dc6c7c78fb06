"""The HTML that the server writes: heads of pages, and pages for readers without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from jara.domain.voting.ends import parse_end
from jara.files.html import clean_html
from jara.reports.words import dollars, long_date, money, month_name

Document = dict[str, Any]

_SLOT = re.compile(r"\{(\w+)\}|\b(?:Jara|JARA)\b('s)?")
"""What a text leaves open: a value, or the organisation's name."""
_END_TAG = re.compile("</(?=noscript)", re.IGNORECASE)


class Texts:
    """The texts of the site, from its build."""

    def __init__(self, catalogues: Mapping[str, Mapping[str, str]], name: str = "Jara") -> None:
        """Take the texts by catalogue and key, and the organisation's name."""
        self._catalogues = catalogues
        self.organisation = name

    def __call__(self, catalogue: str, key: str, **values: object) -> str:
        """Return a text with its slots filled."""
        text = self._catalogues[catalogue][key]
        return _SLOT.sub(lambda slot: self._filled(slot, values), text)

    def named(self, name: str) -> Texts:
        """Return the texts of an organisation with another name."""
        return Texts(self._catalogues, name)

    def _filled(self, slot: re.Match[str], values: Mapping[str, object]) -> str:
        if slot[1]:
            return str(values[slot[1]])
        return genitive(self.organisation) if slot[2] else self.organisation


def genitive(name: str) -> str:
    """Return a name's genitive, as the website's scripts write it."""
    return f"{name}'" if name.lower().endswith("s") else f"{name}'s"


def render(template: str, **values: object) -> str:
    """Fill a template."""
    return _TEMPLATES.get_template(template).render(values)


def noscript(content: str, note: str = "") -> str:
    """Return what stands in the ``<noscript>`` of a page: filled templates, then a note.

    A browser with scripts reads it as text up to the first ``</noscript``, wherever that stands.
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


def day_of(text: str) -> str:
    """Show the day of a date or an instant: ``31 October 2026``."""
    return long_date(date.fromisoformat(text[:10]))


def month_of(text: str) -> str:
    """Show the month of a date: ``October 2026``."""
    return month_name(date.fromisoformat(f"{text[:7]}-01"))


def _clean(html: str) -> Markup:
    return Markup(clean_html(html))  # noqa: S704 - sanitised


_TEMPLATES = Environment(
    loader=PackageLoader("jara_webapi.pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters |= {
    "clean": _clean,
    "day": day_of,
    "dollars": dollars,
    "has_ended": has_ended,
    "money": money,
    "month": month_of,
    "number": "{:,}".format,
    "path_of": page_path,
}
