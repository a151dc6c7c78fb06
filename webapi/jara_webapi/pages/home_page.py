"""The data of the home page: its headline, its figures, the vote in progress."""

from __future__ import annotations

from jara.domain.language import ENGLISH
from jara_webapi.pages.page_fragments import Part, Visit, deadline, seen_first
from jara_webapi.pages.templates import Document, has_ended

_VOTE_KEYS = ("id", "slug", "title", "category", "endDate", "status", "tally", "sample")


def home(visit: Visit) -> Part:
    """Return the headline and the figures of the home page, the projects, the vote in progress."""
    stats, projects = visit.ask("/stats"), visit.ask("/projects")
    found = (one for one in visit.ask("/user/get-proposals") if not has_ended(one, visit.now))
    votes = [{key: one[key] for key in _VOTE_KEYS} for one in found]
    plain = visit.render("home.html", stats=stats, votes=votes, projects=projects)
    answers = {"/stats": stats, "/projects": projects, "/user/get-proposals#open": votes}
    first = {"/#hero": _hero(visit, stats)}
    if not votes:
        return Part(plain, answers, first=first, version="home")
    needed = votes[0]["tally"]["needed"]
    strip = {
        **seen_first(visit, votes[0]),
        "tag": visit.t("voting", "strip.until", date=deadline(visit, votes[0])),
        "sample": visit.t("voting", "strip.needed", needed=needed) if needed else "",
    }
    return Part(plain, answers, first={**first, "/#first": strip}, version="home-vote")


def _hero(visit: Visit, stats: Document) -> dict[str, str]:
    """Return the first texts of the home page, the same as its script (``hero-texts.ts``)."""
    paid, claims, people = stats["cashDeployedCents"], stats["claims"], stats["changemakers"]
    figures = {"amount": visit.t.words.dollars(paid), "donations": stats["donations"]}
    headline = f"{visit.t('home', 'meta.title')}."
    if claims:
        headline = " ".join(f"{one['figure']} {one['label']}." for one in claims)
    elif paid > 0:
        headline = visit.t("home", "hero.headline", people=people, **figures)
    says_books = paid > 0 and not claims
    is_sample = any(one.get("sample") for one in claims)
    return {
        "badge": visit.t("home", "hero.badge", count=people),
        "headline": headline,
        "lang": ENGLISH if claims else visit.t.language,
        "mark": visit.t("common", "sample") if is_sample else "",
        "live": "" if says_books else visit.t("home", "hero.live", people=people, **figures),
    }
