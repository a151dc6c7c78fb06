"""The money of a project's milestones: what each costs, what was paid, what waits for approval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from jara.documents import Document
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import milestones_of
from jara.domain.errors import Conflict
from jara.domain.money import format_cents
from jara.domain.projects import (
    Milestone,
    require_unlocked,
    share_payments,
    unlocked_cents,
)
from jara.records.content import ContentItem
from jara.records.journal import RegisterLine
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

PAY_ACTION = "projects.pay"
PAYEE, SLUG, CENTS, MILESTONE = "payee", "slug", "cents", "milestone"
"""Keys of a payment that waits for approval."""
_UNNAMED = ""


class Tranche(NamedTuple):
    """The money of a milestone, in cents."""

    milestone: Milestone
    paid_cents: int
    waiting_cents: int

    @property
    def left_cents(self) -> int:
        """What may still be paid for it."""
        return max(0, self.milestone.cost_cents - self.paid_cents - self.waiting_cents)


def read_tranches(
    work: UnitOfWork, item: ContentItem, lines: Iterable[RegisterLine] | None = None
) -> tuple[Tranche, ...]:
    """Return the money of each milestone; a payment that names none pays the first unpaid ones.

    Args:
        lines: the register of its account, if it was read already.
    """
    paid, waiting = _paid(work, item, lines), _waiting(work, item)
    milestones = milestones_of(item.doc)
    shares = _shares(milestones, paid)
    with_waiting = _shares(milestones, paid + waiting)
    return tuple(
        Tranche(milestone, share, share_then - share)
        for milestone, share, share_then in zip(milestones, shares, with_waiting, strict=True)
    )


def require_payable(
    work: UnitOfWork,
    item: ContentItem,
    cents: int,
    milestone: str | None,
    *,
    is_approved: bool = False,
) -> None:
    """Require that milestones unlock a payment, and that it is within the one it names.

    Args:
        milestone: the id of the milestone it pays; None if it names none.
        is_approved: whether it waited; those that still wait then do not count.

    Raises:
        NotFound: there is no such milestone.
        Conflict: an earlier milestone is not complete, or less is left.
    """
    paid, milestones = _paid(work, item), milestones_of(item.doc)
    waiting = Counter[str]() if is_approved else _waiting(work, item)
    if milestone is not None:
        wanted = require_unlocked(milestones, milestone)
        place = milestones.index(wanted)
        used = _shares(milestones, paid)[place]
        waits = _shares(milestones, paid + waiting)[place] - used
        if used + waits + cents > wanted.cost_cents:
            raise Conflict(
                f"The tranche of '{wanted.title}' is {format_cents(wanted.cost_cents)}"
                f"{_used(used, waits)}; {format_cents(cents)} was requested."
            )
    unlocked = unlocked_cents(milestones)
    if unlocked is not None and paid.total() + waiting.total() + cents > unlocked:
        raise Conflict(
            f"The milestones of '{item.slug}' unlock {format_cents(unlocked)} so far"
            f"{_used(paid.total(), waiting.total())}; {format_cents(cents)} was requested."
        )


def list_tranches(context: Context, project: str) -> list[Document]:
    """Return the money of each milestone of a project, by its id or slug, for operators.

    Raises:
        NotFound: there is no such project.
    """
    with context.store.read() as work:
        tranches = read_tranches(work, work.content.find(PROJECTS, project))
    return [tranche_document(tranche) for tranche in tranches]


def tranche_document(tranche: Tranche) -> Document:
    """Return the money of a milestone for operators."""
    milestone = tranche.milestone
    return {
        "id": milestone.id,
        "title": milestone.title,
        "completed": milestone.completed,
        "costCents": milestone.cost_cents,
        "paidCents": tranche.paid_cents,
        "waitingCents": tranche.waiting_cents,
        "leftCents": tranche.left_cents,
    }


def milestone_of(payload: Mapping[str, object]) -> str | None:
    """Return the milestone of a payment that waits."""
    return str(payload[MILESTONE]) if MILESTONE in payload else None


def _shares(milestones: tuple[Milestone, ...], by_milestone: Counter[str]) -> tuple[int, ...]:
    named = {one.id: by_milestone[one.id] for one in milestones}
    return share_payments(milestones, by_milestone.total() - sum(named.values()), named)


def _paid(
    work: UnitOfWork, item: ContentItem, lines: Iterable[RegisterLine] | None = None
) -> Counter[str]:
    """Sum the payments, less what came back, by milestone."""
    if lines is None:
        lines = work.journal.register(str(item.doc["account"]), first_day=None, last_day=None)
    payments: dict[int, int] = {}
    moved: Counter[int] = Counter()
    for line in lines:
        entry, index = line.posted.entry, line.posted.index
        about = entry.reverses if entry.of is None else entry.of
        payments[index] = index if about is None else payments.get(about, about)
        moved[payments[index]] += line.cents
    named = work.commitments.tranches(moved)
    sums: Counter[str] = Counter()
    for index, cents in moved.items():
        sums[named.get(index, _UNNAMED)] += cents
    return sums


def _waiting(work: UnitOfWork, item: ContentItem) -> Counter[str]:
    """Sum the payments that wait for approval, by milestone."""
    sums: Counter[str] = Counter()
    for approval in work.operations.approvals(waiting_only=True):
        payload = approval.payload
        if approval.action == PAY_ACTION and (payload.get(PAYEE), payload.get(SLUG)) == (
            "projects",
            item.slug,
        ):
            sums[milestone_of(payload) or _UNNAMED] += payload[CENTS]
    return sums


def _used(paid_cents: int, waiting_cents: int) -> str:
    parts = [
        *([f"{format_cents(paid_cents)} are paid"] if paid_cents else []),
        *([f"{format_cents(waiting_cents)} wait for approval"] if waiting_cents else []),
    ]
    return f", of which {' and '.join(parts)}" if parts else ""
