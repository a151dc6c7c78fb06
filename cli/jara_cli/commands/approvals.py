"""``jara approvals``: actions that need a second operator's approval."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.journal import PostedEntry
from jara.domain.control.ssh import NAMESPACE
from jara.domain.errors import InvalidInput, JaraError, Refused
from jara.domain.money import format_cents
from jara.domain.texts import count_of
from jara.records.operations import Approval
from jara.services.approvals import BECAUSE, WAITING
from jara.services.approvals import approve as approve_act
from jara.services.approvals import refuse as refuse_act
from jara.services.context import Context
from jara.services.operations import approved_acts
from jara.services.payments.refunding import Refunded
from jara_cli.columns import Column, Kind, spell_key
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag, Yes, argument, confirm, flag, foreign_text, option
from jara_cli.output import emit, fold, note, show_line, write
from jara_cli.papers import write_documents
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import entry_notes, say_tranche, waiting

app = typer.Typer(no_args_is_help=True)

_VALUES_AT = 12
"""The column at which values start in the details."""

Id = Annotated[str, argument("APPROVAL", "Id, or its first characters.")]

_COLUMNS = [
    Column("id", "Id", Kind.ID),
    Column("action", "Act"),
    Column("cents", "Amount", Kind.CENTS),
    Column("about", "About"),
    Column("preparedBy", "By"),
    Column("preparedAt", "On", Kind.DATE),
]
_PAYMENTS = [
    Column("date", "Date", Kind.DATE),
    Column("payer", "Paid by", Kind.SENTENCE),
    Column("cents", "Amount", Kind.CENTS),
    Column("text", "Text", Kind.SENTENCE),
]
_DECIDED = [
    *_COLUMNS,
    Column("state", "State"),
    Column("decidedBy", "Decided by"),
    Column("entry", "Entry", Kind.ID),
]


@verb(app, name="list")
def list_command(
    context: Context,
    everything: Annotated[bool, flag("--all", "Include decided approvals.")] = False,
) -> Answer:
    """List actions that need another operator's approval.

    One that can never be done any more is named with the reason; the daily run refuses it.

    Example: jara approvals list
    """
    documents = approved_acts.list_approval_documents(context, include_decided=everything)
    rows = _rows(context, documents)
    columns = _DECIDED if everything else _COLUMNS
    return Answer(documents, view=rows, columns=columns, notes=_impossible(documents))


@verb(app)
def show(
    context: Context,
    approval: Id,
    signatures: Annotated[
        bool, flag("--signatures", "Print a shell script that checks each signature.")
    ] = False,
    out: Annotated[str | None, option("FOLDER", "Write its documents there.")] = None,
) -> Answer:
    """Show the details of an approval: what it does, payee, vote, documents, who asked and why.

    The six words stand on the desk and in the emails too; compare them before you approve. With
    --signatures, the output is a script that lets OpenSSH's own ssh-keygen check each signature.

    Examples:
      jara approvals show appr_4f7k --out papers
      jara approvals show appr_4f7k --signatures | sh
    """
    if signatures:
        made = approved_acts.list_signatures(context, approval)
        return Answer([to_document(one) for one in made], view=_script(made))
    details = approved_acts.show_approval(context, approval)
    if out is not None:
        write_documents(context, out, details["documents"])
    return Answer(details, view=_text(context, details))


@verb(app, *_DECIDED)
def approve(
    context: Context,
    approvals: Annotated[
        list[str] | None, argument("[APPROVAL]...", "Ids, or their first characters.")
    ] = None,
    statement: Annotated[
        str | None,
        option(
            "STATEMENT",
            "Also all payments of a statement and of its days: its file, or its import's id.",
            "--all-of",
        ),
    ] = None,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> Answer:
    """Show waiting actions and approve them; the last approval that one needs carries it out.

    Payments are listed together: who paid, how much, when, and the text. Compare them with the
    bank and the cash book.

    Examples:
      jara approvals approve appr_4f7k --yes
      jara approvals approve appr_4f7k appr_9q2m
      jara approvals approve --all-of november.csv
    """
    if not approvals and statement is None:
        raise InvalidInput("Name the approvals, or a statement with --all-of.")
    found = [approved_acts.show_approval(context, text) for text in approvals or ()]
    found += [] if statement is None else approved_acts.show_statement(context, statement)
    every = list({one["id"]: one for one in found}.values())
    if len(every) == 1 and statement is None:
        return _approve_one(context, every[0], yes=yes, as_json=as_json)
    return _approve_several(context, every, yes=yes, as_json=as_json)


def _approve_several(
    context: Context, every: Sequence[Document], *, yes: bool, as_json: bool
) -> Answer:
    """Approve one after the other; one that fails leaves the others."""
    payments = [row for details in every for row in details.get("payers", ())]
    total = sum(row["cents"] for row in payments)
    if not as_json:
        for details in every:
            if "payers" not in details:
                write(f"{_text(context, details)}\n")
        if payments:
            rows = sorted(payments, key=lambda row: (row["date"], row["payer"]))
            last = {"date": None, "payer": "Total", "cents": total, "text": ""}
            emit(rows, as_json=False, columns=_PAYMENTS, total=last)
    what = count_of(len(every), "approval")
    of = f" of {count_of(len(payments), 'payment')}, {format_cents(total)}" if payments else ""
    confirm(f"Sign {what}{of}?", yes=yes)
    decided, failed, notes = [], [], []
    for details in every:
        try:
            done_now = approve_act(context, details["id"], handlers=approved_acts.HANDLERS)
            decided.append(done_now.approval.id)
            notes += _result_notes(context, done_now.result)
        except JaraError as error:
            failed.append(error)
            note(f"{details['id']}: {error.message}")
            if isinstance(error, Refused):
                break  # of the operator or the key, so the others too
    documents = approved_acts.list_approval_documents(context, include_decided=True)
    done = [one for one in documents if one["id"] in decided]
    is_waiting = any(one["state"] == WAITING for one in done)
    stop = failed[0] if failed else typer.Exit(ExitCode.WAITING) if is_waiting else None
    return Answer(done, view=_rows(context, done), notes=notes, error=stop)


def _approve_one(context: Context, details: Document, *, yes: bool, as_json: bool) -> Answer:
    if not as_json:
        write(_text(context, details))
    confirm(f"Approve {details['id']} and carry it out?", yes=yes)
    decided, result = approve_act(context, details["id"], handlers=approved_acts.HANDLERS)
    if decided.state == WAITING:
        return waiting(decided)
    return _decided_answer(context, decided)._replace(notes=_result_notes(context, result))


def _result_notes(context: Context, result: object) -> list[str]:
    """Return what to look at after the entry that an approval posted, if it posted one."""
    entry_id = result.id if isinstance(result, PostedEntry) else ""
    entry_id = result.refund_id if isinstance(result, Refunded) else entry_id
    return entry_notes(context, entry_id) if entry_id else []


@verb(app, *_DECIDED)
def refuse(
    context: Context, approval: Id, why: Annotated[str, option("TEXT", "Reason.")]
) -> Answer:
    """Refuse a waiting action; nothing is carried out.

    Example: jara approvals refuse appr_4f7k --why "wrong account"
    """
    return _decided_answer(context, refuse_act(context, approval, why=why))


def _rows(context: Context, documents: Iterable[Document]) -> list[Document]:
    """Return rows of approvals, with the days of the organisation's zone."""
    return [
        {
            **one,
            "preparedAt": context.zone.day_of(one["preparedAt"]),
            "cents": one["cents"] or None,
            "entry": ", ".join(one["entries"]),
        }
        for one in documents
    ]


def _impossible(documents: Iterable[Document]) -> list[str]:
    return [
        f"{one['id']} is no longer possible: {one['impossible']}"
        for one in documents
        if one["impossible"]
    ]


def _decided_answer(context: Context, decided: Approval) -> Answer:
    documents = approved_acts.list_approval_documents(context, include_decided=True)
    (document,) = (one for one in documents if one["id"] == decided.id)
    (row,) = _rows(context, [document])
    return Answer(document, view=row)


def _text(context: Context, details: Document) -> str:
    """Return the details as people read them."""
    lines = (fold(line, sys.stdout, indent=_VALUES_AT) for line in _lines(context, details))
    return "".join(f"{show_line(piece)}\n" for pieces in lines for piece in pieces)


def _script(made: list[approved_acts.MadeSignature]) -> str:
    """Return a shell script that checks signatures with OpenSSH."""
    if not made:
        return "echo 'Nobody signed this.'\n"
    lines = ["set -e", 'cd "$(mktemp -d)"']
    for one in made:
        allowed = quote(f"{one.fingerprint} {one.key}\n")
        check = f"ssh-keygen -Y verify -n {NAMESPACE} -I {quote(one.fingerprint)} -f key -s sig"
        lines += [
            f"# {one.operator!a}",
            f"printf %s {allowed} > key",
            f"printf %s {quote(one.signature)} > sig",
            f"printf %s {quote(one.statement)} | {check}",
        ]
    return "\n".join([*lines, ""])


def _lines(context: Context, details: Document) -> Iterator[str]:
    """Yield the details as text, one fact per line."""
    yield f"{details['id']}: {details['action']}, {details['about']}"
    yield f"Does        {details['effect']}"
    yield f"Words       {details['words']}"
    if details["cents"]:
        yield f"Amount      {format_cents(details['cents'])}"
    yield f"Asked by    {details['preparedBy']}, {context.zone.minute(details['preparedAt'])}"
    yield f"Why         {details['why']}"
    yield from (f"Plan        {sentence}" for sentence in details["overPlan"])
    people = count_of(details["needed"], "person", "people")
    left = f"; {people} must agree" if details["state"] == WAITING else ""
    if details["impossible"]:
        left = f"; no longer possible: {details['impossible']}"
    yield f"State       {details['state']}{left}"
    for one in details["signatures"]:
        yield f"Signed      {one['operator']}, {one['key']}"
    if details.get("project"):
        yield f"Project     {details['project']} ({details['payee']})"
    elif details.get("payee"):
        yield f"Payee       {details['payee']}"
    if details.get("date"):
        yield f"Day         {details['date']}"
    for posting in details.get("postings", ()):
        amount = format_cents(posting["cents"])
        yield f"Posting     {amount:>14}  {posting['account']} ({posting['fund']})"
    if not details.get("postings") and "payers" not in details:
        values = approved_acts.describe_values(details["payload"])
        yield from (f"{spell_key(name):<11} {text}" for name, text in values.items())
    yield from _effects(details)
    yield from _paper_lines(details)
    yield from _proposal_lines(details)
    if details.get("key"):
        yield f"Key         {details['key']} ({details['kind']})"


def _effects(details: Document) -> Iterator[str]:
    """Yield the reason, the payer, reversals, an amount abroad, the bank's charge."""
    if because := details["payload"].get(BECAUSE):
        yield f"Because     {because}"
    if details.get("person"):
        yield f"Person      {details['person']}"
    for one in details.get("payers", ()):
        paid = f"{one['date']}, {one['payer'] or 'has no account'}"
        yield f"Payment     {format_cents(one['cents']):>14}  {paid}: {one['text']}"
    if details.get("entries"):
        yield f"Entries     {details['entries']:,} to be reversed"
    if details.get("bankLines"):
        yield f"Bank lines  {details['bankLines']:,} of {details['statement']}, to be dropped"
    if details.get("foreign"):
        yield f"Abroad      {foreign_text(details['foreign'])}"
    if details.get("bankChargeCents"):
        charge = format_cents(details["bankChargeCents"])
        yield f"Bank charge {charge}, paid by the funds that pay the fees"


def _paper_lines(details: Document) -> Iterator[str]:
    for one in details["documents"]:
        others = ", ".join(one["otherEntries"])
        again = f"; WARNING: also a document of {others}" if others else ""
        yield f"Document    {one['kind']}, {one['bytes']:,} bytes, SHA-256 {one['sha256']}{again}"


def _proposal_lines(details: Document) -> Iterator[str]:
    vote = details.get("proposal")
    if vote:
        yield f"Proposal    {vote['title']} ({vote['id']})"
        yield (
            f"Result      {vote['status']}: {vote['yes']} yes, {vote['no']} no of {vote['roll']}; "
            f"{format_cents(vote['heldCents'])} held"
        )
    if details.get("milestone"):
        yield f"Pays        the milestone {details['milestone']}"
    for step in details.get("milestones", ()):
        done = "done" if step["completed"] else "not done"
        yield f"Milestone   {step['title']}: {done}; {say_tranche(step)}"
        for file in step["evidence"]:
            yield f"Evidence    {file['sha256']}"
