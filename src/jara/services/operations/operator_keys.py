"""Operators' keys: enrolling and removing them, with the required signatures."""

from __future__ import annotations

from typing import Any, NamedTuple

from jara.domain.control.roles import Role
from jara.domain.control.ssh import BadSignature, PublicKey
from jara.domain.control.state import (
    ADD,
    ADD_ACTION,
    REMOVE,
    REMOVE_ACTION,
    Control,
    require_free,
)
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.records.operations import Approval, Operator
from jara.services.approvals import Shared, share
from jara.services.audit import record_act, require_operator
from jara.services.authority import active_operators, sign
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.operations.control_policy import store_first_limits
from jara.services.signatures import append_leaf
from jara.store.unit_of_work import UnitOfWork

FIRST_ROLES = frozenset({Role.ADMIN})
LATER_ROLES = frozenset({Role.APPROVER, Role.BOOKKEEPER, Role.EDITOR})
"""The default roles of every key after the first."""


class NewKey(NamedTuple):
    """A key to enrol: whose it is, what it may be used for, and why."""

    name: str
    key: PublicKey
    roles: frozenset[Role]
    why: str


def add_first_key(context: Context, work: UnitOfWork, new: NewKey) -> Operator:
    """Enrol the first key, which signs for itself; the limits in force become part of the log.

    Raises:
        Conflict: it is for another operator.
        InvalidInput: it lacks the role 'admin'.
    """
    require_operator(context, work, ADD_ACTION)
    if new.name != context.operator:
        raise Conflict(
            f"The first key must be your own: jara operators add {context.operator} --key FILE"
        )
    new = new._replace(roles=new.roles or FIRST_ROLES)
    if Role.ADMIN not in new.roles:
        raise InvalidInput("The first key has the role 'admin'; nobody else could add others.")
    store_first_limits(context, work)
    person = context.new_key("op_")
    public = _public(ADD, new.key, person, new.roles)
    digest = digest_of(person, ADD_ACTION, public, organisation_key(context, work))
    act = SharedAct(ADD_ACTION, digest, public)
    append_leaf(
        context, work, act, [sign(context, work, [new.key], act=act)], LeafType.OPERATOR_KEY
    )
    return _store(context, work, new)


def add_key(
    context: Context, work: UnitOfWork, control: Control, new: NewKey
) -> Operator | Approval:
    """Enrol a key with the signatures of other operators.

    Raises:
        Conflict: the key is enrolled, or belonged to another operator.
    """
    new = new._replace(roles=new.roles or LATER_ROLES)
    person = _person_of(context, work, control, new.name)
    try:
        require_free(control, new.key.fingerprint, person)
    except BadSignature as error:
        raise Conflict(error.message) from None
    shared = Shared(
        action=ADD_ACTION,
        payload={
            "name": new.name,
            "publicKey": new.key.text(),
            "roles": sorted(new.roles),
            "person": person,
            "why": new.why,
        },
        why=new.why,
        public=_public(ADD, new.key, person, new.roles),
        leaf_type=LeafType.OPERATOR_KEY,
        needed=control.signatures_for_change,
    )
    return share(context, work, shared) or _store(context, work, new)


def remove_key(
    context: Context,
    work: UnitOfWork,
    control: Control,
    operator: Operator,
    wanted: str | None,
    why: str,
) -> Operator | Approval:
    """Remove an operator's key with the signatures of other operators.

    Raises:
        NotFound: the operator has no such key.
        InvalidInput: the operator has several, and none is named.
        Conflict: it is the last key that may change keys.
    """
    keys = keys_of(work, control, operator.name)
    fingerprint = _choose(operator.name, keys, wanted)
    _require_admin_left(control, fingerprint)
    one = control.keys[fingerprint]
    shared = Shared(
        action=REMOVE_ACTION,
        payload={"name": operator.name, "key": fingerprint, "why": why},
        why=why,
        public=_public(REMOVE, one.key, one.person, one.roles),
        leaf_type=LeafType.OPERATOR_KEY,
        needed=control.signatures_for_change,
    )
    waiting = share(context, work, shared)
    if waiting is not None:
        return waiting
    if len(keys) == 1:
        operator = operator._replace(removed_at=context.now())
        work.operations.put_operator(operator)
    facts = {"key": fingerprint}
    record_act(context, work, REMOVE_ACTION, operator.name, why=why, facts=facts)
    return operator


def keys_of(work: UnitOfWork, control: Control, name: str) -> list[str]:
    """Return the fingerprints of an operator's keys in force."""
    names = work.operations.key_names()
    return [fingerprint for fingerprint in control.keys if names.get(fingerprint) == name]


def _person_of(context: Context, work: UnitOfWork, control: Control, name: str) -> str:
    """Return the random id that the log uses for an operator."""
    if context.approved is not None:
        return str(context.approved.payload["person"])
    names = work.operations.key_names()
    known = [person for key, person in control.persons.items() if names.get(key) == name]
    return known[0] if known else context.new_key("op_")


def _store(context: Context, work: UnitOfWork, new: NewKey) -> Operator:
    work.operations.name_key(new.key.fingerprint, new.name)
    operator = active_operators(work).get(new.name)
    if operator is None:
        operator = Operator(new.name, context.now())
        work.operations.put_operator(operator)
    facts = {"key": new.key.fingerprint, "roles": sorted(new.roles)}
    record_act(context, work, ADD_ACTION, new.name, why=new.why, facts=facts)
    return operator


def _choose(name: str, keys: list[str], wanted: str | None) -> str:
    found = [key for key in keys if wanted is None or key == wanted]
    if not found:
        raise NotFound(f"'{name}' has no key {wanted}; the keys are {', '.join(keys)}.")
    if len(found) > 1:
        raise InvalidInput(f"'{name}' has {len(found)} keys; say which: --key {found[0]}")
    return found[0]


def _require_admin_left(control: Control, fingerprint: str) -> None:
    others = [one for known, one in control.keys.items() if known != fingerprint]
    if not any(Role.ADMIN in one.roles for one in others):
        raise Conflict(
            f"{fingerprint} is the last key with the role 'admin'; add another one first."
        )


def _public(change: str, key: PublicKey, person: str, roles: frozenset[Role]) -> dict[str, Any]:
    return {
        "change": change,
        "key": key.fingerprint,
        "person": person,
        "public_key": key.text(),
        "roles": sorted(roles),
    }
