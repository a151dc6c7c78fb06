"""Statements that only the operator who imported them knows of: a second operator vouches.

Their lines are booked at once. The payments that they show give no vote until another operator
has approved the import; one approval is enough for a file, and for what its lines match later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof, references_in
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import LeafType
from jara.domain.texts import count_of
from jara.records.bank import BankLine
from jara.records.operations import Approval
from jara.services.approvals import Handler, Shared, share
from jara.services.audit import record_act
from jara.services.books.imports import IMPORT
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

ACTION = "bank.vouch"


class ShownPayment(NamedTuple):
    """A payment that a line of a statement shows, and that nobody else has vouched for."""

    posted: PostedEntry
    line: BankLine


def ask_to_vouch(context: Context, work: UnitOfWork) -> list[Approval]:
    """Store that statements wait for a second operator; return the new approvals.

    Only those with payments whose vote depends on it wait, each once.
    """
    waiting = work.operations.approvals(waiting_only=True)
    asked = {one.payload[IMPORT] for one in waiting if one.action == ACTION}
    new = []
    for imported, payments in unproven_payments(work).items():
        if imported in asked or payments[0].line.is_proven:
            continue
        payload = {
            IMPORT: imported,
            "statement": payments[0].line.file,
            "payments": len(payments),
            "lines": sha256(" ".join(work.bank.lines_in(imported)).encode()).hexdigest(),
            "cents": sum(one.line.line.cents for one in payments),
        }
        approval = _share(context, work, payload)
        new += [] if approval is None else [approval]
    return new


def describe_waiting_votes(approval: Approval) -> str:
    """Return the message that the votes of the payments on a statement wait."""
    payments = count_of(int(approval.payload["payments"]), "payment")
    return (
        f"{payments} of {format_cents(int(approval.payload['cents']))} on "
        f"{approval.payload['statement']} give votes once another operator approves the "
        f"statement: jara approvals approve {approval.id}"
    )


def unproven_payments(work: UnitOfWork) -> dict[str, list[ShownPayment]]:
    """Return the payments that statements show and nobody vouched for, by import.

    A match by hand shows nothing: the line must name the payer, or be where the entry comes from.
    """
    shown: defaultdict[str, list[ShownPayment]] = defaultdict(list)
    references = {key: name for name, (_, key) in work.pledges.with_reference().items()}
    for imported, index, line in work.bank.unproven_matches():
        posted = work.journal.get(index)
        payer = references.get(posted.entry.member_key or "")
        is_own = (posted.entry.external_id or "").startswith(f"bank:{line.id}")
        if is_own or any(one == payer for one in references_in(line.line.words)):
            shown[imported].append(ShownPayment(posted, line))
    return dict(shown)


def prove_shown(work: UnitOfWork, imported: str) -> int:
    """Prove the payments that the lines of a proven import show; return how many."""
    payments = [one for one in unproven_payments(work).get(imported, []) if one.line.is_proven]
    for one in payments:
        work.payments.prove(one.posted.index, PaymentProof.STATEMENT)
    return len(payments)


def _share(context: Context, work: UnitOfWork, payload: Mapping[str, Any]) -> Approval | None:
    """Return None once enough operators have signed; then the payments are proven."""
    imported = str(payload[IMPORT])
    waiting = share(
        context,
        work,
        Shared(
            action=ACTION,
            payload=payload,
            why="a statement shows payments",
            public={},
            leaf_type=LeafType.APPROVAL,
        ),
    )
    if waiting is None:
        work.bank.prove(imported)
        proven = prove_shown(work, imported)
        record_act(context, work, ACTION, imported, facts={"payments": proven})
    return waiting


def _vouch_approved(context: Context, payload: Mapping[str, Any]) -> Approval | None:
    with context.store.write() as work:
        imported = str(payload[IMPORT])
        if imported in work.bank.undone_imports():
            raise Conflict(f"The import {imported} is undone; there is nothing to vouch for.")
        return _share(context, work, payload)


HANDLERS: Mapping[str, Handler] = {ACTION: _vouch_approved}
"""Carries out approved actions."""
