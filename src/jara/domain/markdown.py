"""Markdown that operators write: CommonMark without HTML, with links and pictures we can follow.

What is refused when a text is read is escaped when it is shown, so that a text which came another
way is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jara.domain.errors import InvalidInput
from jara.domain.web_address import is_site_path, is_web_address

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SCHEMES = frozenset({"http", "https"})
_HTML = frozenset({"html_block", "html_inline"})
_TARGETS = {"link_open": "href", "image": "src"}
_HEADING_TOKENS = 3
"""A heading opens, has its text, and closes."""
_SHOWN = 80
_BRACKETS_MAX = 500
"""Opening brackets in a text: each may begin a link, and the reader looks for the end of each."""


def split_title(text: str) -> tuple[str, str]:
    """Return the title that a text begins with, and the rest; without one the title is empty."""
    tokens = _reader().disable("inline").parse(text)  # blocks only
    if len(tokens) < _HEADING_TOKENS or tokens[0].tag != "h1" or tokens[0].map is None:
        return "", text
    return tokens[1].content, "".join(text.splitlines(keepends=True)[tokens[0].map[1] :])


def check_markdown(text: str) -> None:
    """Check that a text holds neither HTML nor links that mail programs and browsers refuse.

    Raises:
        InvalidInput: it does, and the message quotes it; or it has too many brackets.
    """
    brackets = text.count("[")
    if brackets > _BRACKETS_MAX:
        raise InvalidInput(
            f"It has {brackets} opening brackets; a text has at most {_BRACKETS_MAX}."
        )
    reader = _reader()
    reader.validateLink = _show_all  # type: ignore[method-assign] # as its documentation says
    for token in _tokens(reader.parse(text)):
        if token.type in _HTML:
            raise InvalidInput(
                f"It holds HTML, '{token.content.strip()[:_SHOWN]}'; write Markdown, and \\< for "
                "the character <."
            )
        target = _target_of(token)
        if target is not None and not _is_safe(target):
            raise InvalidInput(
                f"It links to '{target[:_SHOWN]}'; a link begins with https://, mailto: or, for a "
                "page of this site, with /."
            )


def markdown_html(text: str, *, site_url: str) -> str:
    """Return a text as HTML; paths lead to the site. HTML in it is shown as text."""
    reader = _reader().enable("table")
    reader.options["html"] = False
    tokens = reader.parse(text)
    for token in _tokens(tokens):
        target = _target_of(token)
        if target is not None:
            whole = f"{site_url}{target}" if is_site_path(target) else target
            token.attrSet(_TARGETS[token.type], whole if _is_safe(target) else "")
        if token.type == "image":
            token.attrSet("style", "max-width:100%")
    return str(reader.renderer.render(tokens, reader.options, {}))


def markdown_text(text: str, *, site_url: str) -> str:
    """Return a text for programs without HTML: as it is written, with whole links."""
    return text.strip().replace("](/", f"]({site_url}/")


def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 40 modules, and few commands read Markdown

    return MarkdownIt("commonmark")


def _show_all(url: str) -> bool:  # noqa: ARG001 - links are judged by `_is_safe`
    return True


def _tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _target_of(token: Token) -> str | None:
    name = _TARGETS.get(token.type)
    return None if name is None else str(token.attrGet(name) or "")


def _is_safe(target: str) -> bool:
    return (
        is_site_path(target)
        or is_web_address(target, schemes=_SCHEMES)
        or target.startswith("mailto:")
    )
