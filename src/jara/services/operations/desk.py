"""The desk: signing with a passkey, in a browser, what waits for a second signature.

Nothing is stored for it. A challenge is an ordinary statement, made by the very use case that it
is for; the browser sends it back with the passkey's answer, and the use case checks both. A
session is a token that its page keeps in memory for 15 minutes.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple

from jara.domain.control.effects import roles_for
from jara.domain.control.roles import Role
from jara.domain.control.ssh import (
    Assertion,
    BadSignature,
    NotVerified,
    PublicKey,
    WrongOrigin,
    assemble_assertion,
    bytes_to_sign,
)
from jara.domain.control.state import Control
from jara.domain.control.statement import (
    NONCE_BYTES,
    Signed,
    Statement,
    read_signed,
    read_statement,
)
from jara.domain.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    Refused,
    TooManyRequests,
    Unauthenticated,
)
from jara.records.operations import Approval, Command, SignedAct
from jara.services import approvals
from jara.services.approvals import REFUSE, WAITING, digest_of_act, find_approval
from jara.services.authority import APPROVE, read_control
from jara.services.context import Context, SignedCommand
from jara.services.log_keys import organisation_key
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.invitations import passkey_host, site_origin
from jara.services.rate_limits import Limit, Limits, acquire, release_within
from jara.store.unit_of_work import UnitOfWork

SESSION_LIFE = timedelta(minutes=15)
OPEN = "desk open"
"""The verb of the statement that opens a session."""
CALLS_IN_FIVE_MINUTES = 60
"""How often one key asks for something to sign, or signs it."""
_SIGNATURE = "desk session"
_DECIDED = "Somebody has decided on this already."


class ActChanged(Conflict):
    """What was signed is not what waits now."""

    code: ClassVar[str] = "act_changed"


class ActDecided(Conflict):
    """Somebody decided on the act in the meantime."""

    code: ClassVar[str] = "act_decided"


class OwnAct(Refused):
    """Whoever asked for an act, or signed it already, signs it again."""

    code: ClassVar[str] = "own_act"


class DeskOperator(NamedTuple):
    """Who is at the desk: the owner of a passkey in force."""

    name: str
    key: PublicKey
    roles: frozenset[Role]


class ToSign(NamedTuple):
    """What a passkey is asked to sign."""

    statement: str
    challenge: str  # what the browser hands to the passkey, in base64url
    host: str  # of the site that made the passkey


class SignedStatement(NamedTuple):
    """The statement, and what the passkey answered."""

    statement: str
    assertion: Assertion


class OpenedDesk(NamedTuple):
    """A session of the desk."""

    token: str
    operator: str
    roles: list[Role]
    expires_at: datetime


class Decision(NamedTuple):
    """What came of a signature; `leaf` is its place in the public log, if it has one."""

    id: str
    state: str
    leaf: int | None


class _Captured(Exception):
    """A use case asks for the signature of this statement."""

    def __init__(self, statement: bytes) -> None:
        super().__init__()
        self.statement = statement


class _Captures:
    """A signer that ends the use case, to see what would be signed."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def sign(self, statement: bytes, _keys: Sequence[PublicKey]) -> Signed:
        raise _Captured(statement)


class _Passkey:
    """A signer that signed before: it hands over what the browser sent."""

    def __init__(
        self, command: Command, key: PublicKey, signed: SignedStatement, site: str
    ) -> None:
        self.command = command
        self._signed = Signed(
            signed.statement.encode(), assemble_assertion(key, signed.assertion, site=site)
        )

    def sign(self, _statement: bytes, _keys: Sequence[PublicKey]) -> Signed:
        return self._signed


# ---------------------------------------------------------------- sessions


def ask_for_session(context: Context) -> ToSign:
    """Return what a passkey signs to open a session, valid for five minutes."""
    with context.store.read() as work:
        return _to_sign(context, _opening(context, work).encode())


def open_session(
    context: Context, limits: Limits, signed: SignedStatement, *, address: str
) -> OpenedDesk:
    """Open a session with a passkey's answer, which works once.

    Raises:
        NotVerified: no person was verified, or the passkey is no operator's.
        WrongOrigin: it answered at another site.
        BadSignature: the statement is of something else, or too old.
        TooManyRequests: too many failures in this network.
    """
    acquired = acquire(context, limits, (Limit.SIGN_IN_ADDRESS, address))
    with context.store.write() as work:
        made, at_desk = _read_opening(context, work, signed)
        act = SignedAct(
            nonce=made.nonce,
            at=context.now(),
            operator=at_desk.name,
            key=at_desk.key.fingerprint,
            statement=signed.statement,
            signature="",
        )
        if not work.operations.add_signed(act):
            raise NotVerified("This was used already; please try again.")
        release_within(work, acquired)
    until = context.now() + SESSION_LIFE
    token = _token(context, at_desk.key.fingerprint, until)
    return OpenedDesk(token, at_desk.name, sorted(at_desk.roles), until)


def operator_for_token(context: Context, token: str) -> DeskOperator:
    """Return whose session a token is.

    Raises:
        Unauthenticated: it is no token of the desk, is too old, or its key was removed.
    """
    body, _, proof = token.partition(".")
    expected = context.vault.keyed_hash(_SIGNATURE, body)
    ended = Unauthenticated("Your time at the desk is over; please sign in again.")
    if not hmac.compare_digest(proof.encode(), expected.encode()):
        raise ended
    key, until = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    if until <= context.now().timestamp():
        raise ended
    with context.store.read() as work:
        for one in _passkeys(context, work):
            if one.key.fingerprint == key:
                return one
    raise ended


def _token(context: Context, fingerprint: str, until: datetime) -> str:
    content = json.dumps([fingerprint, int(until.timestamp())])
    body = urlsafe_b64encode(content.encode()).decode().rstrip("=")
    return f"{body}.{context.vault.keyed_hash(_SIGNATURE, body)}"


def _opening(context: Context, work: UnitOfWork) -> Statement:
    return Statement.of(
        OPEN,
        {},
        organisation=organisation_key(context, work),
        now=context.now(),
        nonce=context.entropy.token(NONCE_BYTES),
    )


def _read_opening(
    context: Context, work: UnitOfWork, signed: SignedStatement
) -> tuple[Statement, DeskOperator]:
    """Return the statement that opens a session, and whose passkey signed it."""
    wanted, now, site = _opening(context, work), context.now(), site_origin(context)
    for one in _passkeys(context, work):
        data = assemble_assertion(one.key, signed.assertion, site=site)
        try:
            made, _key = read_signed(
                Signed(signed.statement.encode(), data),
                wanted,
                now=now,
                verify=context.vault.verifies,
            )
        except (NotVerified, WrongOrigin):
            raise
        except BadSignature:
            continue
        return made, one
    raise NotVerified("This passkey is no operator's here; ask for an invitation.")


def _passkeys(context: Context, work: UnitOfWork) -> Iterator[DeskOperator]:
    """Yield the operator of each passkey in force that was made at this site."""
    names, host = work.operations.key_names(), passkey_host(context).encode()
    for fingerprint, one in read_control(context, work).keys.items():
        if one.key.is_passkey and one.key.application == host:
            yield DeskOperator(names.get(fingerprint, ""), one.key, one.roles)


# ---------------------------------------------------------------- signing


def ask_for_signature(
    context: Context, at_desk: DeskOperator, act_id: str, *, refusal: str | None = None
) -> ToSign:
    """Return what the operator's passkey signs to approve an act, or to refuse it.

    The use case runs up to the signature, and is undone. `refusal` is the reason of a refusal; None
    to approve.

    Raises:
        NotFound: there is no such act.
        ActDecided: it is decided.
        OwnAct: the operator asked for it, or signed it.
        PhoneLimit: it takes out more than passkeys count for.
        Conflict: it can never be done any more.
        TooManyRequests: this key asked too often.
    """
    _count(context, at_desk)
    waiting = find_waiting(context, act_id)
    _require_may(context, at_desk, waiting, refusal)
    acting = _acting(context, at_desk, _Captures(_command(waiting, refusal)))
    try:
        if refusal is not None:
            approvals.refuse(acting, waiting.id, why=refusal)
        elif waiting.action in HANDLERS:
            HANDLERS[waiting.action](replace(acting, approved=waiting), waiting.payload)
    except _Captured as captured:
        return _to_sign(context, captured.statement)
    raise Conflict("This cannot be signed here.")


def decide(
    context: Context,
    at_desk: DeskOperator,
    act_id: str,
    signed: SignedStatement,
    *,
    refusal: str | None = None,
) -> Decision:
    """Approve an act with a passkey, or refuse it; the last signature carries it out.

    Raises:
        ActChanged: the statement is of another act, or of another decision.
        NotVerified: no person was verified.
        WrongOrigin: the passkey answered at another site.
        BadSignature: the signature is by another key, too old, or used before.
        JaraError: as `ask_for_signature`.
    """
    _count(context, at_desk)
    waiting = find_waiting(context, act_id)
    _require_may(context, at_desk, waiting, refusal)
    _require_same(context, waiting, signed.statement, refusal)
    command = _command(waiting, refusal)
    signer = _Passkey(command, at_desk.key, signed, site_origin(context))
    after = _run(context, at_desk, waiting, refusal, signer)
    return Decision(after.id, after.state, _leaf_of(context, after))


def _run(
    context: Context,
    at_desk: DeskOperator,
    waiting: Approval,
    refusal: str | None,
    signer: _Passkey,
) -> Approval:
    """Approve or refuse as the operator of a passkey."""
    acting = _acting(context, at_desk, signer)
    try:
        if refusal is not None:
            return approvals.refuse(acting, waiting.id, why=refusal)
        return approvals.approve(acting, waiting.id, handlers=HANDLERS).approval
    except BadSignature as error:
        # It became impossible before it was signed, and so the signature is not of its refusal.
        if isinstance(error.__context__, Conflict | InvalidInput | NotFound):
            raise error.__context__ from None
        raise
    except Conflict:
        with context.store.read() as work:
            now = find_approval(work, waiting.id)
        if now.state != WAITING and now.decided_by != at_desk.name:
            raise ActDecided(_DECIDED) from None
        raise


def _acting(context: Context, at_desk: DeskOperator, signer: _Captures | _Passkey) -> Context:
    return replace(
        context, operator=at_desk.name, signer=signer, signed=SignedCommand(), approved=None
    )


def _require_may(
    context: Context, at_desk: DeskOperator, waiting: Approval, refusal: str | None
) -> None:
    """Require that an operator may decide, before a signature is asked for."""
    action = APPROVE if refusal is None else REFUSE
    if not at_desk.roles & roles_for(action):
        raise Refused("Your role reads only; an approver decides.")
    if refusal is not None:
        if not refusal.strip():
            raise InvalidInput("A refusal needs a reason.")
        return
    with context.store.read() as work:
        control = read_control(context, work)
        if has_signed(work, control, at_desk, waiting):
            raise OwnAct("You signed this already; it needs another person.")
        control.require_counting(at_desk.key.fingerprint, waiting.cents)


def has_signed(
    work: UnitOfWork, control: Control, at_desk: DeskOperator, waiting: Approval
) -> bool:
    """Return whether a person signed an act, with whichever of their keys."""
    signers = {control.persons.get(one.key) for one in work.operations.signed_for(waiting.id)}
    return control.persons[at_desk.key.fingerprint] in signers


def _require_same(context: Context, waiting: Approval, statement: str, refusal: str | None) -> None:
    """Require that a statement is about this act as it waits now."""
    made, command = read_statement(statement.encode()), _command(waiting, refusal)
    with context.store.read() as work:
        digest = digest_of_act(context, work, waiting)
    is_same = (
        (made.verb, made.arguments) == (command.verb, command.arguments)
        if refusal is not None
        else (made.verb, made.arguments.get("act")) == (waiting.action, digest)
    )
    if not is_same:
        raise ActChanged("This is not what you signed; look at it again.")


def _command(waiting: Approval, refusal: str | None) -> Command:
    if refusal is None:
        return Command("approvals approve", {"approval": waiting.id})
    return Command("approvals refuse", {"approval": waiting.id, "why": refusal})


def find_waiting(context: Context, act_id: str) -> Approval:
    """Return an act that waits.

    Raises:
        NotFound: there is no such act.
        ActDecided: it is decided.
    """
    with context.store.read() as work:
        known = work.operations.approvals(waiting_only=False)
    found = next((one for one in known if one.id == act_id), None)
    if found is None:
        raise NotFound("There is no such act.")
    if found.state != WAITING:
        raise ActDecided(_DECIDED)
    return found


def _leaf_of(context: Context, approval: Approval) -> int | None:
    """Return the place of an act's leaf in the log."""
    with context.store.read() as work:
        wanted = digest_of_act(context, work, approval).encode()
        places = [leaf.index for leaf in work.log.control_leaves() if wanted in leaf.body]
    return places[-1] if places else None


def _count(context: Context, at_desk: DeskOperator) -> None:
    wait = context.recent.count(
        f"desk\0{at_desk.key.fingerprint}", context.now(), most=CALLS_IN_FIVE_MINUTES, seconds=300
    )
    if wait is not None:
        raise TooManyRequests(
            "Too many attempts; please wait a while and try again.",
            retry_after_seconds=int(wait.total_seconds()) + 1,
        )


def _to_sign(context: Context, statement: bytes) -> ToSign:
    challenge = urlsafe_b64encode(bytes_to_sign(statement)).decode().rstrip("=")
    return ToSign(statement.decode(), challenge, passkey_host(context))
