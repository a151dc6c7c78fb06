"""Sanitises the HTML of proposals and updates.

HTML is sanitised twice, when a file is read and when it is shown, so that text which
bypassed the first pass is harmless.
"""

from collections.abc import Mapping
from typing import Any

import nh3

from jara.domain.content.fields import Form
from jara.domain.content.kinds import KINDS, PROPOSAL
from jara.domain.web_address import is_site_path, is_web_address

TAGS = frozenset({"p", "h3", "h4", "ul", "ol", "li", "a", "img", "blockquote", "strong", "em"})
"""The allowed tags; a test of the sample content uses the same set."""

HTML_KEYS = frozenset(
    field.name
    for kind in (PROPOSAL, *KINDS.values())
    for field in kind.fields
    if field.form is Form.HTML
)
"""The keys of documents whose values are HTML (spec §3)."""

_ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "alt", "title"}}
_REL = "noopener noreferrer nofollow"


def clean_html(text: str) -> str:
    """Return the text with only the allowed tags; links are https or paths of this site."""
    return nh3.clean(
        text,
        tags=set(TAGS),
        attributes=_ATTRIBUTES,
        attribute_filter=_keep_safe_link,
        url_schemes={"https"},
        link_rel=_REL,
    )


def clean_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its HTML sanitised, also that of its updates and translations."""
    return {key: _clean(key, value) for key, value in document.items()}


def _clean(key: str, value: object) -> object:
    if isinstance(value, str):
        return clean_html(value) if key in HTML_KEYS else value
    if isinstance(value, Mapping):
        return clean_document(value)
    return [_clean(key, part) for part in value] if isinstance(value, list) else value


def _keep_safe_link(_tag: str, attribute: str, value: str) -> str | None:
    if attribute not in {"href", "src"} or is_web_address(value) or is_site_path(value):
        return value
    return None
