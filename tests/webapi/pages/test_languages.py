"""The page language is the chosen one, else the browser's, else that of the site."""

from pathlib import Path

import pytest

from jara.domain.organisation import IdentityPart
from jara.files.preview_program import PaintingProgram
from jara.services.legal.changing import change_values
from jara.services.organisation import identity_of, set_time_zone
from jara_webapi.calls.languages import preferred_language
from jara_webapi.pages.branding import _attributes
from jara_webapi.pages.words import Words
from tests.webapi.desk import open_desk
from tests.webapi.pages.site_world import SITE, Site, asking, open_site

BOTH = ("en", "fr")
OPEN = {
    "en": "Open until Monday, 30 November, 23:59 UTC",
    "fr": "Ouvert jusqu’au lundi 30 novembre à 23 h 59 UTC",
}
FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}


@pytest.fixture(scope="module")
def site(new_place: object, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A website in English and French over an organisation with an open vote."""
    return open_site(new_place(), BOTH)  # type: ignore[operator] # a fixture that makes places


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("FR-ca;q=0.8", "fr"),
        ("de, fr;q=0.3", "fr"),
        ("en;q=0.4, fr;q=0.5", "fr"),
        ("en, fr", "en"),
        ("fr, en", "fr"),
        ("fr;q=0", "en"),
        ("fr;q=0.000, en;q=0.1", "en"),
        ("*", "en"),
        ("de", "en"),
        ("fr;q=x", "en"),
        ("fr;q=2", "en"),
        ("fr;q=nan", "en"),
        ("fr;w=1", "en"),
        (",;=,", "en"),
        ("../fr", "en"),
    ],
)
def test_accept_language_weights_are_read(header: str, expected: str) -> None:
    """By RFC 9110 the highest weight wins, then the first; zero and nonsense are ignored."""
    assert preferred_language(header, BOTH, "en") == expected


def test_only_a_choice_in_the_address_sets_the_cookie(site: Site) -> None:
    """The cookie holds only a language, is sent only to this site, and needs TLS."""
    chosen = site.get("/faqs", params={"lang": "fr"})
    others = [site.get("/faqs", headers=FRENCH), site.get("/faqs", params={"lang": "de"})]

    cookie = chosen.cookies["lang"]
    assert (cookie.value, cookie.path, cookie.same_site) == ("fr", "/", "Lax")
    assert cookie.secure
    assert cookie.http_only
    assert ["set-cookie" in answer.headers for answer in others] == [False, False]


@pytest.mark.parametrize("path", ["/", "/faqs", "/proposals", "/projects/school", "/nothing"])
def test_a_page_has_a_vary_header(site: Site, path: str) -> None:
    """Pages vary on the language headers, so shared caches do not mix them; files vary on less."""
    vary = site.get(path, headers=FRENCH).headers["vary"]

    assert vary == "Accept-Encoding, Accept-Language, Cookie"


@pytest.mark.parametrize("first", BOTH)
def test_cached_pages_never_mix_languages(place: Path, first: str) -> None:
    """Pages, cards and badges are cached separately for each language."""
    site = open_site(place, BOTH)
    other = BOTH[first == "en"]
    for path, texts in (
        ("/proposals", OPEN),
        ("/proposals/bees", OPEN),
        ("/embed/proposals/bees", {"en": "See the proposal", "fr": "Voir la proposition"}),
        ("/embed/projects/school.svg", {"en": "Project", "fr": "Projet"}),
    ):
        for language in (first, other, first):
            answer = site.get(path, headers={"Accept-Language": language})
            assert texts[language] in answer.text
            assert language == answer.headers["content-language"]


def test_a_french_page_writes_figures_in_french(site: Site) -> None:
    """Amounts, dates and shares follow the locale; content keeps its own language."""
    vote = site.page("/proposals/bees", headers=FRENCH)
    home = site.page("/", headers=FRENCH)

    assert "\u00a0$\u00a0US" in vote.plain
    assert "(0,0\u00a0%)" in vote.plain
    assert "Proposition au vote, jusqu’au" in vote.answer.text
    assert "23 h 59 UTC" in vote.answer.text.replace("\u00a0", " ")
    assert "$\u00a0US / mois" in home.plain
    assert vote.title == "Bees & hives — Jara"


@pytest.mark.parametrize(
    ("language", "rate", "amount"),
    [("en", "2,650.00", "TZS 1,696,000"), ("fr", "2 650,00", "1 696 000 TZS")],
)
def test_payments_abroad_are_written_as_the_language_does(
    language: str, rate: str, amount: str
) -> None:
    """Payments abroad are formatted in the page's language."""
    words = Words(language, str)

    assert " ".join(words.foreign("2650.00").split()) == rate
    assert " ".join(words.foreign("TZS 1,696,000").split()) == amount


def test_the_head_names_the_page_in_each_language(site: Site) -> None:
    """The head lists an address for each language, and English as the default."""
    english, french = (
        site.page("/proposals/bees", headers={"Accept-Language": language}) for language in BOTH
    )
    plain = f"{SITE}/proposals/bees"

    assert (english.links["canonical"], french.links["canonical"]) == (plain, f"{plain}?lang=fr")
    assert (english.metas["og:locale"], french.metas["og:locale"]) == ("en_US", "fr_CA")
    assert french.metas["og:image"] == f"{SITE}/previews/proposals/bees.png?lang=fr"
    for page in (english, french):
        for language, address in (("x-default", plain), ("en", plain), ("fr", f"{plain}?lang=fr")):
            link = f'<link rel="alternate" hreflang="{language}" href="{address}">'
            assert link in page.answer.text


def test_each_language_has_a_preview_image_of_the_site(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages without an image use one for their language, or the organisation's own image."""
    site = open_site(place, BOTH)
    monkeypatch.setattr(PaintingProgram, "paint", lambda _, preview: preview.title.encode())
    drawn = site.page("/proposals/none", headers=FRENCH).metas["og:image"]
    change_values(site.desk.application.context, {IdentityPart.NAME: "Sankofa"})
    named = site.get("/share-fr.png")

    assert drawn == f"{SITE}/share-fr.png"
    assert (named.headers["content-type"], named.content) == ("image/png", b"Sankofa")
    assert named.content == site.get("/share.png").content


def test_an_answer_of_the_api_has_no_language(site: Site) -> None:
    """An API answer without words is the same for every language."""
    both = [site.get("/api/ledger/budget", headers={"Accept-Language": one}) for one in BOTH]

    assert both[0].json == both[1].json
    assert "content-language" not in both[0].headers


def test_a_missing_page_and_a_missing_vote_are_french_too(site: Site) -> None:
    """The French page for something missing has status 404."""
    missing = site.get("/proposals/none", headers=FRENCH)

    assert missing.status_code == 404
    assert "Nous ne trouvons pas cette page." in missing.text
    assert site.get("/fr/faqs/index.html").status_code == 404
    assert site.get("/fr/faqs").status_code == 404


def test_a_service_without_a_french_build_speaks_english(place: Path) -> None:
    """Without a French build, every page is English, and no alternates are listed."""
    site = open_site(place)
    answer = site.get("/proposals/bees", params={"lang": "fr"}, headers=FRENCH)

    assert answer.headers["content-language"] == "en"
    assert "set-cookie" not in answer.headers
    assert "hreflang" not in answer.text


@pytest.mark.parametrize(
    ("language", "ends"),
    [
        ("en", "Open until Monday, 30 November, 23:59 EST"),
        ("fr", "Ouvert jusqu’au lundi 30 novembre à 23 h 59 HNE"),
    ],
)
def test_a_vote_ends_at_midnight_of_the_time_zone(place: Path, language: str, ends: str) -> None:
    """The page names the zone, and tells scripts which it is."""
    desk = open_desk(place, site_url=SITE)
    set_time_zone(desk.application.context, "America/Toronto")
    desk.open_vote(title="Bees", endDate="2026-11-30")
    site = Site(place / "dist", desk, ("en", "fr"))
    page = site.page("/proposals", headers={"Accept-Language": language})

    assert ends in page.plain.replace("\u00a0", " ").replace("\u202f", " ")
    attributes = _attributes(identity_of(desk.application.context), "")
    assert 'data-time-zone="America/Toronto"' in attributes


@pytest.fixture(scope="module")
def french_site(new_place: object, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site in English and French, whose own language is French."""
    return open_site(new_place(), BOTH, own="fr")  # type: ignore[operator] # a fixture that makes places


@pytest.mark.parametrize(
    ("header", "cookie", "asked", "expected"),
    [
        ("", "", "", "fr"),
        ("pt-BR, de;q=0.5", "", "", "fr"),
        ("*", "", "", "fr"),
        ("en-CA, fr;q=0.2", "", "", "en"),
        ("", "en", "", "en"),
        ("fr", "fr", "en", "en"),
        ("en", "", "de", "en"),
        ("", "xx", "", "fr"),
    ],
)
def test_the_site_language_is_the_default(
    french_site: Site, header: str, cookie: str, asked: str, expected: str
) -> None:
    """Pages, answers and errors: address, cookie and browser go before it."""
    more = asking(header, cookie=cookie, query=asked)

    assert french_site.get("/proposals", **more).headers["content-language"] == expected
    if not cookie:  # calls of the API know the language of their page by its address
        for path in ("/api/projects", "/api/nothing"):
            assert french_site.get(path, **more).headers["content-language"] == expected, path


def test_search_engines_find_each_language_at_its_own_address(french_site: Site) -> None:
    """The bare address is French here, so English has one with a choice, on every page."""
    text = french_site.get("/projects/school").text
    english = french_site.page("/projects/school", params={"lang": "en"})

    assert f'hreflang="x-default" href="{SITE}/projects/school">' in text
    assert f'hreflang="en" href="{SITE}/projects/school?lang=en">' in text
    assert f'hreflang="fr" href="{SITE}/projects/school?lang=fr">' in text
    assert english.links["canonical"] == f"{SITE}/projects/school?lang=en"
    assert french_site.page("/", params={"lang": "en"}).metas["og:url"] == f"{SITE}/?lang=en"
    assert f"{SITE}/api/feed.xml?lang=en" in french_site.get("/api/feed.xml?lang=en").text
