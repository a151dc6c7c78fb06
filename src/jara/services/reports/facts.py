"""Facts of reports from outside the books: changemakers, projects, titles of payees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import PAYEE_PARENTS, nearest, project_slug
from jara.domain.content.kinds import DONATIONS, GRANTS, PROJECTS, kind_of
from jara.domain.content.schema import measured_results, milestones_of
from jara.domain.giving.changemaker import (
    CARD_PERIOD,
    GRACE,
    Changemakers,
    paid_until,
    votes_until,
)
from jara.domain.giving.pledge import PledgeChange, standing_at
from jara.domain.giving.standing import PledgePayment
from jara.domain.projects import Progress, measure_progress
from jara.domain.reports.impact import ProjectProgress
from jara.domain.reports.parts import Payout
from jara.domain.texts import tr
from jara.records.content import ContentItem, by_account
from jara.services.reports.cut import ReportCut, items_at
from jara.store.unit_of_work import UnitOfWork


class Payees(NamedTuple):
    """The payees: the title of each account, the slug of each project's, the known proposals."""

    titles: Mapping[str, str]
    projects: Mapping[str, str]
    proposals: frozenset[str]

    def payouts(self, work: UnitOfWork, cut: ReportCut) -> tuple[Payout, ...]:
        """Return every payout up to the period's end, oldest first."""
        return tuple(
            Payout(
                day=moved.day,
                project=slug_of(moved.account),
                title=self.title_of(moved.account),
                account=moved.account,
                cents=moved.cents,
                proposal=moved.reference if moved.reference in self.proposals else None,
                foreign=moved.foreign,
            )
            for moved in work.reporting.movements_below(PAYEE_PARENTS, cut.to_date)
        )

    def title_of(self, account: str) -> str:
        """Return the title of a payee; without content the words of its slug."""
        named = nearest(account, self.titles)
        if named is not None:
            return self.titles[named]
        words = slug_of(account).replace("-", " ")
        return words[:1].upper() + words[1:]

    def project_of(self, account: str) -> str | None:
        """Return the slug of the project that an account pays; None if it pays no project."""
        named = nearest(account, self.projects)
        return None if named is None else self.projects[named]


def read_payees(work: UnitOfWork, cut: ReportCut, *, is_public: bool = True) -> Payees:
    """Read the titles of projects, grants and donations as they were at the cut.

    Only operators see the titles of those that are not published.

    What pays a project has the project's title, whether or not it is a grant or a donation too.
    """
    titles: dict[str, str] = {}
    projects: dict[str, str] = {}
    for name in (PROJECTS, GRANTS, DONATIONS):
        items = by_account(items_at(work, name, cut.instant, is_public=is_public))
        for account, item in items.items():
            title = str(item.read_in(cut.language)[kind_of(name).title])
            marked = mark_sample(title, sample=item.doc.get("sample") is True)
            titles.setdefault(account, marked)
            if name == PROJECTS:
                projects[account] = item.slug
    known = frozenset(record.proposal.id for record in work.proposals.all())
    return Payees(titles, projects, known)


def slug_of(account: str) -> str:
    """Return the slug of the payee of an account: the part after the parent of its kind."""
    parent = nearest(account, PAYEE_PARENTS) or account.rpartition(":")[0]
    return account.removeprefix(f"{parent}:").partition(":")[0]


def count_changemakers_at(work: UnitOfWork, cut: ReportCut) -> Changemakers:
    """Count the changemakers at the end of the period, from dated rows only.

    `is_changemaker` needs a `Pledge`, which is stored only in its present state; both apply
    `votes_until`.
    """
    first = work.zone.day_of(cut.instant) - CARD_PERIOD - GRACE
    payments: defaultdict[str, list[PledgePayment]] = defaultdict(list)
    for payment in work.reporting.pledge_payments(cut.to_date, cards_from=first):
        payments[payment.member_key].append(payment)
    histories: defaultdict[str, list[PledgeChange]] = defaultdict(list)
    for change in work.pledges.changes(until=cut.instant):
        if change.member_key in payments:
            histories[change.member_key].append(change)
    cents = [
        standing.dollars * 100
        for key, history in histories.items()
        if (standing := standing_at(history, cut.instant)) is not None
        and (
            until := votes_until(
                standing.state,
                past_due_since=standing.since,
                paid_until=paid_until(payments[key], history, zone=work.zone),
            )
        )
        is not None
        and cut.instant <= until
    ]
    return Changemakers(count=len(cents), monthly_cents=sum(cents))


def project_progress(
    work: UnitOfWork, cut: ReportCut, payees: Payees, payouts: Sequence[Payout]
) -> tuple[ProjectProgress, ...]:
    """Return the public projects at the end of the period, and other projects that were paid.

    An account is counted with one project, so that the projects add up to what was paid out.
    """
    lines = []
    items = items_at(work, PROJECTS, cut.instant)
    accounts = {str(item.doc["account"]) for item in items}
    paid = _paid_by_account(payouts, accounts, date.min)
    lately = _paid_by_account(payouts, accounts, cut.period.first)
    for item in sorted(items, key=lambda item: not item.is_namesake):  # the first gets its account
        account = item.doc["account"]
        line = _progress(item, cut)
        sums = paid.pop(account, 0), lately.pop(account, 0)
        shown = item.read_in(cut.language)
        results = measured_results(shown, paid_cents=sums[0], on=cut.period.end)
        lines.append(
            line._replace(paid_cents=sums[0], paid_in_period_cents=sums[1], results=results)
        )
    order = {item.slug: place for place, item in enumerate(items)}
    lines.sort(key=lambda line: order[line.slug])
    unlisted = [
        ProjectProgress(
            slug=slug_of(account),
            title=payees.title_of(account),
            status="Not listed",
            milestones=Progress(0, 0),
            paid_cents=cents,
            paid_in_period_cents=lately.get(account, 0),
            account=account,
        )
        for account, cents in paid.items()
        if project_slug(account)
    ]
    return (*lines, *unlisted)


def _paid_by_account(
    payouts: Sequence[Payout], accounts: Container[str], first: date
) -> dict[str, int]:
    """Sum payouts by account; one below an account of a project counts for that."""
    sums: defaultdict[str, int] = defaultdict(int)
    for payout in payouts:
        if payout.day >= first:
            sums[nearest(payout.account, accounts) or payout.account] += payout.cents
    return dict(sums)


def _progress(item: ContentItem, cut: ReportCut) -> ProjectProgress:
    title = str(item.read_in(cut.language)["title"])
    return ProjectProgress(
        slug=item.slug,
        title=mark_sample(title, sample=item.doc.get("sample") is True),
        status=item.doc["status"],
        milestones=measure_progress(milestones_of(item.doc), on=cut.period.end),
        account=item.doc["account"],
    )


def mark_sample(title: str, *, sample: bool) -> str:
    """Return the title of sample content with a mark, so that nobody takes it for real."""
    return tr("{title} (sample)", title=title) if sample else title
