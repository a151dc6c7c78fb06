"""Handing over: what hangs on an operator who leaves, and how each goes on."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from jara.domain.control.roles import APPROVING, PREPARING, Role
from jara.domain.control.state import Control
from jara.domain.control.ways_in import WayIn
from jara.domain.errors import NotFound
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES
from jara.domain.texts import count_of, listing
from jara.records.operations import Approval, Operator
from jara.services.authority import active_operators, limits_in_force, read_control
from jara.services.bank.vouching import ACTION as VOUCH_STATEMENT
from jara.services.context import Context
from jara.services.operations.backups import BACKUP_ACTION
from jara.services.operations.control import keys_of
from jara.services.operations.effect_sentences import effect_of
from jara.services.operations.invitations import list_invitations
from jara.services.organisation import own_values
from jara.services.payments.vouching import ACTION as VOUCH_PAYMENT
from jara.services.payments.vouching import ENTRY
from jara.services.ways_in import describe_way, way_in_force
from jara.store.unit_of_work import UnitOfWork

_ADDRESS = re.compile(r"[^\s@<>,;:()]+@[^\s@<>,;:()]+\.[^\s@<>,;:().]+")


class Hanging(NamedTuple):
    """Something that hangs on an operator."""

    kind: str  # act, mailbox, invitation; admin, signatures or notices for what nobody else can do
    what: str  # what it is, in a sentence
    how: str  # how it goes on without them: a sentence, with the command if there is one


class HandoverState(StrEnum):
    """Whether a step of handing over is done."""

    DONE = "done"
    TO_DO = "to do"
    CHECK = "check"
    """Nothing here tells; somebody has to look."""


class HandoverStep(NamedTuple):
    """A step of handing over, filled in."""

    title: str
    state: HandoverState
    what: str
    how: str = ""


class Installation(NamedTuple):
    """What the settings and the disk say about an organisation."""

    settings_file: str
    passwords: Sequence[str]  # the settings that hold a password or a key of another service
    recipients: int  # how many age identities can read the backups; 0 if they are not encrypted
    left_out: Sequence[str]  # what backups leave out, each with its size
    database: str
    site_url: str


def list_hanging(context: Context, name: str, *, key: str | None = None) -> list[Hanging]:
    """Return what hangs on an operator: acts, mailboxes, invitations, and what only they can do.

    `key` is the one of their keys that goes; if they have another, only what it signed hangs on it.

    Raises:
        NotFound: there is no operator of that name.
    """
    with context.store.read() as work:
        operator, control = _find(work, name), read_control(context, work)
        if key is not None and {key} < {*keys_of(work, control, name)}:
            return list(_acts(work, control, operator, key))
        found = [
            *_acts(work, control, operator),
            *_powers(context, work, control, operator),
            *(one for one, is_own in _mailboxes(context, work, operator) if is_own),
        ]
    return found + [
        Hanging(
            "invitation",
            f"The invitation of {one.name} was sent by {name}.",
            f"It stays; end it with `jara operators revoke {one.name}` if nobody knows of it.",
        )
        for one in list_invitations(context)
        if one.invited_by == name
    ]


def list_handover(context: Context, name: str, place: Installation) -> list[HandoverStep]:
    """Return the steps of docs/handover.md for an operator who leaves, filled in.

    Raises:
        NotFound: there is no operator of that name.
    """
    with context.store.read() as work:
        operator, control = _find(work, name), read_control(context, work)
        acts = list(_acts(work, control, operator))
        powers = {one.kind: one for one in _powers(context, work, control, operator)}
        boxes = _mailboxes(context, work, operator)
        made = [act.at for act in work.operations.audit(action=BACKUP_ACTION)]
        keys = keys_of(work, control, name)
        names = work.operations.key_names()
        admins = {names[key] for key, one in control.keys.items() if Role.ADMIN in one.roles}
        others = sorted((admins if control.needs_keys else {*active_operators(work)}) - {name})
    last = context.zone.minute(made[-1]) if made else ""
    logins = ["the server", "the domain", "the mail server", "the bank"]
    logins += ["the card provider"] if context.takes_cards else []
    return [
        _step("Who goes on", powers.get("admin"), f"{listing(others) or 'Nobody'} can go on."),
        _step("Signatures", powers.get("signatures"), "Enough people are left to sign."),
        *(HandoverStep("Acts that wait", HandoverState.TO_DO, one.what, one.how) for one in acts),
        *([] if acts else [_step("Acts that wait", None, f"None hangs on {name}.")]),
        *_mailbox_steps(boxes, name),
        _step("Notices", powers.get("notices"), f"No notice goes to {name} alone."),
        _look(
            "Passwords",
            _passwords(place, name),
            f"Change them where they were made, then in {place.settings_file}.",
        ),
        _look(
            "Secrets",
            f"Does {name} have a copy of the secrets folder, or access to it?",
            "Then `jara operators end-sessions`, `jara proofs rotate-key` and a new "
            "`jara backup FILE --secrets FILE`; else hand over the file in the safe.",
        ),
        _look("Backups", _backups(last, place), "docs/test-your-backup.md, without their help."),
        _look(
            "Files",
            f"Not in a backup: {'; '.join(place.left_out) or 'nothing'}.",
            "Copy them too, to where the next one finds them.",
        ),
        _look(
            "Machine",
            f"{place.site_url}; {place.database}. Logins of {listing(logins)}.",
            f"Each has another owner, and {name} is out of it.",
        ),
        HandoverStep(
            "Their keys",
            HandoverState.TO_DO,
            f"{name} has {count_of(len(keys), 'key')} here." if keys else f"{name} has no key.",
            f'At the end: jara operators remove {name} --why "…"',
        ),
    ]


def _find(work: UnitOfWork, name: str) -> Operator:
    listed = active_operators(work)
    if name not in listed:
        known = listing(sorted(listed)) or "nobody"
        raise NotFound(f"'{name}' is not an operator; listed are {known}.")
    return listed[name]


def _step(title: str, hanging: Hanging | None, done: str) -> HandoverStep:
    if hanging is None:
        return HandoverStep(title, HandoverState.DONE, done)
    return HandoverStep(title, HandoverState.TO_DO, hanging.what, hanging.how)


def _look(title: str, what: str, how: str) -> HandoverStep:
    return HandoverStep(title, HandoverState.CHECK, what, how)


def _backups(last: str, place: Installation) -> str:
    if not last:
        return "There is none: jara backup FILE."
    readers = count_of(place.recipients, "age identity", "age identities")
    can_read = f"{readers} can read them: who has them?"
    how = can_read if place.recipients else "They are not encrypted."
    return f"The last one was made on {last}. {how}"


def _passwords(place: Installation, name: str) -> str:
    known = f"{listing(place.passwords)} are set" if place.passwords else "None is set here"
    return f"{known}. Which others does {name} know?"


def _mailbox_steps(boxes: Iterable[tuple[Hanging, bool]], name: str) -> list[HandoverStep]:
    steps = [
        HandoverStep(
            "Mailboxes",
            HandoverState.TO_DO if is_own else HandoverState.CHECK,
            one.what if is_own else f"{one.what} Does {name} read it?",
            one.how,
        )
        for one, is_own in boxes
    ]
    return steps or [_step("Mailboxes", None, "No page and no way to pay has an email address.")]


def _acts(
    work: UnitOfWork, control: Control, operator: Operator, key: str | None = None
) -> Iterator[Hanging]:
    """Yield the acts that wait, and that the operator asked for or signed; with `key`, if given."""
    for one in work.operations.approvals(waiting_only=True):
        signed = work.operations.signed_for(one.id)
        signers = {act.operator for act in signed if key in {None, act.key}}
        if operator.name not in signers | ({one.prepared_by} if key is None else set()):
            continue
        did = "asked for it" if one.prepared_by == operator.name else "signed it"
        yield Hanging(
            "act",
            f"{one.id} waits, and {operator.name} {did}: {effect_of(one).text()}",
            _how_act_goes_on(one, is_signed=control.needs_keys),
        )


def _how_act_goes_on(one: Approval, *, is_signed: bool) -> str:
    """Return how a waiting act goes on; a signature of a removed key counts no more."""
    now = f"jara approvals approve {one.id}"
    if not is_signed:
        return f"Another operator approves it: {now}"
    again = {
        VOUCH_PAYMENT: f"jara payments vouch {one.payload.get(ENTRY)} --why …",
        VOUCH_STATEMENT: "jara bank rematch",
    }.get(one.action, "the same command")
    return (
        f"Before they leave: {now}. Afterwards the daily run refuses it, or jara approvals refuse "
        f"{one.id} --why …; then another operator asks again: {again}"
    )


def _powers(
    context: Context, work: UnitOfWork, control: Control, operator: Operator
) -> Iterator[Hanging]:
    """Yield what nobody else can do."""
    name = operator.name
    others = [one for one in active_operators(work).values() if one.name != name]
    limits, own = limits_in_force(context, control), set(keys_of(work, control, name))
    left = [one for fingerprint, one in control.keys.items() if fingerprint not in own]
    approvers = {one.person for one in left if one.roles & APPROVING}
    signers = approvers | {one.person for one in left if one.roles & PREPARING}
    is_short = len(signers) < limits.approvals or len(approvers) < limits.approvals - 1
    if not control.needs_keys:
        is_short = limits.is_set and len(others) < limits.approvals
    if not (any(Role.ADMIN in one.roles for one in left) if control.needs_keys else others):
        yield Hanging(
            "admin",
            f"Nobody but {name} can change keys and limits.",
            "jara operators add OTHER --key FILE --role admin",
        )
    if is_short:
        yield Hanging(
            "signatures",
            f"Without {name}, nobody can sign what needs {limits.approvals} people: it waits for "
            "ever, also votes of members whose payments wait.",
            "jara operators add OTHER --key FILE --role approver",
        )
    if operator.email and not any(one.email for one in others):
        yield Hanging(
            "notices",
            f"Only {name} gets an email when a way to pay changes, or an act waits.",
            "jara operators address OTHER ADDRESS",
        )


def _mailboxes(
    context: Context, work: UnitOfWork, operator: Operator
) -> list[tuple[Hanging, bool]]:
    """Return the email addresses that others write or pay to, and whether they are theirs."""
    values: Mapping[IdentityPart, str] = own_values(work)
    said = [
        (f"{OWN_VALUES[part].what} is", text, f"jara organisation set {OWN_VALUES[part].option} …")
        for part, text in values.items()
        if part in {IdentityPart.CONTACT, IdentityPart.PRIVACY_OFFICER, IdentityPart.ADDRESS}
    ]
    for way in WayIn:
        value = way_in_force(context, work, way)
        if value is not None:
            how = "jara organisation set --donate-url …"
            if way is not WayIn.DONATE:
                how = f"jara payments ways set {way.value} …"
            said.append((f"{way.phrase} says", describe_way(value), how))
    own = {operator.email.casefold()} - {""}
    found = []
    for begin, text, how in said:
        addresses = {one.casefold() for one in _ADDRESS.findall(text)}
        is_named = operator.name.casefold() in text.casefold().split()
        if addresses or is_named:
            sentence = f"{begin[0].upper()}{begin[1:]} “{text}”."
            found.append((Hanging("mailbox", sentence, how), bool(addresses & own) or is_named))
    return found
