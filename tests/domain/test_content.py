"""Content of the site, links and their rules."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.content import (
    SLUG_MAX,
    Category,
    Claim,
    Donation,
    Event,
    Faq,
    Grant,
    Region,
    RegionStatus,
    RoadmapItem,
    RoadmapStatus,
    TeamMember,
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
    assert expected == slugify(title)


@pytest.mark.parametrize("title", ["", "—", "水"])
def test_title_without_letters_needs_a_slug(title: str) -> None:
    """Nothing is invented where no letter is left."""
    with pytest.raises(InvalidInput, match="give a slug yourself"):
        slugify(title)


@given(st.text())
def test_slug_is_always_well_formed(title: str) -> None:
    """Every slug that is made is accepted, and makes itself again."""
    try:
        slug = slugify(title)
    except InvalidInput:
        return
    check_slug(slug)

    assert slug == slugify(slug)


@pytest.mark.parametrize("slug", ["", "A", "a b", "-a", "a-", "a--b", "a_b", "é", "x" * 81, "a\n"])
def test_malformed_slug_is_refused(slug: str) -> None:
    """A slug stands in links and account names."""
    with pytest.raises(InvalidInput, match="is no slug"):
        check_slug(slug)


@pytest.mark.parametrize("text", ["", " ", LONG, "a\nb", "a\0", "\ud800", "a\u2028b"])
def test_line_is_one_line(text: str) -> None:
    """A title is not empty, not endless, and one line."""
    with pytest.raises(InvalidInput, match=r"^The title"):
        check_line("title", text)


@pytest.mark.parametrize("text", [" ", "x" * 20_001, "a\0", "\udfff"])
def test_text_can_be_kept_in_the_log(text: str) -> None:
    """A text is within its length and writable as UTF-8."""
    with pytest.raises(InvalidInput, match=r"^The answer"):
        check_text("answer", text, required=True)


def test_optional_text_may_be_empty_and_have_lines() -> None:
    """Texts have paragraphs."""
    check_text("answer", "")
    check_text("answer", "one\n\ntwo")


@pytest.mark.parametrize(
    "url",
    ["", "https://example.org/a?b=c#d", "/images/a.webp", "/", "https://example.org/caf\u00e9"],
)
def test_links_are_https_or_of_this_site(url: str) -> None:
    """An https link, a path of the site, or none."""
    check_url("link", url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org", "javascript:alert(1)", "//example.org", "data:text/html,x", "a.webp",
        "https://a b", 'https://a"b', "/a\0", "/a\ud800", "/" + "x" * 2000, "/\\example.org",
    ],
)  # fmt: skip
def test_other_links_are_refused(url: str) -> None:
    """A link leads nowhere by surprise."""
    with pytest.raises(InvalidInput, match=r"^The link is"):
        check_url("link", url)


@pytest.mark.parametrize("code", ["tz", "T", "TZA", "T1", "ТZ"])
def test_country_code_is_two_capitals(code: str) -> None:
    """ISO 3166 codes are ASCII capitals."""
    with pytest.raises(InvalidInput, match="no country code"):
        check_country_code(code)


@pytest.mark.parametrize("cents", [True, 1.5, 0, -100])
def test_amount_is_a_positive_number_of_cents(cents: object) -> None:
    """Money is whole cents, and more than nothing."""
    with pytest.raises(InvalidInput, match=r"^The amount is"):
        check_cents("amount", cents)  # type: ignore[arg-type] # which is what it refuses


def _grant(**changes: str) -> Grant:
    fields = {"id": "kilimo", "name": "Neema", "project": "Kilimo", "region_code": "KE"} | changes
    return Grant(**fields, amount_cents=50_000, category=Category.AGRICULTURE)  # type: ignore[arg-type] # given by the test, by name


def _donation(**changes: str) -> Donation:
    fields = {"id": "books", "code": "GH", "title": "Books"} | changes
    return Donation(**fields, amount_cents=120_000)  # type: ignore[arg-type] # given by the test, by name


def _team_member(**changes: str) -> TeamMember:
    fields = {"id": "ama", "name": "Ama", "role": "Trustee", "image": "/ama.webp"} | changes
    return TeamMember(**fields)  # type: ignore[arg-type] # given by the test, by name


def _faq(**changes: str) -> Faq:
    fields = {"id": "what", "question": "What is it?", "answer": "A community."} | changes
    return Faq(**fields)  # type: ignore[arg-type] # given by the test, by name


def _roadmap_item(**changes: str) -> RoadmapItem:
    fields = {"id": "launch", "title": "Launch Jara"} | changes
    return RoadmapItem(**fields, status=RoadmapStatus.COMPLETE)  # type: ignore[arg-type] # given by the test, by name


def _region(**changes: str) -> Region:
    return Region(**({"id": "africa", "name": "Africa"} | changes), status=RegionStatus.ACTIVE)  # type: ignore[arg-type] # given by the test, by name


def _event(**changes: object) -> Event:
    fields = {"id": "meet", "title": "We meet", "starts_on": date(2026, 5, 10)} | changes
    return Event(**fields)  # type: ignore[arg-type] # given by the test, by name


def _claim(**changes: str) -> Claim:
    return Claim(**({"id": "lives", "figure": "4 lives", "text": "impacted"} | changes))  # type: ignore[arg-type] # given by the test, by name


BUILDERS: list[Callable[..., object]] = [
    _grant,
    _donation,
    _team_member,
    _faq,
    _roadmap_item,
    _region,
    _event,
    _claim,
]


@pytest.mark.parametrize("build", BUILDERS)
def test_content_names_itself_by_a_slug(build: Callable[..., object]) -> None:
    """Every kind of content has an id that can stand in a link."""
    build()
    with pytest.raises(InvalidInput, match="is no slug"):
        build(id="Not A Slug")


@pytest.mark.parametrize(
    ("build", "field", "value"),
    [
        (_grant, "name", ""),
        (_grant, "project", ""),
        (_grant, "description", "\0"),
        (_grant, "region_code", "Kenya"),
        (_grant, "image", "http://x"),
        (_donation, "code", "Ghana"),
        (_donation, "title", ""),
        (_team_member, "name", ""),
        (_team_member, "role", ""),
        (_team_member, "image", "x"),
        (_team_member, "profile_url", "javascript:x"),
        (_faq, "question", ""),
        (_faq, "answer", ""),
        (_roadmap_item, "title", ""),
        (_roadmap_item, "description", "\0"),
        (_region, "name", ""),
        (_event, "title", ""),
        (_event, "description", "\0"),
        (_event, "url", "x"),
        (_event, "ends_on", date(2026, 5, 9)),
        (_claim, "figure", ""),
        (_claim, "text", ""),
    ],
)
def test_content_that_breaks_a_rule_cannot_exist(
    build: Callable[..., object], field: str, value: object
) -> None:
    """Each field is checked when the value is made."""
    with pytest.raises(InvalidInput):
        build(**{field: value})


def test_event_may_last_some_days() -> None:
    """An event ends on the day it starts, or later."""
    assert _event(ends_on=date(2026, 5, 10)) == _event(ends_on=date(2026, 5, 10))


def test_regions_have_three_states() -> None:
    """The words of the site (spec §2)."""
    assert [str(status) for status in RegionStatus] == ["Active", "Partial", "Not yet"]
