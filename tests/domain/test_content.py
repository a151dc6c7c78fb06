"""Content of the site, links and their rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.content.values import (
    SLUG_MAX,
    check_cents,
    check_country_code,
    check_line,
    check_slug,
    check_text,
    check_url,
    slugify,
)
from jara.domain.errors import InvalidInput

LONG = "x" * 201


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Clean Water", "clean-water"),
        ("  Añá & Øre: 2nd – phase!  ", "ana-ore-2nd-phase"),
        ("Women's Coöperative", "womens-cooperative"),
        ("Straße Łódź", "strasse-lodz"),
        ("A" * 100, "a" * SLUG_MAX),
        ("x" * 79 + " y", "x" * 79),
    ],
)
def test_title_becomes_a_link(title: str, expected: str) -> None:
    """Letters lose their accents and case, everything else becomes one hyphen."""
    assert slugify(title) == expected


@pytest.mark.parametrize("title", ["", "—", "水"])
def test_title_without_letters_needs_a_slug(title: str) -> None:
    """A title without letters gives no slug, so one must be given."""
    with pytest.raises(InvalidInput, match="choose a slug yourself"):
        slugify(title)


@given(st.text())
def test_slug_is_always_well_formed(title: str) -> None:
    """Every generated slug is valid and generates itself."""
    try:
        slug = slugify(title)
    except InvalidInput:
        return
    check_slug(slug)

    assert slugify(slug) == slug


@pytest.mark.parametrize("slug", ["", "A", "a b", "-a", "a-", "a--b", "a_b", "é", "x" * 81, "a\n"])
def test_malformed_slug_is_refused(slug: str) -> None:
    """A malformed slug is refused, since links and account names contain it."""
    with pytest.raises(InvalidInput, match="is not a slug"):
        check_slug(slug)


@pytest.mark.parametrize("text", ["", " ", LONG, "a\nb", "a\0", "\ud800", "a\u2028b"])
def test_line_is_one_line(text: str) -> None:
    """A title is one line, neither empty nor too long."""
    with pytest.raises(InvalidInput, match=r"^The title"):
        check_line("title", text)


@pytest.mark.parametrize("text", [" ", "x" * 20_001, "a\0", "\udfff"])
def test_text_can_be_kept_in_the_log(text: str) -> None:
    """A text must fit the length limit and be valid UTF-8."""
    with pytest.raises(InvalidInput, match=r"^The answer"):
        check_text("answer", text, required=True)


def test_optional_text_may_be_empty_and_have_lines() -> None:
    """Optional text may be empty or have several lines."""
    check_text("answer", "")
    check_text("answer", "one\n\ntwo")


@pytest.mark.parametrize(
    "url",
    ["", "https://example.org/a?b=c#d", "/images/a.webp", "/", "https://example.org/caf\u00e9"],
)
def test_links_are_https_or_of_this_site(url: str) -> None:
    """A link is an https address, a path of the site, or empty."""
    check_url("link", url)


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
        check_url("link", url)


@pytest.mark.parametrize("code", ["tz", "T", "TZA", "T1", "ТZ"])
def test_country_code_is_two_capitals(code: str) -> None:
    """ISO 3166 codes are ASCII capitals."""
    with pytest.raises(InvalidInput, match="not a country code"):
        check_country_code(code)


@pytest.mark.parametrize("cents", [True, 1.5, 0, -100])
def test_amount_is_a_positive_number_of_cents(cents: object) -> None:
    """An amount is a whole number of cents greater than zero."""
    with pytest.raises(InvalidInput, match=r"^The amount is"):
        check_cents("amount", cents)  # type: ignore[arg-type] # which is what it refuses
