"""``jara operators``: who may run commands, and the audit log."""

from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.keys import first_signing_key, make_scheduler_key, public_key_file
from jara.documents import Document, to_document
from jara.domain.control.effects import TOUCHES, list_effects
from jara.domain.control.roles import MEANINGS
from jara.domain.control.state import APPROVALS, Limits
from jara.domain.money import format_cents, parse_cents
from jara.records.operations import Approval, AuditRow
from jara.services.context import Context
from jara.services.operations import operators
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.invitations import (
    Invitation,
    confirm_invitation,
    invite_phone,
    list_invitations,
    revoke_invitation,
)
from jara.services.organisation import renew_token_key
from jara_cli.columns import Column, Kind
from jara_cli.commands.operators.leaving import (
    OPERATORS,
    Name,
    app,
    changed_answer,
    document_of,
    key_rows,
)
from jara_cli.context import open_application
from jara_cli.inputs import open_input
from jara_cli.options import Why, Yes, argument, confirm, flag, option, parse_whole_number
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import waiting

policy = typer.Typer(no_args_is_help=True, help="The amounts at which an act needs approval.")
app.add_typer(policy, name="policy")

DayLimit = Annotated[
    str | None,
    option(
        "AMOUNT",
        "The same for what one payee or account gets on one day, or none; default: --limit.",
    ),
]
TotalLimit = Annotated[
    str | None,
    option(
        "AMOUNT",
        "The same for all that goes out on one day without another person's signature, or "
        "none; default: --day-limit.",
    ),
]
MonthLimit = Annotated[
    str | None, option("AMOUNT", "The same for a calendar month; default: none.")
]
PhoneLimit = Annotated[
    str | None,
    option(
        "AMOUNT",
        "Most that an act may take out for a phone's signature to count; 0 for no phones; "
        "default: none, so phones count for every amount.",
    ),
]

DocumentsFrom = Annotated[
    str | None,
    option("AMOUNT", "Amount from which a spend needs a document, or none; default: as it is."),
]
Within = Annotated[
    int,
    option(
        "DAYS",
        "Days until `jara doctor` names a spend without a document.",
        parser=parse_whole_number,
    ),
]

_ROLES = (Column("role", "Role"), Column("meaning", "May", Kind.SENTENCE))
_LIMITS = [
    Column("limitCents", "One act from", Kind.CENTS),
    Column("dayLimitCents", "A payee's day from", Kind.CENTS),
    Column("totalLimitCents", "A day over all from", Kind.CENTS),
    Column("monthLimitCents", "A month over all from", Kind.CENTS),
    Column("phoneLimitCents", "A phone counts up to", Kind.CENTS),
    Column("documentsFromCents", "Documents from", Kind.CENTS),
    Column("documentsWithinDays", "Within days", Kind.COUNT),
    Column("approvals", "People in all", Kind.COUNT),
]
_EFFECTS = (
    Column("name", "Act"),
    Column("rule", "Needs"),
    Column("touches", "Touches", Kind.SENTENCE),
    Column("roles", "Roles", rank=1),
    Column("by", "By", rank=2),
)
_TOUCHES = (
    Column("touch", "Touches"),
    Column("rule", "Needs"),
    Column("meaning", "Is", Kind.SENTENCE),
    Column("people", "Signed by", Kind.SENTENCE),
)
_INVITATIONS = (
    Column("name", "Invited"),
    Column("role", "Role"),
    Column("email", "Email", rank=1),
    Column("state", "State"),
    Column("expiresAt", "Until", Kind.DATE),
)
_KEY_BYTES_MAX = 100_000


@verb(app, *OPERATORS, name="list")
def show(context: Context) -> Answer:
    """List current and past operators with their keys; without operators, anybody may act.

    Example: jara operators list
    """
    documents = [document_of(one) for one in operators.list_operators(context)]
    return Answer(documents, view=[row for one in documents for row in key_rows(one)])


@verb(app, *OPERATORS)
def add(
    application: Application,
    ctx: typer.Context,
    name: Name,
    key: Annotated[
        str | None,
        option(
            "FILE",
            "The operator's OpenSSH key, Ed25519: the public half, or the private one beside it.",
        ),
    ] = None,
    roles: Annotated[
        list[str] | None, option("ROLE", "What the key may do; may be repeated.", "--role")
    ] = None,
    why: Why = "",
) -> Answer:
    """Add an operator, or an operator's key; add yourself first: then only operators may act.

    The first key signs for itself, with the SSH agent or the private half beside its file. From
    then on every change needs the signature of an enrolled key. Later keys need the approval of
    other operators. Roles: admin, bookkeeper, approver, editor, auditor,
    scheduler. Without --role the first key is an admin key, and later keys may do everything
    except change keys and limits.

    Examples:
      jara operators add ada --key ~/.ssh/id_ed25519.pub
      jara operators add ben --key ben.pub --role approver \\
          --why "treasurer from 2026"
    """
    text, hints = None if key is None else _read_key(key), []
    if key is not None and (file := first_signing_key(application, key)):
        application = open_application(ctx, settings={"operator_key": file})
        hints = [f"Every change is signed now: ssh-add {file}, or jara --key {file} …"]
    context = application.context
    done = operators.add_operator(context, name, key=text, roles=tuple(roles or ()), why=why)
    return changed_answer(context, done)._replace(hints=hints)


@verb(app)
def invite(
    context: Context,
    name: Name,
    email: Annotated[str, option("ADDRESS", "Email address.")],
    role: Annotated[
        str | None, option("ROLE", "Invite a phone: approver, auditor, editor.")
    ] = None,
) -> Answer:
    """Invite a person to sign: with an SSH key, or with --role with their phone.

    Without --role, the email has the steps to create a key and send you its public half. With
    it, the email has a link that works once, for 24 hours; the phone then shows six words, which
    the person reads to you by telephone: `jara operators confirm`.

    Examples:
      jara operators invite ben --email ben@example.org
      jara operators invite ama --role approver --email ama@example.org
    """
    if role is not None:
        made = invite_phone(context, name, role=role, email=email)
        note = f'When {name} reads you the six words: jara operators confirm {name} --words "…"'
        return Answer(_invitation(made), notes=[note], columns=_INVITATIONS)
    operators.invite_operator(context, name, email=email)
    note = f"Once you have the key: jara operators add {name} --key FILE"
    columns = [Column("name", "Invited"), Column("email", "Email")]
    return Answer({"name": name, "email": email}, notes=[note], columns=columns)


@verb(app)
def invitations(context: Context) -> Answer:
    """List the invitations of phones that nobody confirmed yet.

    Example: jara operators invitations
    """
    return Answer([_invitation(one) for one in list_invitations(context)], columns=_INVITATIONS)


@verb(app, *OPERATORS, name="confirm")
def confirm_phone(
    context: Context,
    name: Name,
    words: Annotated[str, option("WORDS", "The six words on their phone.")],
    why: Why = "",
) -> Answer:
    """Confirm the phone of an invited person, who reads you six words by telephone.

    Call them, or let them call you, at a number that you know. The phone's key is then enrolled
    with the signatures that every new key needs.

    Example: jara operators confirm ama --words "legal winner thank year wave sausage"
    """
    return changed_answer(context, confirm_invitation(context, name, words=words, why=why))


@verb(app)
def revoke(context: Context, name: Name) -> Answer:
    """End an invitation of a phone: its link and its words count no more.

    A phone that is confirmed already is removed with `jara operators remove`.

    Example: jara operators revoke ama
    """
    return Answer(_invitation(revoke_invitation(context, name)), columns=_INVITATIONS)


@verb(app, *OPERATORS)
def address(
    context: Context,
    name: Name,
    email: Annotated[str, argument("ADDRESS", "Email address; '' removes it.")],
) -> Answer:
    """Set an operator's email address, which gets notice when a way to pay changes.

    The old and the new address get an email about it.

    Example: jara operators address ada ada@example.org
    """
    return changed_answer(context, operators.set_address(context, name, email=email))


@verb(app, name="scheduler-key")
def scheduler_key(application: Application) -> Answer:
    """Create the key of the daily run in the secrets folder, and print its public key.

    Once it is enrolled, `jara run daily` signs with it automatically.

    Example:
      jara operators scheduler-key > scheduler.pub
      jara operators add scheduler --role scheduler --key scheduler.pub
    """
    text = make_scheduler_key(application)
    return Answer({"publicKey": text}, view=f"{text}\n")


@verb(app, name="end-sessions")
def end_sessions(context: Context, yes: Yes = False) -> Answer:
    """Replace the session key: every member has to sign in again.

    Use it when someone may have seen token.key. Running servers take the new key at once.
    Afterwards write the new keys to a file with jara backup --secrets.

    Example: jara operators end-sessions --yes
    """
    confirm("End the sessions of all members?", yes=yes)
    renew_token_key(context)
    document = {"key": "token.key", "fingerprint": context.vault.fingerprint()}
    columns = [Column("key", "Renewed"), Column("fingerprint", "Fingerprint of the secrets")]
    return Answer(
        document, notes=["Every member has to sign in again. Back up the keys."], columns=columns
    )


@verb(
    app,
    Column("at", "When", Kind.DATE),
    Column("operator", "Who"),
    Column("action", "What"),
    Column("subject", "To"),
    Column("why", "Why"),
)
def log(
    context: Context,
    limit: Annotated[
        int, option("N", "Show the newest N actions.", parser=parse_whole_number)
    ] = 50,
    subject: Annotated[
        str | None, option("ID", "Only actions on this id: an entry, a slug.", "--of")
    ] = None,
) -> list[AuditRow]:
    """Show the audit log, oldest first: who did what, when, why, before and after.

    For personal data it contains only the names of the changed fields.

    Examples:
      jara operators log
      jara operators log --of prop_01 --json
    """
    return operators.list_acts(context, subject=subject, limit=limit)


@verb(policy, *_LIMITS, name="show")
def show_policy(
    context: Context,
    effects: Annotated[
        bool, flag("--effects", "Show what each act touches, and how many people must sign it.")
    ] = False,
) -> Answer:
    """Show the limits in force, and what each role may do.

    Examples:
      jara operators policy show
      jara operators policy show --effects
    """
    if effects:
        return _effects_answer()
    limits = show_limits(context)
    roles = [{"role": role, "meaning": meaning} for role, meaning in MEANINGS.items()]
    return Answer(
        {**to_document(limits), "roles": MEANINGS},
        view=_limits_card(limits),
        tables=[Table("Roles:", roles, _ROLES)],
    )


@verb(policy, *_LIMITS, name="set")
def set_policy(
    context: Context,
    why: Why,
    limit: Annotated[
        str | None, option("AMOUNT", "Amount from which an act needs approval, or none.")
    ] = None,
    day_limit: DayLimit = None,
    total_limit: TotalLimit = None,
    month_limit: MonthLimit = None,
    phone_limit: PhoneLimit = None,
    documents_from: DocumentsFrom = None,
    within: Within = 30,
    approvals: Annotated[
        int,
        option(
            "N", "People who must agree, including the one who asks.", parser=parse_whole_number
        ),
    ] = APPROVALS,
    yes: Yes = False,
) -> Answer:
    """Set the limits; other operators must approve the change.

    What counts is the money that leaves the organisation's accounts, whatever it is called.
    Accounts that are added later are outside until the limits are set again.

    With --documents-from alone the limits stay as they are.

    Examples:
      jara operators policy set --documents-from 50 --within 30 \\
          --why "Voted by the trustees"
      jara operators policy set --limit 500 --day-limit 1000 --total-limit 2000 \\
          --month-limit 5000 --why "Voted by the trustees"
    """
    act_cents = _parse_limit(limit)
    day_cents = act_cents if day_limit is None else _parse_limit(day_limit)
    total_cents = day_cents if total_limit is None else _parse_limit(total_limit)
    month_cents, phone_cents = _parse_limit(month_limit), _parse_limit(phone_limit)
    before = show_limits(context)
    limits = Limits(act_cents, day_cents, approvals, total_cents, month_cents, phone_cents)
    if documents_from is not None and limits == Limits(approvals=approvals):
        limits = before
    limits = _with_documents(limits, before, documents_from, within)
    card = _limits_card(limits)
    shown = "; ".join(f"{column.title}: {card[column.key]}" for column in _LIMITS)
    confirm(f"{shown}. Set these limits?", yes=yes)
    done = set_limits(context, limits, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return Answer(done, view=_limits_card(done))


def _with_documents(limits: Limits, before: Limits, amount: str | None, days: int) -> Limits:
    """Return limits with the rule of documents, which stays as it is if none is given."""
    cents = before.documents_from_cents if amount is None else _parse_limit(amount)
    within = before.documents_within_days if amount is None else days
    return limits._replace(
        documents_from_cents=cents, documents_within_days=None if cents is None else within
    )


def _effects_answer() -> Answer:
    touches = [
        {"touch": touch, "rule": about.rule, "meaning": about.meaning, "people": about.rule.phrase}
        for touch, about in TOUCHES.items()
    ]
    every = [one._asdict() for one in list_effects()]
    shown = [
        {**one, "touches": ", ".join(one["touches"]), "roles": ", ".join(one["roles"])}
        for one in every
    ]
    return Answer(
        {"touches": touches, "effects": every},
        view=touches,
        columns=_TOUCHES,
        tables=[Table("", shown, _EFFECTS)],
    )


def _read_key(source: str) -> str:
    with open_input(public_key_file(source)) as stream:
        return stream.read(_KEY_BYTES_MAX).decode("utf-8", "replace")


def _invitation(invitation: Invitation) -> Document:
    return to_document(invitation, omit=("public_key",), instant=lambda at: at)


def _limits_card(limits: Limits) -> Document:
    return {
        "limitCents": _limit_text(limits.limit_cents),
        "dayLimitCents": _limit_text(limits.day_limit_cents),
        "totalLimitCents": _limit_text(limits.total_limit_cents),
        "monthLimitCents": _limit_text(limits.month_limit_cents),
        "phoneLimitCents": _limit_text(limits.phone_limit_cents),
        "documentsFromCents": _limit_text(limits.documents_from_cents),
        "documentsWithinDays": limits.documents_within_days,
        "approvals": limits.approvals,
    }


def _limit_text(cents: int | None) -> str:
    return "none" if cents is None else format_cents(cents)


def _parse_limit(text: str | None) -> int | None:
    return None if text in {None, "none"} else parse_cents(str(text))
