"""The data of each page: its head, its content without scripts, the API responses it reads."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

from jara.domain.content.translations import text_language
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.language import ENGLISH
from jara.domain.time_zone import TimeZone
from jara.domain.voting.proposal import parse_end
from jara_webapi.calls.scenes import Scenes
from jara_webapi.pages.site_files import share_image
from jara_webapi.pages.templates import Document, Texts, has_ended, page_path, render

Ask = Callable[..., Any]
"""Returns the API response for a visitor, given its path, a query, and path parameters."""

LISTS = ("projects", "donations", "grants", "team")
_PERIOD = re.compile(r"\d{4}(-\d{2})?", re.ASCII)
_UNQUOTED = "!'()*-._~"
"""What encodeURIComponent does not escape."""


class Visit(NamedTuple):
    """One request for a page."""

    t: Texts
    scenes: Scenes  # chooses the drawings
    ask: Ask  # calls the API
    now: datetime  # the time
    zone: TimeZone  # the organisation's time zone
    site: str  # the address of the site
    languages: Collection[str] = (ENGLISH,)  # the languages that have the same page

    @property
    def today(self) -> date:
        """The organisation's present day."""
        return self.zone.day_of(self.now)

    def render(self, template: str, **values: object) -> str:
        """Fill a template with the texts and some values."""
        ends = partial(deadline, self)
        return self.t.render(template, now=self.now, deadline=ends, **values)

    def head(self, document: Document, path: str, picture: str, *, is_funded: bool = False) -> str:
        """Return the head of the page of a project or a proposal."""
        image: str = document.get("imageUrl") or ""
        return render(
            "head.html",
            t=self.t,
            languages=self.languages,
            site=self.site,
            organisation=self.t.organisation,
            title=document["title"],
            description=document["summary"],
            path=path,
            image=image
            if image.startswith("https:")
            else f"{self.site}/previews{path}.png{self.t.choice}",
            picture=picture,
            is_funded=is_funded,
        )


@dataclass(frozen=True, slots=True)
class PageContent:
    """What the server adds to a page."""

    plain: str  # the content for readers without scripts
    answers: Mapping[str, Any]  # the API responses that the page reads first, by path
    head: str = ""  # the whole head if the build left it to the server, otherwise an addition to it
    first: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What is visible before any script runs, by the key under which the page reads it."""
    version: str = ""  # the version of the page with slots for `first`, if there are several
    image: str = ""  # the path of its preview image, if the build drew the head with the site's


def legal(visit: Visit, *, text: str, version: str) -> PageContent | None:
    """Return a version of a legal text; None if there is no such version."""
    query = f"lang={visit.t.language}" + (f"&version={quote(version)}" if version else "")
    try:
        page = visit.ask("/legal/{text}", query, text=text)
    except (InvalidInput, NotFound):
        return None
    return PageContent(
        "", {}, first={f"/legal/{text}#text": {"version": version, "html": page["html"]}}
    )


def all_votes(visit: Visit) -> PageContent:
    """Return every vote."""
    proposals = visit.ask("/user/get-proposals")
    plain = visit.render("proposals.html", proposals=proposals)
    answers = {"/user/get-proposals": proposals}
    if not proposals:
        return PageContent(plain, answers)
    first = _vote_seen_first(visit, proposals[0])
    preload = visit.render("preload.html", picture=first["picture"])
    return PageContent(plain, answers, preload, first={"/proposals#first": first})


def one_vote(visit: Visit, name: str) -> PageContent | None:
    """Return the vote with an id or a slug; None if there is none."""
    proposals = visit.ask("/user/get-proposals")
    proposal = next((one for one in proposals if name in {one["slug"], one["id"]}), None)
    if proposal is None:
        return None
    badge = badge_of(visit, proposal)
    first = _vote_seen_first(visit, proposal)
    return PageContent(
        visit.render("proposal.html", proposal=proposal, badge=badge),
        {"/user/get-proposals": proposals},
        visit.head(proposal, page_path(proposal["slug"], "proposals"), first["picture"]),
        first={f"/proposals/{quote(name, safe=_UNQUOTED)}#first": first},
    )


def one_project(visit: Visit, name: str) -> PageContent | None:
    """Return the project with a title, an id or a slug; None if there is none."""
    cards = visit.ask("/projects")
    card = next((one for one in cards if name in {one["slug"], one["id"], one["title"]}), None)
    if card is None:
        return None
    project = visit.ask("/projects/{name}", name=card["slug"])
    path = page_path(card["slug"], "projects")
    first, key = seen_first(visit, card), f"/projects/{quote(name, safe=_UNQUOTED)}"
    return PageContent(
        visit.render("project.html", project=project),
        {key: project},
        visit.head(card, path, first["picture"], is_funded=True),
        first={f"{key}#first": first},
    )


def listing(visit: Visit, *, name: str) -> PageContent:
    """Return a page with one list: projects, donations, grants or the people of the team."""
    listed = visit.ask(f"/{name}")
    return PageContent(visit.render(f"{name}.html", **{name: listed}), {f"/{name}": listed})


def questions(visit: Visit) -> PageContent:
    """Return the questions and answers, for search engines as structured data too."""
    faqs = visit.ask("/faqs")
    head = visit.render("questions.html", faqs=faqs) if faqs else ""
    return PageContent(visit.render("faqs.html", faqs=faqs), {"/faqs": faqs}, head)


def about(visit: Visit) -> PageContent:
    """Return what the about page says of today: figures, roadmap, projects."""
    stats, acts, projects = visit.ask("/stats"), visit.ask("/roadmap"), visit.ask("/projects")
    plain = visit.render("about.html", stats=stats, roadmap=acts, projects=projects)
    return PageContent(plain, {"/stats": stats, "/roadmap": acts, "/projects": projects})


def ledger(visit: Visit) -> PageContent:
    """Return the public figures of the ledger."""
    budget, stats = visit.ask("/ledger/budget"), visit.ask("/stats")
    answers = {"/ledger/budget": budget, "/proofs/witnesses": visit.ask("/proofs/witnesses")}
    of_year = visit.ask("/impact")
    if of_year["archive"]:
        answers["/impact#years"] = {"archive": of_year["archive"]}
    plain = visit.render("ledger.html", stats=stats, budget=budget, of_year=of_year)
    return PageContent(plain, answers)


def impact(visit: Visit, wanted: str) -> PageContent:
    """Return the report of a month, of a year, or of all time; by default of the current year."""
    this_year = visit.ask("/impact")
    none = PageContent(visit.render("impact.html", report=None), {"/impact": this_year})
    if not this_year["archive"]:
        return none
    query = query_of(wanted)
    image = f"/previews/reports/{wanted if query else 'year'}.png{visit.t.choice}"
    if not query:
        plain = visit.render("impact.html", report=this_year)
        return PageContent(plain, {"/impact": this_year}, image=image)
    try:
        report = visit.ask("/impact", query)
    except (NotFound, InvalidInput):
        return none
    plain = visit.render("impact.html", report=report)
    return PageContent(plain, {f"/impact?{query}": report}, image=image)


def query_of(wanted: str) -> str:
    """Return the query for the report of a period; empty for the current year."""
    if wanted == "all":
        return "all=true"
    if _PERIOD.fullmatch(wanted) is None:
        return ""
    return f"year={wanted}" if len(wanted) == len("2026") else f"month={wanted}"


def missing(t: Texts, site: str) -> PageContent:
    """Return the page for an unknown address."""
    head = plain_head(t, site, t("pages", "missing.meta"), t("pages", "missing.meta-text"))
    return PageContent(t.render("missing.html"), {}, head)


def plain_head(t: Texts, site: str, title: str, description: str) -> str:
    """Return the head of a page that search engines skip."""
    return render(
        "head.html",
        t=t,
        languages=(),
        site=site,
        organisation=t.organisation,
        title=title,
        description=description,
        path="",
        image=site + share_image(t.language),
        picture="",
        is_funded=False,
    )


def badge_of(visit: Visit, proposal: Document) -> str:
    """Return the end of an open vote, or the day a vote ended, in the organisation's time zone."""
    if has_ended(proposal, visit.now):
        day = visit.t.words.near_day(visit.zone.day_of(_last_minute(visit, proposal)), visit.today)
        return visit.t("open-vote", "badge.closed", date=day)
    return visit.t("open-vote", "badge.open", date=deadline(visit, proposal))


def deadline(visit: Visit, proposal: Document) -> str:
    """Return when a vote ends, in the organisation's time zone."""
    return visit.t.words.deadline(_last_minute(visit, proposal), visit.today, visit.zone)


def still_needed(visit: Visit, tally: Document) -> str:
    """Return how many yes votes are still needed."""
    if tally["roll"] == 0:
        return visit.t("open-vote", "nobody")
    if tally["needed"] is None:
        return visit.t("open-vote", "figures.at-close")
    return visit.t("open-vote", "strip.needed", needed=tally["needed"])


def _last_minute(visit: Visit, proposal: Document) -> datetime:
    return visit.zone.last_minute(parse_end(proposal["endDate"]))


def _vote_seen_first(visit: Visit, proposal: Document) -> dict[str, str]:
    return {**seen_first(visit, proposal), "tag": badge_of(visit, proposal)}


def seen_first(visit: Visit, document: Document) -> dict[str, str]:
    """Return what a page of a project or a proposal shows first."""
    return {
        "title": document["title"],
        "picture": visit.scenes.picture_of(document),
        "tag": "",
        "sample": visit.t("common", "sample") if document.get("sample") else "",
    }


_VOTE_KEYS = (
    "id",
    "slug",
    "title",
    "category",
    "endDate",
    "status",
    "tally",
    "sample",
    "language",
    "original",
)


def home(visit: Visit, *, square: str = "") -> PageContent:
    """Return what the home page shows: headline, figures, votes in progress, projects, team.

    The drawing of a square that somebody shared stands first, without the vote.
    """
    stats, projects = visit.ask("/stats"), visit.ask("/projects")
    open_votes = (one for one in visit.ask("/user/get-proposals") if not has_ended(one, visit.now))
    votes = [{key: one[key] for key in _VOTE_KEYS if key in one} for one in open_votes]
    people, faqs = visit.ask("/team"), visit.ask("/faqs")
    plain = visit.render(
        "home.html", stats=stats, votes=votes, projects=projects, team=people, faqs=faqs
    )
    answers = {
        "/stats": stats,
        "/projects": projects,
        "/user/get-proposals#open": votes,
        "/team": people,
        "/faqs": faqs,
    }
    first = {"/#hero": _hero(visit, stats)}
    if square:
        woven = visit.t("sharing", "greeting.woven", people=max(1, stats["changemakers"]))
        greeting = {"html": square, "woven": woven}
        first = {**first, "/#square": greeting}
        return PageContent(plain, answers, first=first, version="home-square")
    if not votes:
        return PageContent(plain, answers, first=first, version="home")
    tally = votes[0]["tally"]
    strip = {
        **seen_first(visit, votes[0]),
        "tag": visit.t("open-vote", "strip.until", date=deadline(visit, votes[0])),
        "sample": "" if tally["needed"] == 0 else still_needed(visit, tally),
    }
    return PageContent(plain, answers, first={**first, "/#first": strip}, version="home-vote")


def _hero(visit: Visit, stats: Document) -> dict[str, str]:
    """Return the first texts of the home page, the same as its script (``hero-texts.ts``)."""
    paid, claims = stats["cashDeployedCents"], stats["claims"]
    amounts = {
        "paid": paid,
        "voted": stats["votedOnCents"],
        "pledges": stats["pledgesCents"],
        "donated": stats["donatedCents"],
    }
    figures = {name: visit.t.words.dollars(cents) for name, cents in amounts.items()}
    live = ""
    if amounts["pledges"] + amounts["donated"] > 0:
        live = visit.t("home", "hero.live" if claims and paid > 0 else "hero.given", **figures)
    headline = f"{visit.t('home', 'meta.title')}."
    if claims:
        headline = " ".join(f"{one['figure']} {one['label']}." for one in claims)
    elif paid > 0:
        headline = visit.t("home", "hero.headline", **figures)
    mark = visit.t("common", "sample") if any(one.get("sample") for one in claims) else ""
    shown = (claims, visit.ask("/projects"), visit.ask("/team"))
    if all(each and all(one.get("sample") for one in each) for each in shown):
        mark = visit.t("home", "hero.sample")
    return {
        "badge": visit.t("home", "hero.badge", count=stats["changemakers"]),
        # Each clause begins on a line of its own.
        "headline": re.sub(r"(?<=[.,]) ", " \n", headline),
        "lang": text_language(claims[0], "label", visit.t.language) if claims else visit.t.language,
        "mark": mark,
        "live": live,
    }
