"""Projects and donations for readers without scripts."""

from __future__ import annotations

from html import escape

from jara.reports.words import dollars, money
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


def all_projects(t: Texts, projects: list[Document]) -> str:
    """Return the projects with where they stand."""
    if not projects:
        return f"<p>{t('catalogue', 'projects.empty')}</p>"
    return items(_in_short(t, one) for one in projects)


def one_project(t: Texts, project: Document) -> str:
    """Return a project: its story, its steps, its money and its news."""
    back = link("/projects", t("catalogue", "meta.projects"))
    return "".join(
        [
            f"<p>{_place(t, project)}</p><h1>{escape(project['title'])}</h1>",
            f'<p class="lead">{escape(project["summary"])}</p>',
            story(project.get("story") or ""),
            _milestones(t, project["milestones"]),
            project_money(t, project),
            _news(t, project["updates"]),
            f"<p>{back}</p>",
        ]
    )


def project_money(t: Texts, project: Document) -> str:
    """Return what a project was promised, by which vote, and what it was paid."""
    promised, vote = project["commitment"], project["vote"]
    lines = [(t("catalogue", "project.used"), dollars(project["capitalUsedCents"]))]
    if promised is not None:
        lines.append((t("catalogue", "trail.promised"), money(promised["goalCents"])))
        lines += [
            (t("catalogue", f"trail.{name}"), money(promised[f"{name}Cents"]))
            for name in ("held", "queued", "released")
            if promised[f"{name}Cents"]
        ]
    lines.append((t("catalogue", "trail.total"), money(project["paidCents"])))
    payouts = items(
        f'{day_of(one["date"])}: <span class="num">{money(one["cents"])}</span>'
        for one in project["payouts"]
    )
    decided = ""
    if vote is not None:
        words = t("catalogue", "project.vote-link", title=vote["title"])
        decided = f"<p>{link(page_path('proposals', vote['slug']), words)}</p>"
    return section(t("catalogue", "trail.title"), figures(lines) + payouts + decided)


def donations(t: Texts, document: Document) -> str:
    """Return the donations and what they come to."""
    if not document["count"]:
        return f"<p>{t('catalogue', 'donations.empty')}</p>"
    rows = [
        (escape(f"{one['title']} ({one['code']})"), dollars(one["amountCents"]))
        for one in document["donations"]
    ]
    total = (t("catalogue", "donations.disbursed"), dollars(document["totalCents"]))
    names = (t("plain", "donation"), t("plain", "amount"))
    return table(t("catalogue", "donations.list"), names, [*rows, total])


def _in_short(t: Texts, project: Document) -> str:
    title = link(page_path("projects", project["slug"]), escape(project["title"]))
    return f"<h2>{title}</h2><p>{escape(project['summary'])}</p><p>{_place(t, project)}</p>"


def _place(t: Texts, project: Document) -> str:
    facts = [t("catalogue", f"status.{project['status']}")]
    facts += [escape(project["location"])] if project["location"] else []
    return " · ".join([*facts, t("catalogue", f"category.{project['category']}")])


def _milestones(t: Texts, milestones: list[Document]) -> str:
    lines = items(_milestone(t, one) for one in milestones)
    return section(t("catalogue", "project.milestones"), lines)


def _milestone(t: Texts, milestone: Document) -> str:
    done = milestone.get("completed", False)
    day = day_of(milestone["date"])
    facts = (
        t("catalogue", "project.done" if done else "project.not-done"),
        day if done else t("catalogue", "project.planned", date=day),
        dollars(milestone["costCents"]),
        t("catalogue", "project.paid", amount=dollars(milestone["paidCents"])),
    )
    return f"<h3>{escape(milestone['title'])}</h3><p>{' · '.join(facts)}</p>"


def _news(t: Texts, updates: list[Document]) -> str:
    lines = items(
        f"<h3>{escape(one['title'])}</h3><p>"
        + t("catalogue", "project.update-meta", author=one["author"], date=day_of(one["date"]))
        + f"</p>{story(one['content'])}"
        for one in updates
    )
    return section(t("catalogue", "project.updates"), lines)
