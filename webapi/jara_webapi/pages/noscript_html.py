"""Plain HTML for readers without scripts, and the heads of pages: nothing goes in unescaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from html import escape
from typing import Any
from urllib.parse import quote

from jara.files.html import clean_html
from jara.reports.words import long_date, month_name

Document = dict[str, Any]
Cells = Iterable[str]

_STYLES = '<link rel="stylesheet" href="/plain.css">'
_SLOT = re.compile(r"\{(\w+)\}")
_END_OF_PART = re.compile("</(?=noscript)", re.IGNORECASE)


class Texts:
    """The texts of the site, from the build."""

    def __init__(self, catalogues: Mapping[str, Mapping[str, str]]) -> None:
        """Speak the words of catalogues."""
        self._catalogues = catalogues

    def __call__(self, catalogue: str, key: str, **values: object) -> str:
        """Return a text with its slots filled, as HTML."""
        return escape(self.said(catalogue, key, **values))

    def said(self, catalogue: str, key: str, **values: object) -> str:
        """Return a text with its slots filled, as it is."""
        text = self._catalogues[catalogue][key]
        return _SLOT.sub(lambda slot: str(values[slot[1]]), text)


def head(
    site: str, title: str, description: str, *, path: str | None = None, image: str | None = None
) -> str:
    """Return the head of a page as the site's own pages have it.

    Args:
        site: the address of the site.
        title: of the page.
        description: of the page.
        path: its one address; None for a page that nobody should find.
        image: its own picture, or None for that of the site.
    """
    full = escape(f"{title} — Jara")
    text = escape(description)
    # What the browser draws has these too; the marked ones make way for them.
    lines = [
        f"<title>{full}</title>",
        f'<meta name="description" content="{text}" data-sent>',
        '<meta property="og:site_name" content="Jara">',
        '<meta property="og:type" content="website">',
        f'<meta property="og:title" content="{full}">',
        f'<meta property="og:description" content="{text}">',
        f'<meta property="og:image" content="{escape(_whole(site, image or "/share.png"))}">',
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    if path is None:
        lines.append('<meta name="robots" content="noindex" data-sent>')
    else:
        address = escape(site + path)
        lines.append(f'<meta property="og:url" content="{address}">')
        lines.append(f'<link rel="canonical" href="{address}" data-sent>')
    return "".join(lines)


def preload(picture: str) -> str:
    """Return what lets a browser fetch the largest picture before a script asks for it."""
    return f'<link rel="preload" as="image" href="{escape(picture)}" fetchpriority="high">'


def plain_part(inner: str) -> str:
    """Return what stands in the ``<noscript>`` of a page.

    A browser with scripts reads it as text up to the first end tag, wherever that stands.
    """
    inner = _END_OF_PART.sub("&lt;/", inner)
    return f'{_STYLES}<div class="wrap section plain">{inner}</div>' if inner else ""


def link(path: str, text: str) -> str:
    """Return a link to a page of the site; the text is HTML."""
    return f'<a class="link" href="{escape(path)}">{text}</a>'


def page_path(kind: str, name: str) -> str:
    """Return the path of the page of a project or a proposal."""
    return f"/{kind}/{quote(name, safe='')}"


def figures(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names and figures, both HTML."""
    lines = "".join(
        f'<div><dt>{name}</dt><dd class="num">{figure}</dd></div>' for name, figure in pairs
    )
    return f"<dl>{lines}</dl>"


def items(lines: Iterable[str]) -> str:
    """Return a list of pieces of HTML; nothing for none."""
    inner = "".join(f"<li>{line}</li>" for line in lines)
    return f"<ul>{inner}</ul>" if inner else ""


def table(caption: str, names: Cells, rows: Iterable[Cells]) -> str:
    """Return a table of pieces of HTML; the first cell of a row names it."""
    top = "".join(f'<th scope="col">{name}</th>' for name in names)
    body = "".join(_row(*row) for row in rows)
    return (
        f"<div><table><caption>{caption}</caption>"
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def section(title: str, inner: str) -> str:
    """Return a part of a page under its title, both HTML; nothing for nothing."""
    return f"<section><h2>{title}</h2>{inner}</section>" if inner else ""


def story(html: str) -> str:
    """Return the HTML of a story, cleaned."""
    return f'<div class="prose">{clean_html(html)}</div>' if html else ""


def day_of(text: str) -> str:
    """Show the day of a date or an instant: ``31 October 2026``."""
    return long_date(date.fromisoformat(text[:10]))


def month_of(text: str) -> str:
    """Show a month: ``October 2026``."""
    return month_name(date.fromisoformat(f"{text[:7]}-01"))


def _row(name: str, *cells: str) -> str:
    rest = "".join(f'<td class="num">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row">{name}</th>{rest}</tr>'


def _whole(site: str, path: str) -> str:
    return site + path if path.startswith("/") else path
