"""Approvals: actions over a limit wait until enough operators have signed them.

A use case calls `require_approval` in its transaction, before it changes anything. Over the
limit the action is stored, and the use case returns. Approving it runs the same use case again,
with `Context.approved`; one transaction then holds the approval, its leaf, and the action.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple, NoReturn

from jara.domain.control.effects import Touch, rule_for
from jara.domain.control.ssh import BadSignature
from jara.domain.control.state import Control, Outlay, SameSigner
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.errors import (
    Conflict,
    FundOverdrawn,
    InvalidInput,
    JaraError,
    NotFound,
    YearLocked,
)
from jara.domain.lookup import choose_one
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import SALT_BYTES, LeafType, salt_at
from jara.records.operations import Approval
from jara.services.audit import record_act
from jara.services.authority import (
    APPROVE,
    Authority,
    append_leaf,
    authorise,
    collect_signers,
    describe_rule,
    has_enough,
    limits_in_force,
    read_control,
)
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.store.store import TrialStore
from jara.store.unit_of_work import UnitOfWork

WAITING = "waiting"
CARRYING_OUT = "carrying_out"
"""Approved, and in progress at the payment provider; if that fails, it waits again."""
INTERRUPTED_AFTER = timedelta(minutes=10)
"""After so long, an act that is `carrying_out` was interrupted: every call has ended by then."""
APPROVED = "approved"
REFUSED = "refused"

SALT = "salt"
"""Payload key: the salt of the entry's leaf, which links the approval's leaf to the entry."""

BECAUSE = "because"
"""Payload key: the limit or the rule for which an act waits, in words."""

_NOTHING = Outlay(0)


class InProgress(Conflict):
    """Somebody else carries an act out at this moment."""


_IMPOSSIBLE = (Conflict, InvalidInput, NotFound)
_PASSING = (FundOverdrawn, InProgress, SameSigner, YearLocked)
"""Errors that say that an act can never be done as it was prepared, but for those that pass."""

FAIL = "approvals.fail"
REFUSE = "approvals.refuse"

Handler = Callable[[Context, Mapping[str, Any]], object]
"""Carries out an approved action from its stored payload."""


class CarriedOut(NamedTuple):
    """An approval after another signature, and the result if it was carried out."""

    approval: Approval
    result: object


class Shared(NamedTuple):
    """An act that several operators sign; see `require_approval`."""

    action: str
    payload: Mapping[str, Any]
    why: str
    public: Mapping[str, Any]  # the part that the log shows
    leaf_type: LeafType
    touches: Sequence[Touch] = ()
    """What it touches; by default everything that its row in the table of effects says."""
    is_outside: bool = False  # whether the payment provider carries it out, outside the transaction

    def is_logged(self, authority: Authority) -> bool:
        """Return whether it has a leaf; an approval without signatures proves nothing to others."""
        return authority.act is not None or self.leaf_type is not LeafType.APPROVAL


def require_approval(
    context: Context,
    work: UnitOfWork,
    *,
    action: str,
    payload: Mapping[str, Any],
    why: str,
    outlay: Outlay = _NOTHING,
    touches: Sequence[Touch] = (),
    spends: Callable[[bytes], Mapping[str, Any]] | None = None,
    is_outside: bool = False,
) -> Approval | None:
    """Return None if one person may do it alone; otherwise store it until it is approved.

    The table of effects says which rule there is for the action.

    Args:
        action: the handler's name, such as ``projects.pay``.
        payload: what the handler needs, as a JSON document.
        why: the reason, shown to the other operators.
        outlay: what it takes out, with the sums of its day.
        touches: what it touches this time; by default everything that the table says.
        spends: makes the fields that bind the approval to what follows its leaf; for entries, from
            the first one's salt.
        is_outside: whether the payment provider carries it out.

    Returns:
        None to continue, or the stored approval: then change nothing else.
    """
    if context.approved is None and not needs_another(context, work, action, touches, outlay):
        return None
    salt = salt_of(context) or context.entropy.token(SALT_BYTES)
    stored = {"cents": outlay.cents, **payload, **context.papers_payload, SALT: salt.hex()}
    if context.approved is None:
        stored[BECAUSE] = describe_rule(context, work, action, touches, outlay)
    return share(
        context,
        work,
        Shared(
            action=action,
            payload=stored,
            why=why,
            public={} if spends is None else spends(salt),
            leaf_type=LeafType.APPROVAL,
            touches=touches,
            is_outside=is_outside,
        ),
    )


def needs_another(
    context: Context,
    work: UnitOfWork,
    action: str,
    touches: Sequence[Touch] = (),
    outlay: Outlay = _NOTHING,
) -> bool:
    """Return whether one person may not do it alone; see `require_approval`."""
    control = read_control(context, work)
    return control.needs_another(
        rule_for(action, touches), limits_in_force(context, control), outlay
    )


def salt_of(context: Context, number: int = 0) -> bytes | None:
    """Return the salt for the leaf of an entry that is approved; None for any other entry.

    `number` is the place of the entry among those that the approval is for.
    """
    if context.approved is None:
        return None
    return salt_at(bytes.fromhex(context.approved.payload[SALT]), number)


def share(context: Context, work: UnitOfWork, shared: Shared) -> Approval | None:
    """Return None if enough operators have signed; otherwise store the act until they have."""
    if context.approved is not None:
        if isinstance(context.store, TrialStore):
            _try_signatures(context, work, context.approved, shared)
        return _settle(context, work, context.approved, shared)
    approval = Approval(
        id=context.new_key("appr_"),
        action=shared.action,
        payload=shared.payload,
        why=shared.why,
        state=WAITING,
        prepared_by=context.operator,
        prepared_at=context.now(),
    )
    act = _act_of(context, work, approval, shared)
    authority = authorise(context, work, shared.action, act=act, approval=approval.id)
    if people_needed(context, work, shared.action, shared.touches) == 1:
        signed = [] if authority.act is None else [authority.act]
        append_leaf(context, work, act, signed, shared.leaf_type)
        return None
    approval = approval._replace(prepared_by=authority.name)
    _put(context, work, approval)
    _record(context, work, "approvals.prepare", approval, shared.why)
    return approval


def people_needed(
    context: Context, work: UnitOfWork, action: str, touches: Sequence[Touch] = ()
) -> int:
    """Return how many people must sign an act that waits, including the one who asks."""
    control = read_control(context, work)
    return control.people_for(rule_for(action, touches), limits_in_force(context, control))


def list_approvals(context: Context, *, include_decided: bool = False) -> list[Approval]:
    """Return the waiting approvals, oldest first; optionally the decided ones too."""
    with context.store.read() as work:
        return work.operations.approvals(waiting_only=not include_decided)


def approve(context: Context, text: str, *, handlers: Mapping[str, Handler]) -> CarriedOut:
    """Sign a waiting action as another operator, and carry it out if that is enough.

    One that fails at the provider, or for want of money, waits again; one that has become
    impossible is refused with its reason. One interrupted at the provider stays `carrying_out`,
    and is carried out by the next approval, ten minutes later at the earliest.

    Raises:
        NotFound: there is no such approval.
        Conflict: the operator signed it already, or it is decided already.
        Refused: a signature is not valid, or the action is not the signed one.
    """
    with context.store.read() as work:
        waiting = find_approval(work, text)
    _require_state(waiting, WAITING, CARRYING_OUT)
    if waiting.state == CARRYING_OUT:
        _require_interrupted(context, waiting)
    handler = handlers.get(waiting.action)
    if handler is None:
        raise NotFound(f"There is no handler for '{waiting.action}' of {waiting.id}.")
    try:
        result = handler(replace(context, approved=waiting), waiting.payload)
    except JaraError as error:
        _settle_failure(context, waiting, error)
        raise
    with context.store.read() as work:
        after = find_approval(work, waiting.id)
    if after.state == CARRYING_OUT:
        after = after._replace(state=APPROVED)
        with context.store.write() as work:
            _put(context, work, after)
    return CarriedOut(after, result)


def refuse(context: Context, text: str, *, why: str) -> Approval:
    """Refuse a waiting action, or settle an interrupted one; nothing is carried out.

    Raises:
        NotFound: there is no such approval.
        Conflict: it is decided already.
    """
    with context.store.write() as work:
        return refuse_within(context, work, find_approval(work, text), why=why)


def refuse_within(context: Context, work: UnitOfWork, waiting: Approval, *, why: str) -> Approval:
    """Refuse a waiting action in the caller's transaction; see `refuse`."""
    _require_state(waiting, WAITING, CARRYING_OUT)
    refused = _decide(context, work, waiting, REFUSED, authorise(context, work, REFUSE))
    _record(context, work, REFUSE, waiting, why)
    return refused


class _StillPossibleError(Exception):
    """A trial came as far as another operator's signature."""


def find_obstacle(context: Context, waiting: Approval, handlers: Mapping[str, Handler]) -> str:
    """Return why a waiting act can never be done as it was asked for; empty if it may be.

    Its use case runs up to the signature that is missing. Nothing is changed, and what may still
    pass, such as a lack of money, is no obstacle.
    """
    if waiting.state != WAITING or waiting.decided_at is not None:
        return ""  # at the payment provider, or it failed there and may be tried again
    handler = handlers.get(waiting.action)
    if handler is None:
        return f"This version has no act '{waiting.action}'."
    nothing: Any = None  # a trial asks the payment provider nothing
    with context.store.trial() as store, suppress(_StillPossibleError):
        trial = replace(context, store=store, approved=waiting, gateway=nothing)
        try:
            handler(trial, waiting.payload)
        except JaraError as error:
            if isinstance(error, BadSignature) or _is_final(error):
                return error.message
    return ""


def drop_impossible(context: Context, handlers: Mapping[str, Handler]) -> list[tuple[str, str]]:
    """Refuse each waiting act that can never be done; return their ids with the reasons."""
    dropped = []
    for waiting in list_approvals(context):
        reason = find_obstacle(context, waiting, handlers)
        if not reason:
            continue
        with context.store.write() as work:
            if find_approval(work, waiting.id) != waiting:
                continue  # decided in between
            _decide(context, work, waiting, REFUSED, authorise(context, work, FAIL))
            _record(context, work, FAIL, waiting, reason)
        dropped.append((waiting.id, reason))
    return dropped


def describe_waiting(approval: Approval) -> str:
    """Return the message that an action waits for approval."""
    what = format_cents(approval.cents) if approval.cents else "This"
    because = approval.payload.get(BECAUSE)
    reason = f": {because}" if because else ""
    return (
        f"{what} needs another operator's approval{reason}; it waits as "
        f"{approval.id}: jara approvals approve {approval.id}"
    )


def find_approval(work: UnitOfWork, text: str) -> Approval:
    """Return the approval with that id or a unique prefix of it.

    Raises:
        NotFound: no id matches.
        Conflict: several ids match.
    """
    known = work.operations.approvals(waiting_only=False)
    found = [a for a in known if a.id.removeprefix("appr_").startswith(text.removeprefix("appr_"))]
    missing = f"There is no approval '{text}'; see `jara approvals list`."
    return choose_one(text, found, kinds="approvals", label=lambda a: a.id, missing=missing)


def require_not_waiting(
    work: UnitOfWork, action: str, payload: Mapping[str, Any], label: str
) -> None:
    """Require that no act waits whose payload has these values; a Conflict names one that does."""
    for one in work.operations.approvals(waiting_only=True):
        if one.action == action and payload.items() <= one.payload.items():
            raise Conflict(f"{label} waits as {one.id}: jara approvals approve {one.id}")


def _settle(
    context: Context, work: UnitOfWork, approved: Approval, shared: Shared
) -> Approval | None:
    """Add a signature to an approval; None when the action may be carried out now."""
    waiting = find_approval(work, approved.id)
    _require_state(waiting, WAITING, CARRYING_OUT)
    if (waiting.action, waiting.payload) != (shared.action, approved.payload):
        raise Conflict(f"{waiting.id} changed in the meantime; look at it again.")
    control = read_control(context, work)
    act = _act_of(context, work, waiting, shared)
    before = collect_signers(context, work, control, act, waiting.id)
    if waiting.state == CARRYING_OUT:
        _continue(context, work, control, before, waiting, shared)
        return None
    authority = authorise(context, work, APPROVE, act=act, approval=waiting.id)
    if authority.act is None:
        is_enough = _is_somebody_else(waiting, authority)
    else:
        failed = waiting.decided_at is not None  # at the provider, after its leaf was appended
        signers = control.join(before, authority.act.key, waiting.id, again=failed)
        control.require_counting(authority.act.key, waiting.cents)
        needed = people_needed(context, work, shared.action, shared.touches)
        is_enough = has_enough(control, signers, needed, waiting.id, waiting.cents)
    if not is_enough:
        _record(context, work, "approvals.sign", waiting, "")
        return waiting
    if waiting.decided_at is None and shared.is_logged(authority):
        append_leaf(context, work, act, work.operations.signed_for(waiting.id), shared.leaf_type)
    state = CARRYING_OUT if shared.is_outside else APPROVED
    if shared.is_outside:
        context.signed.carrying.add(waiting.id)
    _decide(context, work, waiting, state, authority)
    _record(context, work, APPROVE, waiting, "")
    return None


def _try_signatures(
    context: Context, work: UnitOfWork, waiting: Approval, shared: Shared
) -> NoReturn:
    """End a trial: the act is possible if the signatures until now still count.

    Raises:
        BadSignature: they do not.
    """
    control = read_control(context, work)
    if control.needs_keys:
        act = _act_of(context, work, waiting, shared)
        signers = collect_signers(context, work, control, act, waiting.id)
        control.people_of(signers, waiting.id)
    raise _StillPossibleError


def _is_final(error: JaraError) -> bool:
    """Return whether an error says that an act can never be done as it was asked for."""
    return isinstance(error, _IMPOSSIBLE) and not isinstance(error, _PASSING)


def _continue(
    context: Context,
    work: UnitOfWork,
    control: Control,
    signers: Sequence[str],
    waiting: Approval,
    shared: Shared,
) -> None:
    """Let an act that was interrupted at the provider go on, if enough people have signed it.

    Raises:
        Conflict: somebody else has just done that, or signatures are missing.
    """
    _require_interrupted(context, waiting)
    needed = people_needed(context, work, shared.action, shared.touches)
    if control.needs_keys and not has_enough(control, signers, needed, waiting.id, waiting.cents):
        raise Conflict(f"{waiting.id} lacks signatures; refuse it, and ask again.")
    _decide(context, work, waiting, CARRYING_OUT, authorise(context, work, APPROVE))
    _record(context, work, APPROVE, waiting, "")


def is_continued(context: Context) -> bool:
    """Return whether an act goes on that was interrupted at the payment provider."""
    return context.approved is not None and context.approved.state == CARRYING_OUT


def _require_interrupted(context: Context, waiting: Approval) -> None:
    until = (waiting.decided_at or context.now()) + INTERRUPTED_AFTER
    if context.now() < until:
        raise InProgress(
            f"'{waiting.decided_by}' is carrying out {waiting.id}; if it was interrupted, approve "
            f"it again after {context.zone.minute(until)}."
        )


def _is_somebody_else(waiting: Approval, by: Authority) -> bool:
    if waiting.prepared_by == by.name:
        raise SameSigner(
            f"'{by.name}' prepared {waiting.id}; it needs another operator's approval."
        )
    return True


def digest_of_act(context: Context, work: UnitOfWork, approval: Approval) -> str:
    """Return the digest of an act, which its signatures cover."""
    organisation = organisation_key(context, work)
    return digest_of(approval.id, approval.action, approval.payload, organisation)


def _act_of(context: Context, work: UnitOfWork, approval: Approval, shared: Shared) -> SharedAct:
    digest = digest_of_act(context, work, approval)
    return SharedAct(approval.action, digest, shared.public)


def _settle_failure(context: Context, before: Approval, error: JaraError) -> None:
    """Let an action that failed at the provider wait again; refuse one that became impossible."""
    with context.store.write() as work:
        failed = find_approval(work, before.id)
        if before.state == CARRYING_OUT:  # a second attempt, after an interruption
            if failed.state != CARRYING_OUT or not _is_final(error):
                return
            _decide(context, work, failed, REFUSED, authorise(context, work, APPROVE))
        elif failed.state == CARRYING_OUT and before.id in context.signed.carrying:
            context.signed.carrying.remove(before.id)
            work.operations.put_approval(failed._replace(state=WAITING))
        elif failed.state == WAITING and failed.decided_at is None and _is_final(error):
            _decide(context, work, failed, REFUSED, authorise(context, work, APPROVE))
        else:
            return
        _record(context, work, FAIL, failed, error.message)


def _require_state(approval: Approval, *states: str) -> None:
    if approval.state not in states:
        by = f" by '{approval.decided_by}'" if approval.decided_by else ""
        raise Conflict(f"{approval.id} is {approval.state}{by} already.")


def _decide(
    context: Context, work: UnitOfWork, approval: Approval, state: str, authority: Authority
) -> Approval:
    decided = approval._replace(state=state, decided_by=authority.name, decided_at=context.now())
    _put(context, work, decided)
    return decided


def _put(context: Context, work: UnitOfWork, approval: Approval) -> None:
    work.operations.put_approval(approval)
    if approval.state == CARRYING_OUT:
        return  # the provider may still refuse
    for listener in context.on_approval:
        listener(context, work, approval)


def _record(context: Context, work: UnitOfWork, action: str, approval: Approval, why: str) -> None:
    facts = {"action": approval.action, "cents": approval.cents}
    record_act(context, work, action, approval.id, why=why, facts=facts)
