"""Acts that may wait for a second operator: what approvers see, and the handlers."""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from jara.documents import to_document, to_json
from jara.domain.books.account import BANK
from jara.domain.books.foreign import public_amount
from jara.domain.content.kinds import PROJECTS
from jara.domain.control.effects import ACTS
from jara.domain.control.ssh import armour, parse_public_key, signing_key
from jara.domain.control.state import ADD_ACTION, REMOVE_ACTION
from jara.domain.control.ways_in import WAYS_ACTION
from jara.domain.errors import NotFound
from jara.domain.money import format_cents
from jara.domain.texts import Text
from jara.domain.voting.tally import passes_words, read_rule
from jara.records.operations import Approval
from jara.services import content, ways_in
from jara.services.approvals import (
    SALT,
    Handler,
    find_approval,
    find_obstacle,
    list_approvals,
    people_needed,
)
from jara.services.bank import vouching as bank_vouching
from jara.services.books import bank_charges, bookkeeping, commitments, papers, policies
from jara.services.books.bookkeeping import POST_ACTION, REVERSE_ACTION
from jara.services.books.entry_documents import read_foreign
from jara.services.books.imports import IMPORT, UNDO_ACTION
from jara.services.books.payment_account import PAID_FROM
from jara.services.books.plans import read_over
from jara.services.context import Context
from jara.services.field import repaying
from jara.services.giving import deaths, pledging
from jara.services.legal import changing as legal
from jara.services.members import address_changes
from jara.services.members import operators as member_acts
from jara.services.members.address_changes import MEMBER
from jara.services.news import announcing
from jara.services.operations import control, import_undo, operators, years
from jara.services.operations.effect_sentences import effect_of, words_of_act
from jara.services.operations.import_undo import import_of, list_imports
from jara.services.payments import refunding, vouching
from jara.services.payments.listing import payer_of
from jara.services.projects import disbursing, tranches
from jara.services.proposals import lifecycle, vote_rules
from jara.services.reports.spending import entries_of_approvals
from jara.store.unit_of_work import UnitOfWork

Document = dict[str, Any]


def show_approval(context: Context, text: str) -> Document:
    """Return an approval with its effects, as a JSON document.

    Raises:
        NotFound: there is no such approval.
        Conflict: several ids match.
    """
    with context.store.read() as work:
        approval = find_approval(work, text)
        signed = [
            {"operator": one.operator, "key": one.key, "at": one.at}
            for one in work.operations.signed_for(approval.id)
        ]
        details = {
            **_document_of(work, approval),
            "effect": effect_for_operators(work, approval),
            "words": words_of_act(context, work, approval),
            "needed": count_needed(context, work, approval),
            "signatures": signed,
            "overPlan": [one.text() for one in read_over(approval.payload)],
            **_describe(work, approval),
            **_describe_person(work, approval.payload),
            "documents": [to_document(one) for one in papers.documents_of_act(work, approval)],
        }
    return {**details, "impossible": find_obstacle(context, approval, HANDLERS)}


def effect_for_operators(work: UnitOfWork, approval: Approval) -> Text:
    """Return what an act does, in one sentence; a refund with the payer, which emails leave out."""
    return effect_of(approval, payer=_payer_of(work, approval)).text()


def _payer_of(work: UnitOfWork, approval: Approval) -> str:
    """Return who gets a refund; empty for other acts."""
    is_refund = approval.action == refunding.ACTION
    return payer_of(work, approval.payload["charge"]) if is_refund else ""


def count_needed(context: Context, work: UnitOfWork, approval: Approval) -> int:
    """Return how many people must sign an act; 0 for an act of an earlier version."""
    is_known = approval.action in ACTS
    return people_needed(context, work, approval.action) if is_known else 0


class MadeSignature(NamedTuple):
    """A signature of an act, as other programs check it."""

    operator: str
    key: str  # the public key, as a line of `authorized_keys`
    fingerprint: str
    statement: str  # the exact text that is signed
    signature: str  # the SSH signature, armoured


def list_signatures(context: Context, text: str) -> list[MadeSignature]:
    """Return the signatures of an act so far, oldest first.

    Raises:
        NotFound: there is no such approval.
        Conflict: several ids match.
    """
    with context.store.read() as work:
        rows = work.operations.signed_for(find_approval(work, text).id)
    made = [(row, b64decode(row.signature)) for row in rows]
    return [
        MadeSignature(row.operator, signing_key(data).text(), row.key, row.statement, armour(data))
        for row, data in made
    ]


def show_statement(context: Context, text: str) -> list[Document]:
    """Return the waiting approvals of the payments on a statement, and of those on its days.

    These are the approval of the statement, and those of cash, cheques and other payments that an
    operator received on the days that it covers. `text` is the name of the statement's file, or the
    beginning of its import's id.

    Raises:
        NotFound: there is no such statement, or nothing waits for it.
    """
    imports = {
        one.id: one.file
        for one in list_imports(context)
        if one.lines and (one.file == text or one.id.startswith(text))
    }
    if not imports:
        raise NotFound(f"There is no statement '{text}'; see `jara ledger imports`.")
    with context.store.read() as work:
        spans = [span for one in imports if (span := work.bank.days_of(one)) is not None]
        found = [
            one.id
            for one in work.operations.approvals(waiting_only=True)
            if (one.action == bank_vouching.ACTION and one.payload[IMPORT] in imports)
            or (one.action == vouching.ACTION and _is_within(work, one, spans))
        ]
    if not found:
        raise NotFound(f"Nothing waits for the statement '{text}'; see `jara approvals list`.")
    return [show_approval(context, one) for one in found]


def _is_within(work: UnitOfWork, approval: Approval, spans: Sequence[tuple[date, date]]) -> bool:
    payment = work.payments.by_index(work.journal.find(approval.payload[vouching.ENTRY]).index)
    day = None if payment is None else payment.day
    return day is not None and any(first <= day <= last for first, last in spans)


def approval_document(approval: Approval) -> Document:
    """Return an approval for the list, with a short description."""
    return {
        "id": approval.id,
        "action": approval.action,
        "about": _about(approval),
        "cents": approval.cents,
        **to_document(approval, omit=("id", "action", "payload"), instant=lambda at: at),
        "payload": {key: value for key, value in approval.payload.items() if key != SALT},
    }


def list_approval_documents(context: Context, *, include_decided: bool = False) -> list[Document]:
    """Return the waiting approvals for the list, oldest first; optionally the decided ones too.

    `impossible` says why a waiting act can never be done.
    """
    approvals = list_approvals(context, include_decided=include_decided)
    with context.store.read() as work:
        documents = [_document_of(work, one) for one in approvals]
        booked = entries_of_approvals(context, work, approvals)
    return [
        {
            **document,
            "date": _day_of(one),
            "entries": [posted.id for posted in booked.get(one.id, ())],
            "impossible": find_obstacle(context, one, HANDLERS),
        }
        for document, one in zip(documents, approvals, strict=True)
    ]


def _day_of(approval: Approval) -> str | None:
    """Return the day that an act is booked on; None for that of its approval."""
    day = approval.payload.get("day") or approval.payload.get("date")
    return None if day is None else str(day)


_NAMED_BY = {
    tranches.PAY_ACTION: "slug",
    refunding.ACTION: "charge",
    vouching.ACTION: vouching.ENTRY,
    bank_vouching.ACTION: "statement",
    ADD_ACTION: "name",
    REMOVE_ACTION: "name",
}
"""What names each of these acts in a list."""


def _document_of(work: UnitOfWork, approval: Approval) -> Document:
    """Return an approval for the list; the payment that it is about with its payer."""
    is_payment = approval.action == vouching.ACTION
    payer = _about_payment(work, approval) if is_payment else _payer_of(work, approval)
    return approval_document(approval) | ({"about": payer} if payer else {})


def _about_payment(work: UnitOfWork, approval: Approval) -> str:
    """Return who paid, how and when."""
    shown = _describe_vouched(work, approval.payload)
    parts = (shown["payer"] or approval.payload[vouching.ENTRY], shown["way"], shown["date"])
    return ", ".join(str(part) for part in parts if part)


def _about(approval: Approval) -> str:
    """Return a short description: the payee, or what is changed."""
    payload = approval.payload
    if approval.action in _NAMED_BY:
        return str(payload[_NAMED_BY[approval.action]])
    match approval.action:
        case vote_rules.ACTION:
            return f"{passes_words(read_rule(payload['rule']))}, from {payload['from']}"
        case action if action in {POST_ACTION, legal.VALUES_ACTION}:
            return effect_of(approval).what
        case action if action == WAYS_ACTION:
            return f"{payload['way']}: {ways_in.describe_way(payload['value']) or 'none'}"
        case _:
            plain = {key: one for key, one in payload.items() if isinstance(one, int | str)}
            return ", ".join(f"{name} {text}" for name, text in describe_values(plain).items())


_ON_APPROVAL = "the day of the approval"
_UNSET = {"date": _ON_APPROVAL, "day": _ON_APPROVAL, "part_cents": "all that is left"}
"""What values mean that are not set; of others it is none."""
_NOT_SHOWN = bookkeeping.OF_ACT | {"why", "wish"}


def describe_values(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of an act by readable name: amounts and words as people write them."""
    shown = {key: value for key, value in payload.items() if key not in _NOT_SHOWN}
    return {_name(key): _words(key, value) for key, value in shown.items()}


def _name(key: str) -> str:
    """Return a key in words: both `fee_cents` and `feeCents` are ``fee``."""
    plain = key.removesuffix("_cents").removesuffix("Cents").replace("_", " ")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).lower()


def _words(key: str, value: object) -> str:
    match value:
        case None:
            return _UNSET.get(key, "none")
        case bool():
            return "yes" if value else "no"
        case int() if key.endswith(("_cents", "Cents")):
            return format_cents(value)
        case [str(account), int(cents)]:
            return f"{account} {format_cents(cents)}"
        case list():
            return ", ".join(_words(key, one) for one in value) or "none"
        case dict():
            parts = (
                f"{_name(one)} {_words(one, part)}" for one, part in value.items() if part != ""
            )
            return ", ".join(parts) or "none"
        case _:
            return str(value)


def _describe(work: UnitOfWork, approval: Approval) -> Document:
    payload = approval.payload
    match approval.action:
        case action if action == tranches.PAY_ACTION:
            return _describe_payment(work, payload)
        case action if action == POST_ACTION:
            return {"postings": list(payload["postings"]), "date": payload["date"]}
        case action if action == REVERSE_ACTION:
            undone = work.journal.find(payload["entry"]).entry
            rows = [to_document(replace(one, cents=-one.cents)) for one in undone.postings]
            return {"postings": rows, "date": payload["date"]}
        case action if action == UNDO_ACTION:
            file_import = import_of(work, payload[IMPORT])
            return {
                "entries": file_import.left,
                "bankLines": file_import.lines,
                "statement": file_import.file,
            }
        case action if action in _VOUCHED:
            return _VOUCHED[action](work, payload)
        case vote_rules.ACTION:
            return {"from": payload["from"], "rule": passes_words(read_rule(payload["rule"]))}
        case action if action == ADD_ACTION:
            key = parse_public_key(payload["publicKey"])
            return {"key": key.fingerprint, "kind": key.kind, "roles": payload["roles"]}
        case _:
            return {}


def _describe_person(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return whom an act for a member concerns."""
    person = work.members.get(payload.get(MEMBER, ""))
    return {} if person is None else {"person": person.mailbox}


def _describe_payment(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return payee, postings, the proposal with its result, and the project's evidence."""
    account = f"expenses:{payload['payee']}:{payload['slug']}"
    fund = "committed" if payload["proposal"] else "projects"
    document: Document = {
        "payee": payload["slug"],
        "date": payload["day"],
        "foreign": _describe_foreign(payload),
        "bankChargeCents": payload.get("bankChargeCents", 0),
        "postings": [
            {"account": account, "fund": fund, "cents": payload["cents"]},
            {"account": payload.get(PAID_FROM, BANK), "fund": fund, "cents": -payload["cents"]},
        ],
    }
    if payload["proposal"]:
        document["proposal"] = _describe_proposal(work, payload["proposal"])
        document |= _describe_project(work, payload, account)
    return document


def _describe_vouched(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return who is said to have paid, how and when."""
    posted = work.journal.find(payload[vouching.ENTRY])
    payment = work.payments.by_index(posted.index)
    payer = work.members.by_key(posted.entry.member_key or "")
    name = "" if payer is None else payer.mailbox
    day = posted.entry.day if payment is None else payment.day
    way = None if payment is None else payment.way
    row = {"payer": name, "date": day, "cents": payload["cents"], "text": way.phrase if way else ""}
    return {"payer": name, "way": way and way.value, "date": day, "payers": [row]}


def _describe_changed(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return whose address an operator changed, and the addresses before."""
    member_id = payload[address_changes.MEMBER]
    member, changes = work.members.get(member_id), work.address_changes.waiting(member_id)
    return {
        "member": "" if member is None else member.mailbox,
        "before": [change.email for change in changes],
    }


def _describe_shown(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return who paid by a statement: what to compare with the bank."""
    payments = bank_vouching.unproven_payments(work).get(payload[IMPORT], [])
    payers = [
        {
            "payer": "" if payer is None else payer.mailbox,
            "date": one.line.line.day,
            "cents": bank_vouching.cents_of(one),
            "text": one.line.line.text or one.line.line.party,
        }
        for one in payments
        for payer in [work.members.by_key(one.posted.entry.member_key or "")]
    ]
    return {"payers": payers}


_VOUCHED: Mapping[str, Callable[[UnitOfWork, Mapping[str, Any]], Document]] = {
    vouching.ACTION: _describe_vouched,
    address_changes.ACTION: _describe_changed,
    bank_vouching.ACTION: _describe_shown,
    **dict.fromkeys(repaying.HANDLERS, repaying.describe_claim),
}
"""What an operator says, and another one is asked to confirm."""


def _describe_foreign(payload: Mapping[str, Any]) -> Document | None:
    """Return the payment in the payee's currency, with the source of the rate."""
    if payload["foreign"] is None:
        return None
    foreign = read_foreign(payload["foreign"])
    amount = public_amount(foreign, payload["cents"])
    return {**to_document(amount), "source": foreign.source}


def _describe_proposal(work: UnitOfWork, name: str) -> Document:
    record = work.proposals.find(name)
    yes, no, _void = work.ballots.counts(record.proposal.id)
    commitment = work.commitments.get(record.proposal.id)
    return {
        "id": record.proposal.id,
        "title": record.proposal.title,
        "status": record.proposal.status.value,
        "yes": yes,
        "no": no,
        "roll": record.roll_size,
        "heldCents": commitment.commitment.held if commitment is not None else 0,
    }


def _describe_project(work: UnitOfWork, payload: Mapping[str, Any], account: str) -> Document:
    """Return the project with what was paid, waits and is left of each milestone."""
    try:
        item = work.content.find(PROJECTS, payload[tranches.SLUG])
    except NotFound:
        return {"milestones": []}
    lines = list(work.journal.register(account, first_day=None, last_day=None))
    return {
        "project": item.doc.get("title"),
        "paidCents": sum(line.cents for line in lines),
        "milestone": tranches.milestone_of(payload),
        "milestones": [
            {
                **tranches.tranche_document(tranche),
                "evidence": to_json(tranches.list_evidence(step)),
            }
            for step, tranche in zip(
                item.doc.get("milestones", ()),
                tranches.read_tranches(work, item, lines),
                strict=True,
            )
        ],
    }


HANDLERS: Mapping[str, Handler] = {
    **bookkeeping.HANDLERS,
    **bank_charges.HANDLERS,
    **commitments.HANDLERS,
    **papers.HANDLERS,
    **import_undo.HANDLERS,
    **disbursing.HANDLERS,
    **policies.HANDLERS,
    **vote_rules.HANDLERS,
    **control.HANDLERS,
    **operators.HANDLERS,
    **years.HANDLERS,
    **vouching.HANDLERS,
    **address_changes.HANDLERS,
    **deaths.HANDLERS,
    **bank_vouching.HANDLERS,
    **ways_in.HANDLERS,
    **announcing.HANDLERS,
    **content.HANDLERS,
    **legal.HANDLERS,
    **lifecycle.HANDLERS,
    **repaying.HANDLERS,
    **member_acts.HANDLERS,
    **pledging.HANDLERS,
    refunding.ACTION: refunding.refund_approved,
}
