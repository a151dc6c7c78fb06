"""What only the data know of a page: its plain part, its head, and the answers that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from urllib.parse import quote

from jara.domain.errors import NotFound
from jara.files.html import clean_html
from jara.reports.words import near_date
from jara_webapi.pages import noscript_money as money
from jara_webapi.pages import noscript_projects as projects
from jara_webapi.pages import noscript_votes as votes
from jara_webapi.pages.noscript_html import Document, Texts, head, items, link, page_path, preload
from jara_webapi.pages.scenes import Scenes

Ask = Callable[..., Any]
"""Returns the answer of the API to a visitor: its path, a query, what its path names."""

_PERIOD = re.compile(r"\d{4}(-\d{2})?", re.ASCII)
_UNQUOTED = "!'()*-._~"
"""What a browser leaves in a part of an address as it is (encodeURIComponent)."""

_CARD_KEYS = ("title", "status", "location", "category", "imageUrl")
_PAGE_KEYS = (*_CARD_KEYS, "summary", "completion", "fundingGoalCents", "capitalUsedCents")


@dataclass(frozen=True, slots=True)
class Visit:
    """One look at a page.

    Args:
        t: the texts.
        scenes: which drawing stands for what.
        ask: asks the API.
        now: the time.
        site: the address of the site.
        drawn: the answers with which the build drew the page.
    """

    t: Texts
    scenes: Scenes
    ask: Ask
    now: datetime
    site: str
    drawn: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """What the server adds to a page.

    Args:
        plain: for readers without scripts.
        answers: what the page reads first, by the addresses under which it does.
        head: all of it where the build left it to the server, else what is added to it.
        is_drawn: whether what the build drew of a project is still true.
        first: what is seen before any script runs, by the key under which the page reads it.
    """

    plain: str
    answers: Mapping[str, Any]
    head: str = ""
    is_drawn: bool = True
    first: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def legal(visit: Visit) -> Part:
    """Return a legal text with what the organisation has set; the rest stays a visible blank."""
    config = visit.ask("/config")
    provider = "sandbox" if config["payments"]["provider"] == "sandbox" else "stripe"
    known = {
        "organisation": config["organisation"],
        "contact_email": config["contactEmail"],
        "site_url": config["siteUrl"],
        "payment_provider": visit.t.said("legal", f"provider.{provider}"),
    }
    names = {name: value or f"[{name.replace('_', ' ')}]" for name, value in known.items()}
    return Part("", {}, first={"/config#names": names})


def home(visit: Visit) -> Part:
    """Return the figures of the home page."""
    stats = visit.ask("/stats")
    return Part(money.overview(visit.t, stats), {"/stats": stats})


def all_votes(visit: Visit) -> Part:
    """Return every vote."""
    proposals = visit.ask("/user/get-proposals")
    plain = votes.all_votes(visit.t, proposals, visit.now)
    answers = {"/user/get-proposals": proposals}
    if not proposals:
        return Part(plain, answers)
    first = _vote_seen_first(visit, proposals[0])
    return Part(plain, answers, preload(first["picture"]), first={"/proposals#first": first})


def one_vote(visit: Visit, name: str) -> Part | None:
    """Return the vote with an id or a slug; None where there is none."""
    proposals = visit.ask("/user/get-proposals")
    found = next((one for one in proposals if name in {one["slug"], one["id"]}), None)
    if found is None:
        return None
    path = page_path("proposals", found["slug"])
    first = _vote_seen_first(visit, found)
    return Part(
        votes.one_vote(visit.t, found, visit.now),
        {"/user/get-proposals": proposals},
        head(visit.site, found["title"], found["summary"], path=path) + preload(first["picture"]),
        first={f"/proposals/{quote(name, safe=_UNQUOTED)}#first": first},
    )


def all_projects(visit: Visit) -> Part:
    """Return the projects, where they are others than the build drew."""
    found = visit.ask("/projects")
    is_drawn = _cards(visit.drawn.get("/projects", [])) == _cards(found)
    return Part("" if is_drawn else projects.all_projects(visit.t, found), {"/projects": found})


def one_project(visit: Visit, name: str) -> Part | None:
    """Return the project with a title, an id or a slug; None where there is none."""
    cards = visit.ask("/projects")
    card = next((one for one in cards if name in {one["slug"], one["id"], one["title"]}), None)
    if card is None:
        return None
    found = visit.ask("/projects/{name}", name=card["slug"])
    is_drawn = _is_as_drawn(visit.drawn, found)
    tell = projects.project_money if is_drawn else projects.one_project
    path = page_path("projects", card["slug"])
    first, key = _seen_first(visit, card), f"/projects/{quote(name, safe=_UNQUOTED)}"
    return Part(
        tell(visit.t, found),
        {key: found},
        head(visit.site, card["title"], card["summary"], path=path, image=card["imageUrl"])
        + preload(first["picture"]),
        is_drawn,
        first={} if is_drawn else {f"{key}#first": first},
    )


def donations(visit: Visit) -> Part:
    """Return the donations, where they are others than the build drew."""
    found = visit.ask("/donations")
    is_drawn = visit.drawn.get("/donations") == found
    return Part("" if is_drawn else projects.donations(visit.t, found), {"/donations": found})


def ledger(visit: Visit) -> Part:
    """Return the figures of the ledger that everybody may see."""
    t, budget = visit.t, visit.ask("/ledger/budget")
    plain = money.overview(t, visit.ask("/stats")) + money.budget(t, budget)
    answers = {"/ledger/budget": budget}
    newest = _newest_report(visit)
    if newest is not None:
        year = next((one["from"][:4] for one in newest["archive"] if _is_year(one)), None)
        of_year = newest if year is None else visit.ask("/impact", f"year={year}")
        plain += money.funds(t, newest) + money.months(t, of_year)
        answers["/impact#years"] = {"archive": newest["archive"]}
    return Part(plain, answers)


def impact(visit: Visit, wanted: str) -> Part:
    """Return the report of a month or a year, or the newest."""
    newest = _newest_report(visit)
    none = Part(f"<p>{visit.t('impact', 'none')} {visit.t('impact', 'none-text')}</p>", {})
    if newest is None:
        return none
    if _PERIOD.fullmatch(wanted) is None:
        return Part(money.report(visit.t, newest), {"/impact": newest})
    is_year = len(wanted) == len("2026")
    if not any(
        one["from"].startswith(wanted) and _is_year(one) == is_year for one in newest["archive"]
    ):
        return none
    query = f"year={wanted}" if is_year else f"month={wanted}"
    report = visit.ask("/impact", query)
    return Part(money.report(visit.t, report), {f"/impact?{query}": report})


def missing(t: Texts, site: str) -> Part:
    """Return what is said of a page that there is not."""
    title, text = t("pages", "missing.meta"), t("pages", "missing.meta-text")
    plain = f'<h1>{t("pages", "missing")}</h1><p class="lead">{t("pages", "missing.text")}</p>'
    ways = (
        link("/", t("pages", "missing.home")),
        link("/projects", t("pages", "missing.projects")),
    )
    return Part(plain + items(ways), {}, head(site, title, text))


def _vote_seen_first(visit: Visit, proposal: Document) -> dict[str, str]:
    day = near_date(date.fromisoformat(proposal["endDate"][:10]), visit.now.date())
    tag = votes.badge(visit.t, proposal, visit.now, day)
    return {**_seen_first(visit, proposal), "tag": tag}


def _seen_first(visit: Visit, document: Document) -> dict[str, str]:
    return {
        "title": document["title"],
        "picture": visit.scenes.picture_of(document),
        "tag": "",
        "sample": visit.t.said("common", "sample") if document.get("sample") else "",
    }


def _newest_report(visit: Visit) -> Document | None:
    try:
        report: Document = visit.ask("/impact")
    except NotFound:
        return None  # the first month is not over
    return report


def _is_year(period: Mapping[str, str]) -> bool:
    return period["from"][:7] != period["to"][:7]


def _is_as_drawn(drawn: Mapping[str, Any], project: Document) -> bool:
    before = drawn.get(f"/projects/{quote(project['slug'], safe=_UNQUOTED)}")
    return before is not None and _text_of(before) == _text_of(project)


def _cards(projects: list[Document]) -> list[tuple[Any, ...]]:
    return [(one["slug"], *(one.get(key) or None for key in _CARD_KEYS)) for one in projects]


def _text_of(project: Document) -> tuple[Any, ...]:
    return (
        *(project.get(key) or None for key in _PAGE_KEYS),
        clean_html(project.get("story") or ""),
        [
            (one["title"], one["date"], one["costCents"], one.get("completed", False))
            for one in project["milestones"]
        ],
        [(one["title"], clean_html(one["content"])) for one in project["updates"]],
    )
