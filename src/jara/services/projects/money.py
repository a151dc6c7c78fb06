"""The money of a project after its vote: commitment, payouts, milestones.

Every amount comes from the ledger: a project's payouts add up to the balance of its account, and
the payouts for a proposal to the paid amount of its commitment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jara.domain.books.foreign import foreign_document, sum_document, sum_foreign
from jara.domain.content.schema import milestones_of
from jara.domain.projects import share_payments
from jara.records.content import ContentItem
from jara.records.journal import RegisterLine
from jara.store.unit_of_work import UnitOfWork

Document = dict[str, Any]


def list_payouts(work: UnitOfWork, lines: Iterable[RegisterLine]) -> list[Document]:
    """Return the payouts through an account, oldest first; returned money is negative.

    The result is public, so it contains no text written by an operator.
    """
    payouts = []
    for line in lines:
        entry = line.posted.entry
        record = None if entry.reference is None else work.proposals.get(entry.reference)
        public = record is not None and record.proposal.is_public
        payout: Document = {
            "entry": line.posted.id,
            "index": line.posted.index,
            "date": entry.day.isoformat(),
            "cents": line.cents,
            "proposal": record.proposal.slug if record is not None and public else None,
        }
        if entry.foreign is not None:
            payout["foreign"] = foreign_document(entry.foreign, line.cents)
        payouts.append(payout)
    return payouts


def sum_abroad(lines: Iterable[RegisterLine]) -> list[Document]:
    """Return the sums paid through an account in other currencies, in both currencies."""
    payments = ((line.posted.entry.foreign, line.cents) for line in lines)
    return [sum_document(total) for total in sum_foreign(payments)]


def show_commitment(work: UnitOfWork, proposal: str | None) -> Document | None:
    """Return a proposal's commitment and how much of it is used; None before it passed.

    Goal = held + paid + released + queued, unless a payee returned more than it had cost.
    """
    record = work.commitments.get(proposal) if proposal else None
    if record is None:
        return None
    commitment = record.commitment
    settled = commitment.held + commitment.paid + commitment.released
    return {
        "goalCents": commitment.goal,
        "heldCents": commitment.held,
        "paidCents": commitment.paid,
        "releasedCents": commitment.released,
        "queuedCents": max(0, commitment.goal - settled),
    }


def show_milestones(item: ContentItem, paid_cents: int) -> list[Document]:
    """Return a project's milestones with the money paid for each, and its evidence with hashes."""
    shares = share_payments(milestones_of(item.doc), paid_cents)
    return [
        {**milestone, "paidCents": share, "evidence": _evidence(milestone)}
        for milestone, share in zip(item.doc.get("milestones", ()), shares, strict=True)
    ]


def _evidence(milestone: Mapping[str, Any]) -> list[Document]:
    """Return the documents and photos that show a step was reached.

    Files of the media folder and of the bundled samples are named by the SHA-256 of their bytes,
    so that anyone who downloads one can check that it is unchanged.
    """
    kept = [
        (path, key == "images") for key in ("images", "evidence") for path in milestone.get(key, ())
    ]
    return [
        {"path": path, "sha256": sha256, "isImage": is_image}
        for path, is_image in kept
        if (sha256 := _hash_of(path)) is not None
    ]


def _hash_of(path: str) -> str | None:
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0] if folder in {"/media", "/samples"} else None
