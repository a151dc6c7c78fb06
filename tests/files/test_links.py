"""Links in texts and content: https, or a path that no browser reads as another site."""

import re
from html import escape
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.content.values import check_url
from jara.domain.errors import InvalidInput
from jara.files.html import clean_html

SITE = "https://jara.example/projects/wells"
HOSTILE = [
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "/\t\\evil.example",
    "/\\evil.example",
    "/\\/evil.example",
    "//evil.example",
    "///evil.example",
    "\t//evil.example",
    " //evil.example",
    "\\\\evil.example",
    "\x00//evil.example",
    "/\x0b/evil.example",
    "/\x00/evil.example",
    "/\u200b/evil.example",
    "/\u202e/evil.example",
    "https:\\\\evil.example",
    "https:/evil.example",
    "https:evil.example",
    "https://jara.example@evil.example",
    "https://jara.example%40@evil.example/",
    "https://evil.example\\@jara.example",
    "https://evil\t.example",
    "https://evil.example/\nx",
    "http://evil.example",
    "HTTPS://evil.example\t",
    "java\tscript:alert(1)",
    "javascript:alert(1)",
    "data:text/html,x",
    "mailto:a@example.org",
    "?x",
    "#x",
    "x",
    "../x",
]
HARMLESS = [
    "/",
    "/projects/wells?a=b&c=d#e",
    "/media/a.jpg",
    "/a//b",
    "https://example.org",
    "https://example.org:8443/a/b?c=d#e",
    "https://fr.wikipedia.org/wiki/Puits_(hydrogéologie)",
    "https://bücher.example/",
    "https://example.org/a,b;c=d~e!f$g*h@i:j%20[k]",
]


def links_of(html: str) -> list[str]:
    """Return what stands in the attributes that a browser follows."""
    return re.findall(r'(?:href|src)="([^"]*)"', html)


def lands_at(link: str) -> tuple[str, str]:
    """Return the scheme and host that a browser would go to."""
    seen = re.sub(r"[\t\r\n]", "", link.strip("".join(map(chr, range(33))))).replace("\\", "/")
    parts = urlsplit(urljoin(SITE, re.sub("^/{3,}", "//", seen)))
    return parts.scheme, parts.netloc


@pytest.mark.parametrize("link", HOSTILE)
@pytest.mark.parametrize("element", ["<a href='{}'>x</a>", "<img src='{}'>"])
def test_a_hostile_link_is_left_out(link: str, element: str) -> None:
    """Neither in a text nor in a field of content."""
    assert links_of(clean_html(element.format(escape(link)))) == []
    with pytest.raises(InvalidInput):
        check_url("link", link)


@pytest.mark.parametrize("link", HARMLESS)
def test_a_plain_link_is_kept(link: str) -> None:
    """In a text and in a field of content."""
    assert links_of(clean_html(f"<a href='{escape(link)}'>x</a>")) == [escape(link)]
    check_url("link", link)


@given(
    st.text(alphabet="/\\\t\n\r :@.?#evilhtps\u200b\x00\x0b\u00a0", max_size=14).map(
        lambda rest: f"/{rest}"
    )
)
def test_no_path_leads_to_another_site(link: str) -> None:
    """Whatever follows the first slash."""
    for kept in links_of(clean_html(f"<a href='{escape(link)}'>x</a>")):
        assert lands_at(kept) == ("https", "jara.example")
