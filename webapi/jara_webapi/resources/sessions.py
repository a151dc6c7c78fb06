"""Signing in and out, passkeys, and a forgotten password."""

from typing import Annotated

from jara.bootstrap import Application
from jara.domain.giving.member import Member
from jara.records.access import PasskeyAnswer
from jara.services.context import Context
from jara.services.members import passkeys, password_resets, sessions
from jara_webapi.calls.operations import Access, Call, delete, get, post
from jara_webapi.schemas import accounts
from jara_webapi.schemas.base import Document, Done, Shape
from jara_webapi.schemas.public import MailedCode


@post(refuses=(401, 429), turns="sign_in_turns")
def sign_in(app: Application, call: Call, body: accounts.SignIn) -> accounts.KnownDevice:
    """Sign in."""
    signed_in = sessions.sign_in(
        app.context,
        app.tokens,
        app.limits,
        email=body.email,
        password=body.password,
        address=call.address,
        device=body.device,
        label=call.device,
    )
    return accounts.KnownDevice(
        message="Login successful", token=signed_in.token, device=signed_in.device
    )


@post(access=Access.MEMBER, before_payment=True)
def sign_out(context: Context, call: Call) -> Done:
    """Sign out; this session's tokens become invalid."""
    sessions.sign_out(context, call.signed_in.claims)
    call.req.context["session_ended"] = True
    return Done(message="You are signed out.")


@post(access=Access.MEMBER, before_payment=True)
def sign_out_everywhere(context: Context, call: Call) -> Done:
    """Sign out everywhere: every token becomes invalid, and every passkey is removed."""
    sessions.sign_out_everywhere(context, call.member.id)
    call.req.context["session_ended"] = True
    return Done(message="You are signed out everywhere.")


@get(access=Access.MEMBER)
def devices(context: Context, call: Call) -> list[sessions.DeviceLine]:
    """List the devices that are signed in, with their last day of use."""
    return sessions.list_devices(context, call.signed_in.claims)


@delete(access=Access.MEMBER, refuses=(404,))
def sign_out_device(context: Context, call: Call, session: str) -> Done:
    """Sign out one device."""
    sessions.end_device(context, call.member.id, session)
    if sessions.is_this_device(call.signed_in.claims, session):
        call.req.context["session_ended"] = True
    return Done(message="The device is signed out.")


@post(status=202, refuses=(429,), turns="mail_turns")
def forgot_password(app: Application, call: Call, body: accounts.ForgottenPassword) -> Done:
    """Request a password reset link; the response is the same with and without an account."""
    password_resets.request_password_reset(
        app.context, app.limits, body.email, network=call.address
    )
    return Done(message="If this address has an account, we have sent a link to it.")


@post()
def check_reset_code(context: Context, body: MailedCode) -> Done:
    """Check that the code from the email still works; it is not used up."""
    password_resets.check_reset_code(context, body.code)
    return Done(message="This link works.")


@post()
def reset_password(context: Context, body: accounts.NewPassword) -> accounts.PasswordSet:
    """Set a new password with the code from the email; sessions and passkeys end."""
    device = password_resets.reset_password(
        context, code=body.code, password=body.new_password, confirmation=body.confirm_new_password
    )
    return accounts.PasswordSet(
        message="Your password has been changed. Please sign in.", device=device
    )


@get(access=Access.MEMBER)
def list_passkeys(context: Context, member: Member) -> list[accounts.PasskeyLine]:
    """List the member's passkeys."""
    return [
        accounts.PasskeyLine(id=passkey.id, name=passkey.name, added_on=passkey.added_on)
        for passkey in passkeys.list_passkeys(context, member.id)
    ]


@post(access=Access.MEMBER, status=201, refuses=(403, 409))
def add_passkey(app: Application, member: Member, body: accounts.NewPasskey) -> Done:
    """Add a passkey with the browser's answer to the options."""
    answer = PasskeyAnswer(body.id, body.client_data, attestation=body.attestation)
    passkeys.add_passkey(app.context, app.passkeys, member, body.name, answer)
    return Done(message="The passkey is added. You can sign in with it.")


@post(
    answer=Annotated[Document, Shape(accounts.CreationOptions)],
    access=Access.MEMBER,
    body_optional=True,
    refuses=(403, 429),
)
def passkey_options(app: Application, call: Call, body: accounts.Reauthentication) -> Document:
    """Return the browser's options for creating a passkey, valid for five minutes."""
    require_fresh_sign_in(app, call, body.current_password)
    return dict(passkeys.begin_adding(app.context, app.passkeys, call.member))


@delete(access=Access.MEMBER, refuses=(404,))
def remove_passkey(context: Context, member: Member, passkey: str) -> Done:
    """Remove a passkey."""
    passkeys.remove_passkey(context, member.id, passkey)
    return Done(message="The passkey is removed.")


@post(answer=Annotated[Document, Shape(accounts.RequestOptions)])
def passkey_sign_in_options(app: Application) -> Document:
    """Return the browser's options for signing in, valid for five minutes."""
    return dict(passkeys.begin_sign_in(app.context, app.passkeys))


@post(refuses=(401, 429))
def sign_in_with_passkey(
    app: Application, call: Call, body: accounts.PasskeySignIn
) -> accounts.KnownDevice:
    """Sign in with the browser's answer to the options."""
    answer = PasskeyAnswer(
        body.id,
        body.client_data,
        authenticator_data=body.authenticator_data,
        signature=body.signature,
    )
    signed_in = passkeys.sign_in_with_passkey(
        app.context,
        app.tokens,
        app.limits,
        app.passkeys,
        answer,
        address=call.address,
        label=call.device,
    )
    return accounts.KnownDevice(
        message="Login successful", token=signed_in.token, device=signed_in.device
    )


def require_fresh_sign_in(app: Application, call: Call, current_password: str | None) -> None:
    """Require the password if the caller's sign-in is old.

    Raises:
        Refused: it is old, and the password is missing or wrong.
        TooManyRequests: too many wrong passwords.
    """
    sessions.require_fresh_sign_in(
        app.context,
        app.limits,
        call.signed_in,
        current_password=current_password,
        address=call.address,
    )
