"""The money of a project's milestones at the terminal."""

from __future__ import annotations

from jara.documents import Document
from jara.domain.money import format_cents
from jara_cli.columns import Column, Kind

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
