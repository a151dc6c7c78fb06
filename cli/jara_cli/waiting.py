"""What commands say of an act: it waits for approval, it overdrew an account, its milestone."""

from collections.abc import Sequence

import typer

from jara.documents import Document
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.approvals import describe_waiting
from jara.services.bank.vouching import describe_waiting_votes
from jara.services.books.cash import number_receipt
from jara.services.books.papers import repeated_by
from jara.services.books.payment_account import overdrawn_by
from jara.services.books.plans import over_plan_by, read_over
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.exits import ExitCode
from jara_cli.verbs import Answer


def with_waiting_votes(answer: Answer, approvals: Sequence[Approval]) -> Answer:
    """Return the answer of a command that is done, while votes wait for approvals, if any do."""
    if not approvals:
        return answer
    notes = [*answer.notes, *map(describe_waiting_votes, approvals)]
    return answer._replace(notes=notes, error=typer.Exit(ExitCode.WAITING))


def waiting(approval: Approval) -> Answer:
    """Return the approval that an action waits for, and the exit code for waiting."""
    cents, over = approval.cents, read_over(approval.payload)
    document = {"id": approval.id, "approval": approval.id, "state": approval.state, "cents": cents}
    return Answer(
        document,
        view={**document, "cents": cents or None},
        columns=[Column("approval", "Waits as"), Column("cents", "Amount", Kind.CENTS)],
        notes=[*(one.text() for one in over), describe_waiting(approval)],
        error=typer.Exit(ExitCode.WAITING),
    )


def with_number(context: Context, made: Answer) -> Answer:
    """Give a booked payment the next number of the receipt book."""
    assert isinstance(made.document, dict)  # noqa: S101 - so are those of payments
    number = number_receipt(context, str(made.document["id"]))
    notes = [*made.notes, f"Receipt {number}: write this number on the giver's receipt."]
    return made._replace(document={**made.document, "receiptNumber": number}, notes=notes)


def entry_notes(context: Context, entry_id: str) -> list[str]:
    """Return what to look at after an entry: accounts below zero or over plan, used documents."""
    overdrawn = [
        f"warning: '{account}' has {format_cents(cents)} now. If the money left another account, "
        f"reverse {entry_id} and name that account (--from, or for all payments: "
        "jara organisation set --payment-account ACCOUNT)."
        for account, cents in overdrawn_by(context, entry_id).items()
    ]
    over = [one.text() for one in over_plan_by(context, entry_id)]
    return [*overdrawn, *over, *repeated_by(context, entry_id)]


TRANCHES = (
    Column("id", "Id"),
    Column("title", "Title"),
    Column("costCents", "Cost", Kind.CENTS),
    Column("paidCents", "Paid", Kind.CENTS),
    Column("waitingCents", "Waiting", Kind.CENTS),
    Column("leftCents", "Left", Kind.CENTS),
)
_KEYS = ("cost", "paid", "waiting", "left")


def say_tranche(tranche: Document) -> str:
    """Return what was paid for a milestone, what waits for approval, and what is left."""
    cost, paid, waits, left = (format_cents(tranche[f"{key}Cents"]) for key in _KEYS)
    waiting = f", {waits} wait" if tranche["waitingCents"] else ""
    return f"{paid} of {cost} paid{waiting}, {left} left"
