"""Payments that only the operator who booked them knows of: a second operator vouches for them.

They are contributions at once, and give their payer no vote until then. A line of a bank
statement, or the payment provider, vouches for a payment too.
"""

from collections.abc import Mapping

from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.publiclog.leaves import LeafType
from jara.records.operations import Approval
from jara.records.payments import PaymentRecord
from jara.services.approvals import Handler, Shared, require_not_waiting, share
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.payments.listing import find_payment
from jara.store.unit_of_work import UnitOfWork

ACTION = "payments.vouch"
ENTRY = "entry"
"""Payload key: the id of the payment's entry."""


def vouch(context: Context, text: str, *, why: str = "") -> PaymentRecord | Approval:
    """Vouch for a payment; its vote waits until another operator has approved.

    `text` is the charge's id, or the id of the payment's entry or a prefix of it; the reason is
    shown to the other operators.

    Raises:
        NotFound: no payment has that id.
        Conflict: it needs nobody to vouch for it, or waits for approval already.
    """
    with context.store.write() as work:
        payment = find_payment(work, text)
        if payment.proof is not PaymentProof.NONE:
            raise Conflict(f"The payment '{text}' needs nobody to vouch for it.")
        waiting = ask_to_vouch(context, work, payment, why=why)
        return waiting or payment


def ask_to_vouch(
    context: Context, work: UnitOfWork, payment: PaymentRecord, *, why: str = ""
) -> Approval | None:
    """Store that a payment waits for a second operator; None once enough have signed.

    Raises:
        Conflict: it waits already.
    """
    entry = work.journal.get(payment.index).id
    if context.approved is None:
        require_not_waiting(work, ACTION, {ENTRY: entry}, entry)
    waiting = share(
        context,
        work,
        Shared(
            action=ACTION,
            payload={ENTRY: entry, "cents": payment.cents, "why": why},
            why=why,
            public={},
            leaf_type=LeafType.APPROVAL,
        ),
    )
    if waiting is None:
        work.payments.prove(payment.index, PaymentProof.OPERATORS)
        record_act(context, work, ACTION, entry, why=why, facts={"cents": payment.cents})
    return waiting


def describe_waiting_vote(approval: Approval) -> str:
    """Return the message that the vote of a booked payment waits."""
    return (
        "The payment is booked. It gives a vote once a bank statement shows it, or another "
        f"operator approves: jara approvals approve {approval.id}"
    )


HANDLERS: Mapping[str, Handler] = {
    ACTION: lambda context, payload: vouch(context, payload[ENTRY], why=payload["why"])
}
