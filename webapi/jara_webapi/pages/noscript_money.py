"""The public figures for readers without scripts: overview, budget, reports."""

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
    month_of,
    page_path,
    section,
    table,
)

_SPLIT = ("projects", "staff", "marketing", "other")


def overview(t: Texts, stats: Document) -> str:
    """Return the five lines of the open ledger."""
    monthly = f" {t('home-rest', 'ledger.per-month')}"
    lines = [
        (t("home-rest", "ledger.changemakers"), f"{stats['changemakers']:,}"),
        (t("home-rest", "ledger.monthly"), dollars(stats["monthlyDonationCents"]) + monthly),
        (t("home-rest", "ledger.cash"), dollars(stats["cashAtHandCents"])),
        (t("home-rest", "ledger.fixed"), dollars(stats["monthlyFixedCostCents"]) + monthly),
        (t("home-rest", "ledger.deployed"), dollars(stats["cashDeployedCents"])),
    ]
    return f"<section><h2>{t('home-rest', 'ledger.title')}</h2>{figures(lines)}</section>"


def budget(t: Texts, document: Document) -> str:
    """Return what a year had, gave and has left."""
    rows = [
        (t("ledger", f"row.{name}"), dollars(document[f"{name}Cents"]))
        for name in ("available", "allocated", "unallocated")
    ]
    names = (t("ledger", "budget.head"), t("ledger", "budget.per-year"))
    return table(t("ledger", "budget.caption", year=document["year"]), names, rows)


def report(t: Texts, document: Document) -> str:
    """Return the impact report of a period."""
    lines = [
        (t("impact", "received"), dollars(document["receivedCents"]["total"])),
        (t("impact", "paid"), dollars(document["disbursedCents"])),
        (t("impact", "changemakers"), f"{document['changemakers']:,}"),
        (t("impact", "cash"), dollars(document["cashAtHandCents"])),
    ]
    return "".join(
        [
            f"<section><h2>{period_name(t, document)}</h2>{figures(lines)}</section>",
            _income(t, document),
            months(t, document) if len(document["months"]) > 1 else "",
            funds(t, document),
            _payouts(t, document["disbursements"]),
            _votes(t, document["proposals"]),
            _projects(t, document["projects"]),
        ]
    )


def funds(t: Texts, document: Document) -> str:
    """Return what each purpose was promised of every payment, and what it got."""
    keys = ("purpose", "promised", "actual", "received", "spent")
    rows = [
        (
            t("funds", f"fund.{line['fund']}"),
            f"{line['promisedShare']}%",
            f"{line['actualShare']}%",
            money(line["receivedCents"]),
            money(line["spentCents"]),
        )
        for line in document["funds"]
        if line["fund"] in _SPLIT
    ]
    return section(
        f"{t('impact', 'funds')}: {period_name(t, document)}",
        f"<p>{t('impact', 'funds.text')}</p>"
        + table(t("impact", "funds"), [t("impact", f"funds.{key}") for key in keys], rows),
    )


def months(t: Texts, document: Document) -> str:
    """Return the contributions of each month of a report."""
    rows = [
        (month_of(line["month"]), money(line["pledgesCents"] + line["giftsCents"]))
        for line in document["months"]
    ]
    names = (t("impact", "chart.month"), t("impact", "chart.amount"))
    return section(t("impact", "chart"), table(t("impact", "chart"), names, rows))


def period_name(t: Texts, document: Document) -> str:
    """Name the month or the year of a report."""
    first, last = document["period"]["from"], document["period"]["to"]
    if first[:7] == last[:7]:
        return month_of(first)
    return t("impact", "period.year", year=first[:4])


def _income(t: Texts, document: Document) -> str:
    received = document["receivedCents"]
    rows = [
        (t("impact", f"income.{name}"), money(received[name]))
        for name in ("pledges", "gifts", "grants", "other", "total")
        if name != "other" or received[name]
    ]
    rows += [
        (t("impact", "income.refunds"), money(-document["refundsCents"])),
        (t("impact", "income.fees"), money(-document["feesCents"])),
    ]
    names = (t("impact", "income.source"), t("impact", "income.amount"))
    return section(t("impact", "income"), table(t("impact", "income"), names, rows))


def _payouts(t: Texts, payouts: list[Document]) -> str:
    lines = (
        f"{day_of(one['date'])}: {escape(one['title'] or one['project'])}, "
        f'<span class="num">{money(one["cents"])}</span>'
        for one in payouts
    )
    none = f"<p>{t('impact', 'payouts.none')}</p>"
    return section(t("impact", "payouts"), items(lines) or none)


def _votes(t: Texts, votes: list[Document]) -> str:
    none = f"<p>{t('impact', 'votes.none')}</p>"
    return section(t("impact", "votes"), items(_vote(t, one) for one in votes) or none)


def _vote(t: Texts, vote: Document) -> str:
    title = link(page_path("proposals", vote["slug"]), escape(vote["title"]))
    tally = vote["tally"]
    if tally is None:
        return f"{title}: {t('impact', 'votes.open')}"
    counts = t("impact", "votes.result", yes=tally["yes"], no=tally["no"], roll=tally["roll"])
    return f"{title}: {counts}"


def _projects(t: Texts, projects: list[Document]) -> str:
    lines = (
        f"{link(page_path('projects', one['slug']), escape(one['title']))}: "
        + t("impact", "projects.progress", **one["milestones"])
        + f", {t('impact', 'projects.paid', amount=dollars(one['paidCents']))}"
        for one in projects
    )
    return section(t("impact", "projects"), items(lines))
