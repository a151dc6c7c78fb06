"""What the desk shows: the acts that wait, in the reader's language, and what was decided last."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from jara.domain.control.effects import roles_for
from jara.domain.control.statement import act_document
from jara.domain.errors import NotFound
from jara.domain.money import format_cents
from jara.domain.texts import Text, tr
from jara.records.operations import Approval
from jara.services.approvals import BECAUSE, WAITING, find_obstacle
from jara.services.authority import APPROVE, read_control
from jara.services.books.papers import WaitingDocument, documents_of_act, open_paper
from jara.services.books.plans import read_over
from jara.services.context import Context
from jara.services.field import repaying
from jara.services.log_keys import organisation_key
from jara.services.operations.approved_acts import (
    HANDLERS,
    count_needed,
    describe_values,
    effect_for_operators,
)
from jara.services.operations.desk import DeskOperator, find_waiting, has_signed
from jara.services.operations.effect_sentences import words_of_act
from jara.store.unit_of_work import UnitOfWork

DECIDED_SHOWN = 5

Write = Callable[[Text], str]
"""Writes a sentence in the reader's language."""


class Fact(NamedTuple):
    """A value of an act by its name."""

    name: str
    text: str


class DeskAct(NamedTuple):
    """An act as the desk shows it."""

    id: str
    action: str
    effect: str  # what it does, in one sentence
    remains: str  # what stays set aside afterwards, and what is over the plan; empty for most acts
    words: str  # the six words of its digest
    document: str  # the text whose SHA-256 is the digest that is signed
    why: str
    asked_by: str
    asked_at: datetime
    facts: list[Fact]  # its values, as the operator's command line shows them
    papers: list[WaitingDocument]  # the documents of its entry, whose hashes the text has
    needed: int  # how many people must sign it
    signed_by: list[str]  # who has, the asker first
    obstacle: str  # why it can never be done any more; empty if it may be
    may_decide: bool  # whether this operator may approve it
    hint: str  # why not; empty if they may


class DecidedAct(NamedTuple):
    """An act that was decided."""

    id: str
    effect: str
    state: str
    decided_by: str
    decided_at: datetime


class Desk(NamedTuple):
    """What waits, oldest first, and what was decided last."""

    operator: str
    waiting: list[DeskAct]
    decided: list[DecidedAct]


def read_desk(context: Context, at_desk: DeskOperator, write: Write) -> Desk:
    """Return what waits, and what was decided last, in the reader's language."""
    with context.store.read() as work:
        known = work.operations.approvals(waiting_only=False)
        decided = sorted(
            (one for one in known if one.state != WAITING and one.decided_at is not None),
            key=lambda one: one.decided_at or one.prepared_at,
            reverse=True,
        )[:DECIDED_SHOWN]
        effects = [write(effect_for_operators(work, one)) for one in decided]
    return Desk(
        at_desk.name,
        [read_act(context, at_desk, one.id, write) for one in known if one.state == WAITING],
        [
            DecidedAct(
                one.id,
                effect,
                one.state,
                one.decided_by or "",
                one.decided_at or one.prepared_at,
            )
            for one, effect in zip(decided, effects, strict=True)
        ],
    )


def read_act(context: Context, at_desk: DeskOperator, act_id: str, write: Write) -> DeskAct:
    """Return an act that waits.

    Raises:
        NotFound: there is no such act.
        ActDecided: it is decided.
    """
    waiting = find_waiting(context, act_id)
    obstacle = find_obstacle(context, waiting, HANDLERS)
    with context.store.read() as work:
        organisation = organisation_key(context, work)
        signed = work.operations.signed_for(waiting.id)
        hint = _hint(context, work, at_desk, waiting)
        return DeskAct(
            id=waiting.id,
            action=waiting.action,
            effect=write(effect_for_operators(work, waiting)),
            remains=" ".join(map(write, _outlook(work, waiting))),
            words=words_of_act(context, work, waiting),
            document=act_document(
                waiting.id, waiting.action, waiting.payload, organisation
            ).decode(),
            why=waiting.why,
            asked_by=waiting.prepared_by,
            asked_at=waiting.prepared_at,
            facts=[
                *_claim(work, waiting),
                *(Fact(*one) for one in describe_values(waiting.payload).items()),
                *(Fact(BECAUSE, one) for one in [waiting.payload.get(BECAUSE)] if one),
            ],
            papers=documents_of_act(work, waiting),
            needed=count_needed(context, work, waiting),
            signed_by=[one.operator for one in signed],
            obstacle=obstacle,
            may_decide=not hint,
            hint=write(hint),
        )


def read_paper(context: Context, act_id: str, name: str) -> tuple[str, bytes]:
    """Return the media type and the bytes of a document of an act that waits.

    Raises:
        NotFound: there is no such act, or it has no such document.
        ActDecided: it is decided.
    """
    waiting = find_waiting(context, act_id)
    with context.store.read() as work:
        for paper in documents_of_act(work, waiting):
            data = open_paper(context, work, paper.sha256)
            if paper.sha256 == name and data is not None:
                return paper.media_type, data
    raise NotFound("The act has no such document.")


def _claim(work: UnitOfWork, waiting: Approval) -> Iterator[Fact]:
    """Return whose claim an act is about, and what was bought; no signature covers the name."""
    if waiting.action in repaying.HANDLERS:
        claim = repaying.describe_claim(work, waiting.payload)
        yield from (Fact(name, str(text)) for name, text in claim.items())


def _hint(context: Context, work: UnitOfWork, at_desk: DeskOperator, waiting: Approval) -> Text:
    """Return why an operator may not approve an act."""
    control = read_control(context, work)
    if not at_desk.roles & roles_for(APPROVE):
        return tr("Your role reads only; an approver decides.")
    if has_signed(work, control, at_desk, waiting):
        return tr("You signed this already; it needs another person.")
    if not control.counting([at_desk.key.fingerprint], waiting.cents):
        return tr("This is over the limit for phones; it needs an operator with an SSH key.")
    return tr("")


def _outlook(work: UnitOfWork, waiting: Approval) -> list[Text]:
    """Return what stays set aside for a proposal after a payment, and what is over the plan."""
    proposal = waiting.payload.get("proposal")
    record = (
        work.commitments.get(proposal) if waiting.action == "projects.pay" and proposal else None
    )
    over = [one.text() for one in read_over(waiting.payload)]
    if record is None:
        return over
    left = max(0, record.commitment.held - waiting.cents)
    return [tr("{amount} stay set aside.", amount=format_cents(left)), *over]
