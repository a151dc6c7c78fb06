"""The money of a project after its vote: commitment, payouts, milestones.

Every amount comes from the ledger: a project's payouts add up to the balance of its account, and
the payouts for a proposal to the paid amount of its commitment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NamedTuple

from jara.documents import OPTIONAL, Document, to_document
from jara.domain.books.foreign import ForeignAmount, ForeignSum, public_amount, sum_foreign
from jara.records.content import ContentItem
from jara.records.journal import RegisterLine
from jara.services.books.commitments import Release, releases_of
from jara.services.projects.tranches import Tranche, read_tranches
from jara.store.unit_of_work import UnitOfWork


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

    Payments that wait for approval are not public, so they do not count.

    Args:
        lines: the register of its account.
        milestones: its milestones as the reader sees them.
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
