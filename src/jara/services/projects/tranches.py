"""The money of a project: commitment, payouts, and the tranche of each milestone.

Every amount comes from the ledger: a project's payouts add up to the balance of its account, and
the payouts for a proposal to the paid amount of its commitment.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NamedTuple

from jara.documents import OPTIONAL, Document, to_document
from jara.domain.books.foreign import ForeignAmount, ForeignSum, public_amount, sum_foreign
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import milestones_of
from jara.domain.errors import Conflict
from jara.domain.money import format_cents
from jara.domain.projects import Milestone, require_unlocked, share_payments, unlocked_cents
from jara.records.content import ContentItem
from jara.records.journal import RegisterLine
from jara.services.books.commitments import Release, releases_of
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

    `lines` are the register of its account, if it was read already.
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

    `milestone` is the id of the one it pays; None if it names none. With `is_approved` it waited;
    those that still wait then do not count.

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


@dataclass(frozen=True, slots=True)
class ProjectPayout:
    """A payment to a project in the books; negative if it was returned."""

    entry: str
    index: int
    date: date
    cents: int
    proposal: str | None
    milestone: str | None
    foreign: Annotated[ForeignAmount | None, OPTIONAL]


class ProjectCommitment(NamedTuple):
    """The money that a passed vote committed, and what became of it."""

    goal_cents: int
    held_cents: int
    paid_cents: int
    released_cents: int
    queued_cents: int
    releases: tuple[Release, ...]


class Evidence(NamedTuple):
    """A photo or document that shows a milestone was reached, named by the hash of its bytes."""

    path: str
    sha256: str
    is_image: bool


class MilestoneMoney(NamedTuple):
    """What was paid for a milestone, what is left of its cost, and its evidence."""

    paid_cents: int
    left_cents: int
    evidence: tuple[Evidence, ...]


def list_payouts(work: UnitOfWork, lines: Iterable[RegisterLine]) -> list[ProjectPayout]:
    """Return the payouts through an account, oldest first; returned money is negative.

    The result is public, so it contains no text written by an operator.
    """
    payouts = []
    lines = list(lines)
    tranches = work.commitments.tranches([line.posted.index for line in lines])
    for line in lines:
        entry = line.posted.entry
        record = None if entry.reference is None else work.proposals.get(entry.reference)
        public = record is not None and record.proposal.is_public
        payouts.append(
            ProjectPayout(
                entry=line.posted.id,
                index=line.posted.index,
                date=entry.day,
                cents=line.cents,
                proposal=record.proposal.slug if record is not None and public else None,
                milestone=tranches.get(line.posted.index),
                foreign=public_amount(entry.foreign, line.cents),
            )
        )
    return payouts


def sum_abroad(lines: Iterable[RegisterLine]) -> tuple[ForeignSum, ...]:
    """Return the sums paid through an account in other currencies, in both currencies."""
    return sum_foreign((line.posted.entry.foreign, line.cents) for line in lines)


def show_commitment(work: UnitOfWork, proposal: str | None) -> ProjectCommitment | None:
    """Return a proposal's commitment and how much of it is used; None before it passed.

    Goal = held + paid + released + queued, unless a payee returned more than it had cost.
    """
    record = work.commitments.get(proposal) if proposal else None
    if record is None:
        return None
    commitment = record.commitment
    settled = commitment.held + commitment.paid + commitment.released
    return ProjectCommitment(
        goal_cents=commitment.goal,
        held_cents=commitment.held,
        paid_cents=commitment.paid,
        released_cents=commitment.released,
        queued_cents=max(0, commitment.goal - settled),
        releases=releases_of(work, commitment.proposal),
    )


def show_milestones(
    work: UnitOfWork,
    item: ContentItem,
    lines: Iterable[RegisterLine],
    milestones: Iterable[Document],
) -> list[Document]:
    """Return a project's milestones with their money, and their evidence with hashes.

    Payments that wait for approval are not public, so they do not count. `lines` are the register
    of its account; the milestones are as the reader sees them.
    """
    return [
        {**milestone, **to_document(_public(tranche, milestone))}
        for milestone, tranche in zip(milestones, read_tranches(work, item, lines), strict=True)
    ]


def _public(tranche: Tranche, milestone: Mapping[str, Any]) -> MilestoneMoney:
    left = max(0, tranche.milestone.cost_cents - tranche.paid_cents)
    return MilestoneMoney(tranche.paid_cents, left, list_evidence(milestone))


def list_evidence(milestone: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the documents and photos that show a step was reached.

    Files of the media folder and of the bundled samples are named by the SHA-256 of their bytes,
    so that anyone who downloads one can check that it is unchanged.
    """
    return tuple(
        Evidence(path, sha256, is_image=key == "images")
        for key in ("images", "evidence")
        for path in milestone.get(key, ())
        if (sha256 := _hash_of(path)) is not None
    )


def _hash_of(path: str) -> str | None:
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0] if folder in {"/media", "/samples"} else None
