"""Operators: who may run commands, and with which keys.

Until an operator is listed, anyone who can open the database may act. From the first key on,
nothing changes without the signature of an enrolled key.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from jara.domain.control.roles import Role, parse_roles, require_passkey_roles
from jara.domain.control.ssh import parse_public_key
from jara.domain.control.state import ADD_ACTION, REMOVE_ACTION, Control
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.giving.member import parse_email, parse_name
from jara.domain.lookup import as_it_looks, mixes_scripts
from jara.domain.pay_details import pay_details
from jara.records.operations import Approval, AuditRow, Operator
from jara.services.approvals import Handler
from jara.services.audit import record_act, require_operator
from jara.services.authority import active_operators, read_control
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.services.operations.control import NewKey, add_first_key, add_key, keys_of, remove_key
from jara.store.unit_of_work import UnitOfWork

NAME_MAX = 100
INVITE_ACTION = "operators.invite"
ADDRESS_ACTION = "operators.address"


class OperatorKey(NamedTuple):
    """A key of an operator, as it is listed."""

    fingerprint: str
    kind: str
    roles: tuple[Role, ...]


class ListedOperator(NamedTuple):
    """An operator, with the keys in force."""

    operator: Operator
    keys: tuple[OperatorKey, ...]


def list_operators(context: Context) -> list[ListedOperator]:
    """Return every operator ever added, by name, including removed ones."""
    with context.store.read() as work:
        control, names = read_control(context, work), work.operations.key_names()
        return [
            ListedOperator(
                operator,
                tuple(
                    OperatorKey(fingerprint, one.key.kind, tuple(sorted(one.roles)))
                    for fingerprint, one in control.keys.items()
                    if names.get(fingerprint) == operator.name
                ),
            )
            for operator in work.operations.operators()
        ]


def invite_operator(context: Context, name: str, *, email: str) -> None:
    """Email instructions for becoming an operator; only an enrolled key makes somebody one.

    Raises:
        InvalidInput: the address or the name is invalid.
        Conflict: that operator is listed already.
        Refused: operators are listed, and the acting one is not among them.
    """
    address, invited = parse_email(email), parse_name(name, "operator's name")
    with context.store.write() as work:
        require_operator(context, work, INVITE_ACTION)
        if invited in active_operators(work):
            raise Conflict(f"'{invited}' is an operator already.")
        values = {"firstname": "", "name": invited, "inviter": context.operator}
        queue_email(context, work, "operator_invitation", address=address, values=values)
        record_act(context, work, INVITE_ACTION, invited)


def list_acts(context: Context, *, subject: str | None = None, limit: int) -> list[AuditRow]:
    """Return the newest rows of the audit log, oldest first; optionally of one subject."""
    with context.store.read() as work:
        return work.operations.audit(subject=subject)[-limit:]


def add_operator(
    context: Context,
    name: str,
    *,
    key: str | None = None,
    roles: tuple[str, ...] = (),
    why: str = "",
    email: str = "",
) -> Operator | Approval:
    """Add an operator or a key; the first one must add themselves.

    The first key is trusted because it is the first, and signs for itself. Every later one is
    signed by as many operators as the policy asks for, or by all while there are fewer. `key` is
    the OpenSSH public key, which may be used for the roles; None to list a name only. `email` is
    the operator's address, unless there is one.

    Returns:
        The operator, or the approval that it waits for.

    Raises:
        InvalidInput: the name, the key or a role is not valid, or a key is missing.
        Conflict: the name or the key is listed already, or the first operator would be
            someone else.
        Refused: the acting operator may not.
    """
    name = parse_operator_name(name)
    parsed = None if key is None else parse_public_key(key)
    parsed_roles = parse_roles(roles)
    if parsed is not None and parsed.is_passkey:
        parsed_roles = parsed_roles or frozenset({Role.APPROVER})
        require_passkey_roles(parsed_roles)
    with context.store.write() as work:
        _require_own_spelling(work, name)
        control = read_control(context, work)
        if parsed is None:
            return _add_name(context, work, control, name, why)
        new = NewKey(name, parsed, parsed_roles, why, email)
        if not control.needs_keys:
            return add_first_key(context, work, new)
        return add_key(context, work, control, new)


def set_address(context: Context, name: str, *, email: str) -> Operator:
    """Set the address that gets notice of changed ways to pay; an empty one removes it.

    The old and the new address get an email.

    Raises:
        NotFound: there is no operator of that name.
        InvalidInput: it is not an email address.
        Refused: the acting operator may not.
    """
    address = parse_email(email) if email else ""
    with context.store.write() as work:
        require_operator(context, work, ADDRESS_ACTION)
        listed = active_operators(work)
        if name not in listed:
            raise NotFound(f"'{name}' is not an operator.")
        before = listed[name]
        operator = before._replace(email=address)
        work.operations.put_operator(operator)
        record_act(context, work, ADDRESS_ACTION, name, changed=("email",))
        values = {"firstname": "", "name": name, "address": address, "operator": context.operator}
        for one in sorted({before.email, address} - {""}):
            queue_email(context, work, "operator_address", address=one, values=values)
    return operator


def remove_operator(
    context: Context, name: str, *, key: str | None = None, why: str = ""
) -> Operator | Approval:
    """Remove an operator, or one of their keys; their actions stay in the audit log.

    Returns:
        The operator, or the approval that it waits for.

    Raises:
        NotFound: there is no operator of that name, or the operator has no such key.
        Conflict: it is the last operator, or the last key that may change keys.
        InvalidInput: the operator has several keys, and none is named.
        Refused: the acting operator may not.
    """
    with context.store.write() as work:
        listed = active_operators(work)
        if name not in listed:
            require_operator(context, work, REMOVE_ACTION)
            raise NotFound(f"'{name}' is not an operator.")
        control = read_control(context, work)
        if keys_of(work, control, name):
            return remove_key(context, work, control, listed[name], key, why)
        return _remove_name(context, work, listed, name, why)


def parse_operator_name(name: str) -> str:
    """Return an operator's name without blanks around it.

    Raises:
        InvalidInput: it is empty, too long, cannot be printed, or says where to send money.
    """
    name = name.strip()
    if pay_details(name, ""):
        raise InvalidInput("An operator's name, which emails have, must not say where to pay.")
    if not name or len(name) > NAME_MAX or not name.isprintable():
        raise InvalidInput(
            f"'{name[:NAME_MAX]}' is not a valid name; use 1 to {NAME_MAX} printable characters."
        )
    if any(map(mixes_scripts, name.split())):
        raise InvalidInput(
            f"'{name}' has letters of two scripts in one word, which can look like another name; "
            "write each word in one script."
        )
    return name


def _require_own_spelling(work: UnitOfWork, name: str) -> None:
    """Check that a name is not that of another operator in another spelling."""
    listed = active_operators(work)
    for known in () if name in listed else listed:
        if as_it_looks(known) == as_it_looks(name):
            raise Conflict(f"'{name}' reads like the operator '{known}'; use that name or another.")


def _add_name(
    context: Context, work: UnitOfWork, control: Control, name: str, why: str
) -> Operator:
    require_operator(context, work, ADD_ACTION)
    if control.needs_keys:
        raise InvalidInput("Operators of this organisation have keys; name one: --key FILE.")
    if name in active_operators(work):
        raise Conflict(f"'{name}' is an operator already.")
    _require_oneself(context, work, name)
    operator = Operator(name, context.now())
    work.operations.put_operator(operator)
    record_act(context, work, ADD_ACTION, name, why=why)
    return operator


def _require_oneself(context: Context, work: UnitOfWork, name: str) -> None:
    if not active_operators(work) and name != context.operator:
        raise Conflict(
            f"Nobody is listed yet, and listing '{name}' would lock you out; "
            f"begin with yourself: jara operators add {context.operator}"
        )


def _remove_name(
    context: Context, work: UnitOfWork, listed: Mapping[str, Operator], name: str, why: str
) -> Operator:
    require_operator(context, work, REMOVE_ACTION)
    if len(listed) == 1:
        raise Conflict(f"'{name}' is the last operator; add another one first.")
    removed = listed[name]._replace(removed_at=context.now())
    record_act(context, work, REMOVE_ACTION, name, why=why)  # while one is listed
    work.operations.put_operator(removed)
    return removed


def _add_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return add_operator(
        context,
        payload["name"],
        key=payload["publicKey"],
        roles=tuple(payload["roles"]),
        why=payload["why"],
        email=payload.get("email", ""),
    )


def _remove_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return remove_operator(context, payload["name"], key=payload["key"], why=payload["why"])


HANDLERS: Mapping[str, Handler] = {ADD_ACTION: _add_approved, REMOVE_ACTION: _remove_approved}
