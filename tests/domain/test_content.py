"""Content of the site: links, Markdown, excerpts and their rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.content import values
from jara.domain.content.excerpt import excerpt
from jara.domain.errors import InvalidInput
from jara.domain.markdown import check_markdown, markdown_html, markdown_text

LONG = "x" * 201


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Clean Water", "clean-water"),
        ("  Añá & Øre: 2nd – phase!  ", "ana-ore-2nd-phase"),
        ("Women's Coöperative", "womens-cooperative"),
        ("Straße Łódź", "strasse-lodz"),
        ("A" * 100, "a" * values.SLUG_MAX),
        ("x" * 79 + " y", "x" * 79),
    ],
)
def test_title_becomes_a_link(title: str, expected: str) -> None:
    """Letters lose their accents and case, everything else becomes one hyphen."""
    assert values.slugify(title) == expected


@pytest.mark.parametrize("title", ["", "—", "水"])
def test_title_without_letters_needs_a_slug(title: str) -> None:
    """A title without letters gives no slug, so one must be given."""
    with pytest.raises(InvalidInput, match="choose a slug yourself"):
        values.slugify(title)


@given(st.text())
def test_slug_is_always_well_formed(title: str) -> None:
    """Every generated slug is valid and generates itself."""
    try:
        slug = values.slugify(title)
    except InvalidInput:
        return
    values.check_slug(slug)

    assert values.slugify(slug) == slug


@pytest.mark.parametrize("slug", ["", "A", "a b", "-a", "a-", "a--b", "a_b", "é", "x" * 81, "a\n"])
def test_malformed_slug_is_refused(slug: str) -> None:
    """A malformed slug is refused, since links and account names contain it."""
    with pytest.raises(InvalidInput, match="is not a slug"):
        values.check_slug(slug)


@pytest.mark.parametrize("text", ["", " ", LONG, "a\nb", "a\0", "\ud800", "a\u2028b"])
def test_line_is_one_line(text: str) -> None:
    """A title is one line, neither empty nor too long."""
    with pytest.raises(InvalidInput, match=r"^The title"):
        values.check_line("title", text)


@pytest.mark.parametrize("text", [" ", "x" * 20_001, "a\0", "\udfff"])
def test_text_can_be_kept_in_the_log(text: str) -> None:
    """A text must fit the length limit and be valid UTF-8."""
    with pytest.raises(InvalidInput, match=r"^The answer"):
        values.check_text("answer", text, required=True)


def test_optional_text_may_be_empty_and_have_lines() -> None:
    """Optional text may be empty or have several lines."""
    values.check_text("answer", "")
    values.check_text("answer", "one\n\ntwo")


@pytest.mark.parametrize(
    "url",
    ["", "https://example.org/a?b=c#d", "/images/a.webp", "/", "https://example.org/caf\u00e9"],
)
def test_links_are_https_or_of_this_site(url: str) -> None:
    """A link is an https address, a path of the site, or empty."""
    values.check_url("link", url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org", "javascript:alert(1)", "//example.org", "data:text/html,x", "a.webp",
        "https://a b", 'https://a"b', "/a\0", "/a\ud800", "/" + "x" * 2000, "/\\example.org",
    ],
)  # fmt: skip
def test_other_links_are_refused(url: str) -> None:
    """Any other link is refused."""
    with pytest.raises(InvalidInput, match=r"^The link is"):
        values.check_url("link", url)


@pytest.mark.parametrize("code", ["tz", "T", "TZA", "T1", "ТZ"])
def test_country_code_is_two_capitals(code: str) -> None:
    """ISO 3166 codes are ASCII capitals."""
    with pytest.raises(InvalidInput, match="not a country code"):
        values.check_country_code(code)


def test_the_points_of_a_list_have_marks() -> None:
    """Each is a paragraph, and can be told from its neighbours when they are joined."""
    html = "<p>Done:</p><ul><li>62 m deep</li><li><p>4 taps</p></li><li></li></ul><p>See it.</p>"

    assert excerpt(html, characters=100).paragraphs == (
        "Done:",
        "• 62 m deep",
        "• 4 taps",
        "See it.",
    )


def test_an_excerpt_ends_with_a_paragraph_or_a_word() -> None:
    """Whole paragraphs are kept up to the length; a first one that is longer is cut at a word."""
    html = "<p>The <b>well</b> is full.</p><p>Come and see it.</p>"

    assert excerpt(html, characters=33) == (("The well is full.", "Come and see it."), "", True)
    assert excerpt(html, characters=32) == (("The well is full.",), "", False)
    assert excerpt(html, characters=10) == (("The well …",), "", False)


def test_the_first_picture_is_named() -> None:
    """One without an address is passed over."""
    html = '<img alt="x"><p>A<img src="/1.webp"></p><img src="/2.webp">'

    assert excerpt(html, characters=9) == (("A",), "/1.webp", True)


SITE = "https://jara.example"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Dear** friends", "<p><strong>Dear</strong> friends</p>\n"),
        ("[the well](/projects/well)", f'<p><a href="{SITE}/projects/well">the well</a></p>\n'),
        ("<script>x()</script>", "<p>&lt;script&gt;x()&lt;/script&gt;</p>\n"),
        ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
        ("[a](//evil.example)", '<p><a href="">a</a></p>\n'),
        ("<a@b.example>", '<p><a href="mailto:a@b.example">a@b.example</a></p>\n'),
        (
            "![The well](/w.png)",
            f'<p><img src="{SITE}/w.png" alt="The well" style="max-width:100%" /></p>\n',
        ),
    ],
)
def test_html_is_harmless_and_its_links_are_whole(text: str, html: str) -> None:
    """No markup of the text passes, and paths lead to the site."""
    assert markdown_html(text, site_url=SITE) == html


def test_a_text_keeps_its_words_and_gets_whole_links() -> None:
    """Programs without HTML show the Markdown."""
    assert markdown_text("- [well](/projects/well)\n", site_url=SITE) == (
        f"- [well]({SITE}/projects/well)"
    )


@pytest.mark.parametrize("text", ["[" * 501, "![" * 10_000, "[a](" * 5_000])
def test_a_text_with_too_many_brackets_is_refused(text: str) -> None:
    """Each opening bracket may begin a link, whose end the reader looks for in all that follows."""
    with pytest.raises(InvalidInput, match="a text has at most 500"):
        check_markdown(text)
