"""The desk: what waits for a second signature, and signing it with a passkey.

Only a session of the desk opens these calls, and it opens no others; see
`jara.services.operations.desk`.
"""

from base64 import urlsafe_b64decode

from jara.bootstrap import Application
from jara.domain.control.ssh import Assertion
from jara.domain.errors import InvalidInput
from jara.languages import writer_of
from jara.records.access import PasskeyAnswer
from jara.services.context import Context
from jara.services.operations import desk, desk_acts, invitations
from jara.services.operations.desk import Decision, OpenedDesk, ToSign
from jara.services.operations.desk_acts import Desk, DeskAct, Write
from jara.services.operations.invitations import MadePasskey, OpenInvitation
from jara_webapi.calls.operations import Access, Call, Reply, get, post
from jara_webapi.schemas.accounts import DeskSignature, InvitationPasskey, Refusal, RefusalReason
from jara_webapi.schemas.public import MailedCode

_DECIDES = (403, 404, 409, 410, 422, 429)


@post(refuses=(409,))
def session_options(context: Context) -> ToSign:
    """Return what a passkey signs to open a session of the desk."""
    return desk.ask_for_session(context)


@post(refuses=(401, 403, 409, 429))
def open_session(app: Application, call: Call, body: DeskSignature) -> OpenedDesk:
    """Open a session of the desk, for 15 minutes, with the passkey's answer."""
    return desk.open_session(app.context, app.limits, _signed(body), address=call.address)


@get(access=Access.OPERATOR)
def waiting(context: Context, call: Call) -> Desk:
    """Return what waits for a signature, oldest first, and what was decided last."""
    return desk_acts.read_desk(context, call.at_desk, _writer(call))


@get(access=Access.OPERATOR, refuses=(404, 410))
def waiting_act(context: Context, call: Call, act: str) -> DeskAct:
    """Return an act that waits."""
    return desk_acts.read_act(context, call.at_desk, act, _writer(call))


@get(access=Access.OPERATOR, refuses=(404, 410), media_type="application/octet-stream")
def paper(context: Context, act: str, document: str) -> Reply:
    """Return the bytes of a document of an act that waits, by the SHA-256 that the act names."""
    _, data = desk_acts.read_paper(context, act, document)
    return Reply(data, headers={"Content-Disposition": "attachment"})


@post(access=Access.OPERATOR, body_optional=True, refuses=_DECIDES)
def options(context: Context, call: Call, act: str, body: RefusalReason) -> ToSign:
    """Return what the passkey signs to approve an act, or with a reason to refuse it."""
    return desk.ask_for_signature(context, call.at_desk, act, refusal=body.why)


@post(access=Access.OPERATOR, refuses=_DECIDES)
def approve(context: Context, call: Call, act: str, body: DeskSignature) -> Decision:
    """Approve an act with the passkey's answer; the last signature carries it out."""
    return desk.decide(context, call.at_desk, act, _signed(body))


@post(access=Access.OPERATOR, refuses=_DECIDES)
def refuse(context: Context, call: Call, act: str, body: Refusal) -> Decision:
    """Refuse an act with a reason, which is signed too."""
    return desk.decide(context, call.at_desk, act, _signed(body), refusal=body.why)


@post(refuses=(409, 422, 429))
def invitation(app: Application, call: Call, body: MailedCode) -> OpenInvitation:
    """Return the invitation of an emailed code, and what a passkey is made from."""
    return invitations.read_invitation(app.context, app.limits, body.code, address=call.address)


@post(status=201, refuses=(409, 422, 429))
def accept_invitation(app: Application, call: Call, body: InvitationPasskey) -> MadePasskey:
    """Send the passkey that a phone made; its six words are read to an admin by telephone."""
    answer = PasskeyAnswer(body.id, body.client_data, attestation=body.attestation)
    return invitations.accept_invitation(
        app.context, app.passkeys, app.limits, body.code, answer, address=call.address
    )


def _signed(body: DeskSignature) -> desk.SignedStatement:
    parts = (body.authenticator_data, body.client_data, body.signature)
    return desk.SignedStatement(body.statement, Assertion(*map(_decoded, parts)))


def _decoded(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise InvalidInput("The passkey's answer is incomplete; please try again.") from None


def _writer(call: Call) -> Write:
    return writer_of(call.language, "reports")
