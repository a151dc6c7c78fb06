"""Reads headings, tables, links and pictures of an HTML page."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})
_REFERENCES = frozenset({"src", "href", "srcset", "data", "action", "poster", "xlink:href"})


@dataclass
class Page(HTMLParser):
    """The content of a page; closing tags must match their opening ones."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    pictures: list[list[str]] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    unscoped: int = 0
    _open: list[str] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the start of an element."""
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.references.extend(v for name, v in values.items() if name in _REFERENCES)
        self.ids.extend(v for name, v in values.items() if name == "id")
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "svg":
            self.pictures.append([values.get("role", "")])
        elif tag in {"title", "desc"} and "svg" in self._open:
            self.pictures[-1].append(tag)
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "th" and values.get("scope") not in {"col", "row"}:
            self.unscoped += 1
        self._text = []

    def handle_endtag(self, tag: str) -> None:
        """Record the end of an element, which must be the innermost one."""
        assert tag == self._open.pop(), f"</{tag}> closes nothing"
        text = "".join(self._text).strip()
        if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            self.headings.append((int(tag[1]), text))
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append(text)
        elif tag == "caption":
            self.captions.append(text)
        self._text = []

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self._text.append(data)


def read_page(html: str) -> Page:
    """Parse a whole page."""
    page = Page()
    page.feed(html)
    page.close()
    assert page._open == []
    return page


def cents_of(cell: str) -> int:
    """Return the cents of an amount in a report."""
    digits = cell.replace("$", "").replace(",", "").replace("−", "-")
    dollars, _, cents = digits.partition(".")
    sign = -1 if dollars.startswith("-") else 1
    return sign * (abs(int(dollars)) * 100 + int(cents))
