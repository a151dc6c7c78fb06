"""A small built website for tests, with the real texts."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from falcon import testing

from jara.services.content import import_items
from jara.services.proposals.lifecycle import draft_proposal
from jara_webapi.app import create_app
from jara_webapi.pages.website import Website
from tests.languages.catalogues import catalogues
from tests.services.ballots.voting_world import PROPOSAL
from tests.webapi.desk import Desk, open_desk

SITE = "https://jara.example"
_SOURCE = Path(__file__).parents[3] / "webui" / "src"
_RULES = json.loads((_SOURCE / "components" / "scene" / "scenes.json").read_text("utf-8"))
SCENES = {**_RULES, "folder": "/assets/art-1"}
WELLS = {"slug": "wells", "title": "Wells", "status": "Planning", "category": "water"}

PICTURE = f"/media/{'a' * 64}.jpg"
SCHOOL: dict[str, Any] = {
    "slug": "school",
    "title": "A school",
    "summary": "Four rooms and a library.",
    "status": "In Progress",
    "category": "education",
    "location": "GH",
    "imageUrl": PICTURE,
    "story": "<p>Bricks.</p>",
    "milestones": [
        {
            "id": "roof",
            "date": "2026-05-01",
            "title": "The roof",
            "costCents": 9000,
            "completed": True,
        },
        {"id": "desks", "date": "2027-05-01", "title": "The desks", "costCents": 500},
    ],
    "updates": [
        {
            "id": "up",
            "title": "Walls",
            "author": "Neema",
            "date": "2026-04-01",
            "content": "<p>Up.</p>",
        }
    ],
}


def frame(name: str, *, head: str | None = None, data: object = None, metas: str = "") -> str:
    """Return a page as the build writes it; without a head, the server adds one."""
    top = (
        "<!--head-->" if head is None else f'<title>{head}</title><meta content="{{{{site_url}}}}">'
    )
    block = f'<script type="application/json" id="page-data">{json.dumps(data)}</script>'
    return (
        f'<!doctype html><html{{{{identity}}}} data-site="{{{{site_url}}}}">'
        f"<head>{top}{metas}</head><body>"
        f'<div id="root"><main>{name}<noscript>{{{{plain}}}}</noscript></main></div>'
        f"{'' if data is None else block}</body></html>"
    )


SLOTS = (
    '<b>{{first.tag}}|{{first.sample}}</b><h1>{{first.title}}</h1><hr class="{{first.picture}}">'
)
BEGUN = {"/teams": [], "/proposals/_#first": {"title": "{{first.title}}"}}

HERO = " | ".join(f"{{{{first.{name}}}}}" for name in ("badge", "lang", "headline", "mark", "live"))

_SHARED = (
    '<meta property="og:title" content="Home">'
    '<meta property="og:url" content="{{site_url}}/{{english}}">'
    '<meta property="og:image" content="{{site_url}}/share.png">'
)
SQUARES = {"cloth": "<svg>{{square}}</svg>", "squares": {"3-1": "<b/>"}}

FILES = {
    "index.html": frame("home", head="Home", metas=_SHARED),
    "404.html": frame("none", head="Nothing here"),
    "shell.html": frame("empty", head="Jara"),
    "faqs/index.html": frame("faqs", head="Questions"),
    "proposals/index.html": frame("votes", head="Proposals"),
    "projects/index.html": frame("projects", head="Projects"),
    "donations/index.html": frame("donations", head="Donations"),
    "ledger/index.html": frame("ledger", head="Ledger"),
    "impact/index.html": frame("impact", head="Impact{{site_url}}/share.png"),
    "team/index.html": frame("team", head="Team"),
    "grants/index.html": frame("grants", head="Grants"),
    "why-jara-exists/index.html": frame("about", head="About"),
    "project.html": frame("a project"),
    "proposal.html": frame("a proposal"),
    "first/proposals.html": frame(SLOTS, head="Proposals", data=BEGUN),
    "first/proposal.html": frame(SLOTS, data=BEGUN),
    "first/project.html": frame(SLOTS, data=BEGUN),
    "terms/index.html": frame("[organisation]", head="Terms"),
    "first/home.html": frame(HERO, head="Home", data={}, metas=_SHARED),
    "first/home-square.html": frame(
        HERO + "<svg>{{first.html}}</svg><p>{{first.woven}}</p>",
        head="Home",
        data={},
        metas=_SHARED,
    ),
    "first/home-vote.html": frame(HERO + SLOTS, head="Home", data={}, metas=_SHARED),
    "first/terms.html": frame("{{first.html}}", head="Terms", data={}),
}


@dataclass
class Page(HTMLParser):
    """A page as a client without scripts reads it."""

    answer: testing.Result
    title: str = ""
    metas: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    plain: str = ""

    def __post_init__(self) -> None:
        """Parse the page."""
        super().__init__()
        self._inside: list[str] = []
        self._tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(self.answer.text)

    @property
    def tags(self) -> set[str]:
        """The names of all elements."""
        return {tag for tag, _ in self._tags}

    @property
    def attributes(self) -> set[str]:
        """The names of all attributes."""
        return {name for _, attributes in self._tags for name in attributes}

    @property
    def live(self) -> dict[str, Any]:
        """The API answers embedded in the page."""
        _, _, rest = self.answer.text.partition('id="live-data">')
        return dict(json.loads(rest.partition("</script>")[0] or "{}"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the start of an element."""
        given = dict(attrs)
        self._tags.append((tag, given))
        self._inside.append(tag)
        if tag == "meta":
            self.metas[given.get("name") or given.get("property") or ""] = given["content"] or ""
        if tag == "link":
            self.links[given["rel"] or ""] = given["href"] or ""

    def handle_endtag(self, tag: str) -> None:
        """Record the end of an element."""
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Record a text."""
        if "noscript" in self._inside:
            self.plain += f"{data} "
        elif self._inside[-1:] == ["title"]:
            self.title += data


class Site:
    """A website of an organisation."""

    def __init__(self, folder: Path, desk: Desk, languages: Sequence[str] = ("en",)) -> None:
        """Build and open the website."""
        for language in languages:
            _write(folder if language == "en" else folder / language, language)
        (folder / ".scenes.json").write_text(json.dumps(SCENES))
        (folder / ".squares.json").write_text(json.dumps(SQUARES))
        self.desk = desk
        self.client = testing.TestClient(create_app(desk.application, website=Website(folder)))

    def get(self, path: str, **more: Any) -> testing.Result:
        """Request a page."""
        return self.client.simulate_get(path, **more)

    def page(self, path: str, **more: Any) -> Page:
        """Read a page."""
        return Page(self.get(path, **more))

    def api_text(self, path: str) -> str:
        """Return a visitor's API answer as text."""
        return self.get(f"/api{path}").text

    def api(self, path: str, **more: Any) -> Any:
        """Return a visitor's API answer as JSON."""
        return self.get(f"/api{path}", **more).json


def asking(header: str = "", *, cookie: str = "", query: str = "") -> dict[str, Any]:
    """Return what a browser sends that asks for a language in some of three ways."""
    return {
        "params": {"lang": query} if query else {},
        "headers": {"Accept-Language": header, **({"Cookie": f"lang={cookie}"} if cookie else {})},
    }


def open_site(folder: Path, languages: Sequence[str] = ("en",), own: str = "en") -> Site:
    """Open a website with two projects, a hidden one, an open vote and a draft."""
    desk = open_desk(folder, site_url=SITE, language=own)
    context = desk.application.context
    import_items(context, "projects", [{**WELLS, "story": "<p>Deep.</p>"}, SCHOOL])
    hidden = {
        **SCHOOL,
        "slug": "hidden",
        "title": "Not yet shown",
        "published": False,
        "updates": [],
    }
    import_items(context, "projects", [hidden])
    desk.open_vote(slug="bees", title="Bees & hives")
    draft_proposal(context, {**PROPOSAL, "id": "draft", "slug": "draft", "title": "Only drafted"})
    return Site(folder / "dist", desk, languages)


def _write(folder: Path, language: str) -> None:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.with_name(f"{path.name}.br").write_bytes(b"made before it was filled")
    (folder / ".messages.json").write_text(json.dumps(texts_of(language)))


def texts_of(language: str) -> dict[str, dict[str, str]]:
    """Return the website's texts, by catalogue and key."""
    files = catalogues(language).glob("*.json")
    return {path.stem: json.loads(path.read_text("utf-8")) for path in files}


def unzipped(answer: testing.Result) -> str:
    """Return a decompressed answer as text."""
    return gzip.decompress(answer.content).decode()
