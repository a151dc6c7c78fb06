"""The acting operator: the one whose key signed the command.

Until the first key is enrolled, Jara trusts names: anyone who can open the database may act, or
only the listed operators once there are any. From the first key on, every change needs a
signature. The enrolled keys are read from the public log.

An act that several operators sign is in the log with their signatures, each checked again.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jara.domain.control.effects import (
    ACTS,
    TOUCHES,
    Rule,
    Touch,
    is_for_nobody,
    roles_for,
    rule_for,
)
from jara.domain.control.ssh import BadSignature, PublicKey, check_signature
from jara.domain.control.state import Control, Limits, Outlay, newest_of, replay, require_order
from jara.domain.control.statement import (
    NONCE_BYTES,
    SharedAct,
    Statement,
    read_signed,
    read_statement,
    signature_row,
)
from jara.domain.errors import Conflict, Refused
from jara.domain.giving.member import Member
from jara.domain.publiclog.canonical import decode
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Operator, SignedAct
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.store.store import TrialStore
from jara.store.unit_of_work import UnitOfWork

APPROVE = "approvals.approve"
SCHEDULER = "scheduler"
"""The operator name of the daily run, while no key is enrolled."""


class Authority(NamedTuple):
    """Who acts, and the signed act; None while no key is enrolled."""

    name: str
    act: SignedAct | None = None


def read_control(context: Context, work: UnitOfWork) -> Control:
    """Return the keys and limits that are in force according to the log.

    Raises:
        BrokenControl: a leaf of the log breaks the rules.
    """
    leaves = [(leaf.index, _document(leaf.body)) for leaf in work.log.control_leaves()]
    return replay(leaves, organisation_key(context, work), context.vault.verifies)


def limits_in_force(context: Context, control: Control) -> Limits:
    """Return the limits; the setting can only lower those of the log."""
    cents = context.rules.approval_cents
    return (control.limits or Limits()).stricter(cents)


def describe_rule(
    context: Context, work: UnitOfWork, action: str, touches: Sequence[Touch], outlay: Outlay
) -> str:
    """Return for which limit or rule an act needs another person."""
    rule = rule_for(action, touches)
    if rule is Rule.LIMITED:
        return limits_in_force(context, read_control(context, work)).reached(outlay)
    touched = (TOUCHES[one] for one in touches or ACTS[action].touches)
    return f"it is about {next(one.meaning for one in touched if one.rule is rule)}"


def needs_second_operator(context: Context, work: UnitOfWork) -> bool:
    """Return whether one operator's word is not enough: keys are enrolled, or limits are set."""
    control = read_control(context, work)
    return control.needs_keys or limits_in_force(context, control).is_set


def active_operators(work: UnitOfWork) -> dict[str, Operator]:
    """Return the listed operators by name."""
    return {
        operator.name: operator
        for operator in work.operations.operators()
        if operator.removed_at is None
    }


def authorise(
    context: Context,
    work: UnitOfWork,
    action: str,
    *,
    act: SharedAct | None = None,
    approval: str | None = None,
) -> Authority:
    """Check that the operator may do an act, such as ``projects.pay``, and return who they are.

    `work`, the write transaction of the act, also stores the signed act. `act` is the one to sign,
    if it needs several signatures; None to sign the command.

    Raises:
        Conflict: only a member may do it, and this is no sandbox organisation.
        Refused: operators are listed, but not this one; the signature is missing or invalid; or
            the key lacks the role.
    """
    if is_for_nobody(action) and not context.payment_mode.is_sandbox:
        raise Conflict(
            f"'{action}' works in sandbox organisations only; otherwise the member does it, on the "
            "website or with the link in an email."
        )
    if isinstance(context.store, TrialStore):
        return Authority(context.operator)  # nothing is kept, so nobody signs
    control = _control_before(context, work)
    if not control.needs_keys:
        return Authority(_listed_name(context, work))
    known = _known(context, act)
    if known is None:
        keys = [one.key for one in control.keys.values()]
        known = sign(context, work, keys, act=act, approval=approval)
    else:
        work.operations.add_signed(known)  # an earlier transaction may have been undone
    # The approval gives the approver the right to carry out an act of another role.
    _require_role(control, known, action if context.approved is None else APPROVE)
    return Authority(known.operator, known)


def sign(
    context: Context,
    work: UnitOfWork,
    keys: list[PublicKey],
    *,
    act: SharedAct | None = None,
    approval: str | None = None,
) -> SignedAct:
    """Have an act signed by one of the keys, check it, and store it.

    Raises:
        Refused: there is no signer, the signature is not of this act, or it was used before.
    """
    if context.signer is None:
        raise Refused("Operators of this organisation must sign; this process has no signer.")
    names = work.operations.key_names()
    own = sorted(keys, key=lambda key: names.get(key.fingerprint) != context.operator)
    command = context.signer.command
    statement = Statement.of(
        command.verb if act is None else act.action,
        command.arguments if act is None else act.arguments,
        organisation=organisation_key(context, work),
        now=context.now(),
        nonce=context.entropy.token(NONCE_BYTES),
    )
    signed = context.signer.sign(statement.encode(), own)
    made, key = read_signed(signed, statement, now=context.now(), verify=context.vault.verifies)
    if key not in keys:
        raise Refused(f"The key {key.fingerprint} is not enrolled in this organisation.")
    accepted = SignedAct(
        nonce=made.nonce,
        at=context.now(),
        operator=names.get(key.fingerprint, context.operator),
        key=key.fingerprint,
        statement=signed.statement.decode(),
        signature=b64encode(signed.signature).decode(),
        approval=approval,
    )
    if not work.operations.add_signed(accepted):
        raise Refused("The signature was used before; sign again.")
    context.signed.acts.append((act, accepted))
    return accepted


def _control_before(context: Context, work: UnitOfWork) -> Control:
    """Return the keys and limits at the beginning of a transaction.

    So an operator can remove their own key and record that in the same transaction.
    """
    if context.signed.control is None or context.signed.control[0] is not work:
        context.signed.control = (work, read_control(context, work))
    return context.signed.control[1]


def _known(context: Context, act: SharedAct | None) -> SignedAct | None:
    """Return the newest signature in this command: of this act, or of any if `act` is None."""
    fitting = [signed for what, signed in context.signed.acts if act is None or what == act]
    return fitting[-1] if fitting else None


def _require_role(control: Control, signed: SignedAct, action: str) -> None:
    enrolled = control.keys.get(signed.key)
    if enrolled is None:
        raise Refused(f"The key {signed.key} is not enrolled in this organisation.")
    allowed = roles_for(action)
    if not enrolled.roles & allowed:
        raise Refused(
            f"'{signed.operator}' has the role {' and '.join(sorted(enrolled.roles))}; "
            f"'{action}' is for {' or '.join(sorted(allowed))}."
        )


def _listed_name(context: Context, work: UnitOfWork) -> str:
    listed = active_operators(work)
    if listed and context.operator not in {SCHEDULER, *listed}:
        raise Refused(
            f"'{context.operator}' is not among the operators of this organisation; "
            f"one of them can add you: jara operators add {context.operator}"
        )
    return context.operator


def _document(body: bytes) -> dict[str, object]:
    value = decode(body)
    return value if isinstance(value, dict) else {}


def collect_signers(
    context: Context, work: UnitOfWork, control: Control, act: SharedAct, approval: str
) -> list[str]:
    """Return the keys that signed an approval so far, each signature checked again.

    Raises:
        BadSignature: a signature is not of this act: its payload was changed since, or it was
            made for something else.
    """
    organisation = organisation_key(context, work)
    keys = []
    for signed in work.operations.signed_for(approval):
        statement = read_statement(signed.statement.encode())
        if (statement.verb, statement.arguments, statement.organisation) != (
            act.action,
            act.arguments,
            organisation,
        ):
            raise BadSignature(
                f"{approval} is not what '{signed.operator}' signed: it was changed, or the limits "
                "count other funds now. Refuse it, and ask again."
            )
        key = check_signature(
            b64decode(signed.signature), signed.statement.encode(), context.vault.verifies
        )
        keys.append(key.fingerprint)
    if control.needs_keys and not keys:
        raise BadSignature(f"Nobody signed {approval}; refuse it and prepare it again.")
    return keys


def has_enough(
    control: Control, signers: Iterable[str], needed: int, what: str, cents: int
) -> bool:
    """Return whether enough different people signed, all but one of them as approvers.

    A passkey counts up to the limit of phones.

    Raises:
        BadSignature: one of the keys is not enrolled, or lacks the role.
    """
    people, approvers = control.people_of(control.counting(signers, cents), what)
    return len(people) >= needed and len(approvers) >= needed - 1


def append_leaf(
    context: Context,
    work: UnitOfWork,
    act: SharedAct,
    signed: Sequence[SignedAct],
    leaf_type: LeafType,
) -> int:
    """Append the leaf of an act with its signatures; return its log index.

    Raises:
        BadSignature: it was signed before the newest change of keys or limits.
    """
    rows = []
    for one in signed:
        signature = b64decode(one.signature)
        statement = read_statement(one.statement.encode())
        key = check_signature(signature, one.statement.encode(), context.vault.verifies)
        rows.append(signature_row(statement, signature, key))
    require_order(newest_of(rows), read_control(context, work).changed_at)
    shown = {"action": act.action} if leaf_type is LeafType.APPROVAL else {}
    leaf = shared_act_leaf(leaf_type, act.digest, {**shown, **act.public}, rows)
    return work.log.append(leaf).index


def touches_voters(context: Context, work: UnitOfWork, member: Member | None) -> bool:
    """Return whether an act that takes a member's vote changes who may vote in an open vote."""
    return (
        member is not None
        and bool(work.proposals.all(ProposalStatus.OPEN))
        and member.id in work.electors.member_ids(context.now())
    )
