"""Operators' keys, and the limits on what one operator may do alone."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from jara.domain.books.account import GIFTS, PLEDGES, AccountType
from jara.domain.books.outflow import DECIDED_FUNDS
from jara.domain.control import state
from jara.domain.control.roles import Role
from jara.domain.control.ssh import BadSignature, PublicKey
from jara.domain.control.state import ADD_ACTION, APPROVALS, POLICY_ACTION, Control, Limits
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.records.operations import Approval, Operator
from jara.services.approvals import Handler, Shared, share
from jara.services.audit import record_act, require_operator
from jara.services.authority import (
    active_operators,
    append_leaf,
    limits_in_force,
    read_control,
    sign,
)
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.ways_in import log_first_ways
from jara.store.unit_of_work import UnitOfWork

FIRST_ROLES = frozenset({Role.ADMIN})
LATER_ROLES = frozenset({Role.APPROVER, Role.BOOKKEEPER, Role.EDITOR})
"""The default roles of every key after the first."""


class NewKey(NamedTuple):
    """A key to enrol: whose it is, what it may be used for, why, and the owner's address."""

    name: str
    key: PublicKey
    roles: frozenset[Role]
    why: str
    email: str = ""


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
    log_first_ways(context, work)
    person = context.new_key("op_")
    public = _public(state.ADD, new.key, person, new.roles)
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
        state.require_free(control, new.key.fingerprint, person)
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
            **({"email": new.email} if new.email else {}),
        },
        why=new.why,
        public=_public(state.ADD, new.key, person, new.roles),
        leaf_type=LeafType.OPERATOR_KEY,
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
        action=state.REMOVE_ACTION,
        payload={"name": operator.name, "key": fingerprint, "why": why},
        why=why,
        public=_public(state.REMOVE, one.key, one.person, one.roles),
        leaf_type=LeafType.OPERATOR_KEY,
    )
    waiting = share(context, work, shared)
    if waiting is not None:
        return waiting
    if len(keys) == 1:
        operator = operator._replace(removed_at=context.now())
        work.operations.put_operator(operator)
    facts = {"key": fingerprint}
    record_act(context, work, state.REMOVE_ACTION, operator.name, why=why, facts=facts)
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
    if operator is None or (new.email and not operator.email):
        operator = operator or Operator(new.name, context.now())
        operator = operator._replace(email=operator.email or new.email)
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


APPROVALS_MAX = 10
DEFAULT_LIMIT = 100
"""The limit proposed to an organisation without income, in the currency."""


def show_limits(context: Context) -> Limits:
    """Return the limits in force."""
    with context.store.read() as work:
        return limits_in_force(context, read_control(context, work))


def describe_missing_limits(context: Context, work: UnitOfWork) -> tuple[str, str] | None:
    """Return that there are no limits though two people could sign, and the command that sets them.

    Its default is what came in in the weakest of the last twelve months, or 100 of the currency.
    """
    control = read_control(context, work)
    people = len(control.approvers) if control.needs_keys else len(active_operators(work))
    if people < APPROVALS or limits_in_force(context, control).is_set:
        return None
    this_month = f"{context.today():%Y-%m}"
    months: Counter[str] = Counter()
    for row in work.journal.balances(accounts=(PLEDGES, GIFTS), by_month=True):
        months[row.month or this_month] -= row.cents
    del months[this_month]
    totals = [months[month] // 100 for month in sorted(months)[-12:]]
    amount = min((total for total in totals if total > 0), default=DEFAULT_LIMIT)
    return (
        f"There are no limits, so each of {people} operators may pay out everything alone.",
        f'jara operators policy set --limit {amount} --why "What one person may do alone"',
    )


def describe_outside(context: Context) -> str:
    """Return which asset accounts the limits do not name as ours, and what follows; or nothing."""
    with context.store.read() as work:
        control = read_control(context, work)
        accounts = work.book_settings.accounts()
    names = [name for name, kind, _ in accounts if kind == AccountType.ASSETS]
    outside = [name for name in names if control.own is not None and name not in control.own]
    if not (outside and limits_in_force(context, control).is_set):
        return ""
    return (
        f"Money moved to {' or '.join(outside)} counts as paid out until the limits are set again: "
        "jara operators policy set --limit AMOUNT --why REASON"
    )


def set_limits(context: Context, limits: Limits, *, why: str) -> Limits | Approval:
    """Set the limits; if limits or keys exist, other operators must approve the change.

    Returns:
        The limits, or the approval that they wait for.

    Raises:
        InvalidInput: no reason is given, or a value is out of range.
        Refused: the acting operator may not.
    """
    if not why.strip():
        raise InvalidInput("A change of the limits needs a reason; say --why.")
    if not APPROVALS <= limits.approvals <= APPROVALS_MAX:
        raise InvalidInput(
            f"{limits.approvals} is not a number of approvals from {APPROVALS} to "
            f"{APPROVALS_MAX}; the one who asks counts."
        )
    with context.store.write() as work:
        control = read_control(context, work)
        before = limits_in_force(context, control)
        document = {**limits.document(), **_scope(context, work)}
        waiting = share(
            context,
            work,
            Shared(
                action=POLICY_ACTION,
                payload={**document, "why": why},
                why=why,
                public=document,
                leaf_type=LeafType.CONTROL_POLICY,
            ),
        )
        if waiting is not None:
            return waiting
        record_act(
            context,
            work,
            POLICY_ACTION,
            "limits",
            why=why,
            before=before.document(),
            facts=document,
        )
    return limits


def store_first_limits(context: Context, work: UnitOfWork) -> None:
    """Before the first key, append the limits of the settings to the log, unless it has some."""
    control = read_control(context, work)
    if control.limits is not None:
        return
    limits = limits_in_force(context, control._replace(limits=Limits()))
    limits = limits._replace(total_limit_cents=limits.day_limit_cents)
    document = {**limits.document(), **_scope(context, work)}
    digest = digest_of("first", POLICY_ACTION, document, organisation_key(context, work))
    act = SharedAct(POLICY_ACTION, digest, document)
    append_leaf(context, work, act, [], LeafType.CONTROL_POLICY)


def _scope(context: Context, work: UnitOfWork) -> dict[str, list[str]]:
    """Return the asset accounts that the limits name as ours, and the funds that others decided on.

    An account that is added later is outside.
    """
    if context.approved is not None:
        payload = context.approved.payload  # earlier versions stored no funds
        return {
            name: list(payload[name])
            for name in (state.OWN_ACCOUNTS, state.DECIDED)
            if name in payload
        }
    names = (name for name, kind, _ in work.book_settings.accounts() if kind == AccountType.ASSETS)
    return {state.OWN_ACCOUNTS: sorted(names), state.DECIDED: sorted(DECIDED_FUNDS)}


def _set_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return set_limits(context, state.limits_of(payload), why=payload["why"])


HANDLERS: Mapping[str, Handler] = {POLICY_ACTION: _set_approved}
