"""The signatures under an act that several operators sign, and its leaf in the public log."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Sequence

from jara.domain.control.ssh import BadSignature, check_signature
from jara.domain.control.state import Control, newest_of, require_order
from jara.domain.control.statement import SharedAct, read_statement, signature_row
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.records.operations import SignedAct
from jara.services.authority import read_control
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.store.unit_of_work import UnitOfWork


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
            raise BadSignature(f"{approval} is not what '{signed.operator}' signed; refuse it.")
        key = check_signature(
            b64decode(signed.signature), signed.statement.encode(), context.vault.verifies
        )
        keys.append(key.fingerprint)
    if control.needs_keys and not keys:
        raise BadSignature(f"Nobody signed {approval}; refuse it and prepare it again.")
    return keys


def has_enough(control: Control, signers: Iterable[str], needed: int, what: str) -> bool:
    """Return whether enough different people signed, all but one of them as approvers.

    Raises:
        BadSignature: one of the keys is not enrolled, or lacks the role.
    """
    people, approvers = control.people_of(signers, what)
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
