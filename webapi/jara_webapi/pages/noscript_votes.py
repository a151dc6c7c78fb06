"""The votes for readers without scripts: all of them, and one with everything it says."""

from __future__ import annotations

from datetime import datetime
from html import escape

from jara.domain.voting.ends import parse_end
from jara.reports.words import dollars
from jara_webapi.pages.noscript_html import (
    Document,
    Texts,
    day_of,
    figures,
    items,
    link,
    page_path,
    section,
    story,
    table,
)


def all_votes(t: Texts, proposals: list[Document], now: datetime) -> str:
    """Return the proposals with their states, ends and counts."""
    if not proposals:
        return f"<p>{t('voting', 'empty')}</p>"
    return items(_in_short(t, one, now) for one in proposals)


def one_vote(t: Texts, proposal: Document, now: datetime) -> str:
    """Return a proposal: what it is for, what it costs, how the vote stands or ended."""
    return "".join(
        [
            f"<p>{escape(badge(t, proposal, now, day_of(proposal['endDate'])))}</p>",
            f"<h1>{escape(proposal['title'])}</h1>",
            f'<p class="lead">{escape(proposal["summary"])}</p>',
            figures(
                [
                    (t("voting", "funds"), dollars(proposal["fundingGoalCents"])),
                    (t("voting", "location"), escape(proposal["country"])),
                ]
            ),
            _count(t, proposal, now),
            section(t("voting", "section.story"), story(proposal["storySections"])),
            section(t("voting", "section.implementation"), story(proposal["implementation"])),
            _budget(t, proposal),
            section(t("voting", "section.metrics"), _metrics(proposal["metrics"])),
            f"<p>{link('/proposals', t('voting', 'others.all'))}</p>",
        ]
    )


def badge(t: Texts, proposal: Document, now: datetime, day: str) -> str:
    """Return until when one may vote, or since when no more, with its day in words."""
    ended = _has_ended(proposal, now)
    return t.said("voting", "badge.closed" if ended else "badge.open", date=day)


def _in_short(t: Texts, proposal: Document, now: datetime) -> str:
    title = link(page_path("proposals", proposal["slug"]), escape(proposal["title"]))
    facts = (
        _state(t, proposal, now),
        escape(proposal["country"]),
        dollars(proposal["fundingGoalCents"]),
    )
    tally = proposal["tally"]
    counts = t("impact", "votes.result", yes=tally["yes"], no=tally["no"], roll=tally["roll"])
    return (
        f"<h2>{title}</h2><p>{escape(proposal['summary'])}</p>"
        f"<p>{' · '.join(facts)}</p><p>{counts}</p>"
    )


def _count(t: Texts, proposal: Document, now: datetime) -> str:
    tally = proposal["tally"]
    lines = [
        (t("voting", "yes"), f"{tally['yes']:,} ({tally['upvotePercentage']}%)"),
        (t("voting", "no"), f"{tally['no']:,} ({tally['downvotePercentage']}%)"),
        (t("plain", "vote.roll"), f"{tally['roll']:,}"),
    ]
    if not proposal["result"]:
        lines.append((t("plain", "vote.needed"), f"{tally['needed']:,}"))
    project = proposal["project"]
    follow = t("voting", "chain.project")
    return section(
        _state(t, proposal, now),
        figures(lines)
        + (f"<p>{link(page_path('projects', project), follow)}</p>" if project else ""),
    )


def _budget(t: Texts, proposal: Document) -> str:
    lines = proposal["budgetList"]
    if not lines:
        return ""
    rows = [(escape(one["description"]), dollars(one["amountCents"])) for one in lines]
    total = sum(one["amountCents"] for one in lines)
    return section(
        t("voting", "section.budget"),
        table(
            t("voting", "budget.caption"),
            (t("plain", "budget.line"), t("plain", "amount")),
            [*rows, (t("voting", "budget.total"), dollars(total))],
        ),
    )


def _metrics(metrics: str | list[str]) -> str:
    if isinstance(metrics, str):
        return f"<p>{escape(metrics)}</p>" if metrics else ""
    return items(escape(one) for one in metrics)


def _state(t: Texts, proposal: Document, now: datetime) -> str:
    if not _has_ended(proposal, now):
        return t("voting", "others.open", date=day_of(proposal["endDate"]))
    return t("voting", f"others.{proposal['result'] or 'ended'}")


def _has_ended(proposal: Document, now: datetime) -> bool:
    return proposal["status"] != "open" or now >= parse_end(proposal["endDate"])
