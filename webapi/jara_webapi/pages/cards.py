"""Cards of projects, votes and reports: for frames, badges and preview images on other sites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from jara.domain.errors import InvalidInput, NotFound
from jara_webapi.pages.page_fragments import Visit, badge_of, query_of
from jara_webapi.pages.templates import Document, has_ended, month_of, page_path


class Card(NamedTuple):
    """A short form of a project, a vote or a report.

    Args:
        address: the address of its page.
        kind: "Vote", "Project" or "Report".
        title: its title.
        picture: the path of its photo or drawing on this site.
        standing: its progress, such as "22 more yes votes needed".
        share: how much of the goal is reached, from 0 to 1.
        note: the end of the vote, or a project's status; it changes rarely.
        link: the text of the link to its page.
    """

    address: str
    kind: str
    title: str
    picture: str
    standing: str
    share: float
    note: str
    link: str


def find_card(visit: Visit, kind: str, name: str) -> Card | None:
    """Return the card of a project or vote by id or slug, or of a report by its period.

    None if there is none.
    """
    if kind == "reports":
        return _report(visit, name)
    if kind not in _KINDS:
        return None
    path, make = _KINDS[kind]
    found = next((one for one in visit.ask(path) if name in {one["slug"], one["id"]}), None)
    return None if found is None else make(visit, found)


def _vote(visit: Visit, proposal: Document) -> Card:
    tally = proposal["tally"]
    enough = tally["yes"] + tally["needed"]
    if has_ended(proposal, visit.now):
        standing = visit.t("voting", f"others.{proposal['result'] or 'ended'}")
    else:
        standing = visit.t("voting", "strip.needed", needed=tally["needed"])
    return Card(
        address=visit.site + page_path(proposal["slug"], "proposals"),
        kind=visit.t("plain", "card.proposals"),
        title=proposal["title"],
        picture=visit.scenes.own_picture_of(proposal),
        standing=standing,
        share=tally["yes"] / enough if enough else 0.0,
        note=badge_of(visit, proposal),
        link=visit.t("voting", "strip.see"),
    )


def _project(visit: Visit, card: Document) -> Card:
    kind = visit.t("plain", "card.projects")
    status = visit.t("catalogue", f"status.{card['status']}")
    project = visit.ask("/projects/{name}", name=card["slug"])
    paid, goal = project["paidCents"], project["fundingGoalCents"] or 0
    dollars = visit.t.words.dollars
    words = {"paid": dollars(paid), "goal": dollars(goal)}
    return Card(
        address=visit.site + page_path(card["slug"], "projects"),
        kind=kind,
        title=card["title"],
        picture=visit.scenes.own_picture_of(card),
        standing=visit.t("plain", "card.paid-of" if goal else "card.paid", **words),
        share=min(1.0, paid / goal) if goal else 0.0,
        note=f"{kind} · {status}",
        link=visit.t("plain", "card.see"),
    )


def _report(visit: Visit, period: str) -> Card | None:
    try:
        report = visit.ask("/impact", query_of(period))
    except (NotFound, InvalidInput):
        return None
    first, last = report["period"]["from"], report["period"]["to"]
    if first[:7] == last[:7]:
        title = month_of(visit.t.words, first)
    elif first[:4] == last[:4]:
        title = visit.t("impact", "period.year", year=first[:4])
    else:
        title = visit.t("impact", "period.all")
    received, paid = report["receivedCents"]["total"], report["disbursedCents"]
    dollars = visit.t.words.dollars
    standing = visit.t("plain", "card.report", received=dollars(received), paid=dollars(paid))
    return Card(
        address=f"{visit.site}/impact?period={period}",
        kind=visit.t("plain", "card.reports"),
        title=f"{title}{visit.t('plain', 'colon')} {standing}",
        picture=visit.scenes.default,
        standing=standing,
        share=0.0,
        note="" if report["isOver"] else visit.t("impact", "unfinished"),
        link=visit.t("plain", "card.see"),
    )


_KINDS: Mapping[str, tuple[str, Callable[[Visit, Document], Card]]] = {
    "proposals": ("/user/get-proposals", _vote),
    "projects": ("/projects", _project),
}
