"""Statements that only the operator who imported them knows of: a second operator vouches.

Their lines are booked at once. The payments that they show give no vote until another operator
has approved the import; one approval is enough for a file, and for what its lines match later.

A line may not say who paid: an operator said it by hand, or earlier for lines of the same sender.
Such payments are listed in the approval one by one, and the senders too. A signed sender needs no
other signature than that of a statement; a later word of one operator needs one of its own.
"""

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256
from shlex import quote
from typing import Any, NamedTuple

from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof, references_in
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import LeafType
from jara.domain.texts import count_of
from jara.records.bank import BankLine
from jara.records.operations import Approval
from jara.services.approvals import Handler, Shared, refuse_within, share
from jara.services.audit import record_act
from jara.services.bank.senders import BY_HAND, SIGNED_SENDERS, VOUCH_ACTION, signed_senders
from jara.services.books.imports import IMPORT
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

ACTION = VOUCH_ACTION
STATEMENT = "statement"
"""Payload key: the name of the file."""
SAID = "said"
"""Payload key: the ids of the payments whose payer an operator said."""


class ShownPayment(NamedTuple):
    """A payment that a line of a statement shows, and that nobody else has vouched for."""

    posted: PostedEntry
    line: BankLine
    sender: str = ""  # the digest of the sender, if the line does not name the payer; else empty


def ask_to_vouch(context: Context, work: UnitOfWork) -> list[Approval]:
    """Store that statements wait for a second operator; return the new approvals.

    Only those with payments whose vote depends on it wait, each once.
    """
    waiting = work.operations.approvals(waiting_only=True)
    asked = {one.payload[IMPORT]: one for one in waiting if one.action == ACTION}
    signed = signed_senders(work)
    new = []
    for imported, payments in unproven_payments(work).items():
        is_signed = payments[0].line.is_proven
        # Of a signed sender too, if the statement was signed before: its approval was refused.
        said = [one for one in payments if one.sender and (is_signed or one.sender not in signed)]
        if is_signed and not said:
            continue
        before = asked.get(imported)
        if before is not None and {one.posted.id for one in said} <= {
            *before.payload.get(SAID, ())
        }:
            continue
        payload = {
            IMPORT: imported,
            STATEMENT: payments[0].line.file,
            "payments": len(payments),
            "lines": sha256(" ".join(work.bank.lines_in(imported)).encode()).hexdigest(),
            "cents": sum(cents_of(one) for one in payments),
            SAID: sorted(one.posted.id for one in said),
            SIGNED_SENDERS: sorted({one.sender for one in said} - {BY_HAND}),
        }
        approval = _share(context, work, payload)
        new += [] if approval is None else [approval]
        if before is not None:
            refuse_within(context, work, before, why="a newer one takes its place")
    return new


def cents_of(shown: ShownPayment) -> int:
    """Return what the payment is, which may be a part of its line."""
    return sum(p.cents for p in shown.posted.entry.postings if p.cents > 0)


def describe_waiting_votes(approval: Approval) -> str:
    """Return the message that the votes of the payments on a statement wait."""
    payments = count_of(int(approval.payload["payments"]), "payment")
    file = quote(str(approval.payload[STATEMENT]))
    return (
        f"The votes of {payments} on {approval.payload['statement']} "
        f"({format_cents(int(approval.payload['cents']))} in all) wait until another operator "
        f"approves the statement: jara approvals approve --all-of {file}"
    )


def unproven_payments(work: UnitOfWork) -> dict[str, list[ShownPayment]]:
    """Return the payments that statements show and nobody vouched for, by import.

    A match with an entry by hand shows nothing: the line must name the payer, or be where the entry
    comes from, or a sender's.
    """
    shown: defaultdict[str, list[ShownPayment]] = defaultdict(list)
    references = {key: name for name, (_, key) in work.pledges.with_reference().items()}
    for imported, index, sender, line in work.bank.unproven_matches():
        posted = work.journal.get(index)
        payer = references.get(posted.entry.member_key or "")
        is_own = (posted.entry.external_id or "").startswith(f"bank:{line.id}")
        if sender or is_own or any(one == payer for one in references_in(line.line.words)):
            shown[imported].append(ShownPayment(posted, line, sender))
    return dict(shown)


def _prove_shown(work: UnitOfWork, payload: Mapping[str, Any]) -> int:
    """Prove the payments that a signed import shows, and those that its approval lists."""
    signed = signed_senders(work) | {"", *payload.get(SIGNED_SENDERS, ())}
    said = frozenset(payload.get(SAID, ()))
    shown = unproven_payments(work).get(str(payload[IMPORT]), [])
    payments = [one for one in shown if one.sender in signed or one.posted.id in said]
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
        proven = _prove_shown(work, payload)
        record_act(context, work, ACTION, imported, facts={"payments": proven})
    return waiting


def _vouch_approved(context: Context, payload: Mapping[str, Any]) -> Approval | None:
    with context.store.write() as work:
        imported = str(payload[IMPORT])
        if imported in work.bank.undone_imports():
            raise Conflict(f"The import {imported} is undone; there is nothing to vouch for.")
        return _share(context, work, payload)


HANDLERS: Mapping[str, Handler] = {ACTION: _vouch_approved}
