"""Signing in and out, and a forgotten password."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.members.profiles import (
    check_reset_code,
    request_password_reset,
    reset_password,
)
from jara.services.members.sessions import (
    end_device,
    is_this_device,
    list_devices,
    sign_in,
    sign_out,
    sign_out_everywhere,
)
from jara_webapi.calls.operations import Access, Call, operation
from jara_webapi.schemas.accounts import (
    DeviceLine,
    ForgottenPassword,
    KnownDevice,
    NewPassword,
    SignIn,
)
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import MailedCode


class Login:
    """Signing in."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=KnownDevice, body=SignIn, refuses=(401, 429))
    def on_post(self, call: Call, body: SignIn) -> KnownDevice:
        """Sign in."""
        signed_in = sign_in(
            self._app.context,
            self._app.tokens,
            self._app.limits,
            email=body.email,
            password=body.password,
            address=call.address,
            device=body.device,
            label=call.device,
        )
        return KnownDevice(
            message="Login successful", token=signed_in.token, device=signed_in.device
        )


class Logout:
    """Signing out here."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, access=Access.MEMBER, before_payment=True)
    def on_post(self, call: Call) -> Done:
        """Sign out; this session's tokens become invalid."""
        sign_out(self._app.context, call.signed_in.claims)
        call.req.context["session_ended"] = True
        return Done(message="You are signed out.")


class LogoutEverywhere:
    """Signing out on every device."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, access=Access.MEMBER, before_payment=True)
    def on_post(self, call: Call) -> Done:
        """Sign out everywhere; every token of the member becomes invalid."""
        sign_out_everywhere(self._app.context, call.member.id)
        call.req.context["session_ended"] = True
        return Done(message="You are signed out everywhere.")


class Sessions:
    """Where the member is signed in."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=list[DeviceLine], access=Access.MEMBER)
    def on_get(self, call: Call) -> list[DeviceLine]:
        """List the devices that are signed in, with their last day of use."""
        devices = list_devices(self._app.context, call.signed_in.claims)
        return [
            DeviceLine.model_validate(one, from_attributes=True, by_name=True) for one in devices
        ]


class SessionOfDevice:
    """Signing out another device."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, access=Access.MEMBER, refuses=(404,))
    def on_delete(self, call: Call, session: str) -> Done:
        """Sign out one device."""
        context, claims = self._app.context, call.signed_in.claims
        end_device(context, call.member.id, session)
        if is_this_device(claims, session):
            call.req.context["session_ended"] = True
        return Done(message="The device is signed out.")


class ForgotPassword:
    """Forgotten passwords."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=ForgottenPassword, status=202)
    def on_post(self, call: Call, body: ForgottenPassword) -> Done:
        """Request a password reset link; the response is always the same."""
        del call
        request_password_reset(self._app.context, self._app.limits, body.email)
        return Done(message="If this address has an account, we have sent a link to it.")


class ResetCode:
    """The code of a reset link."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode)
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Check that the code from the email still works; it is not used up."""
        del call
        check_reset_code(self._app.context, body.code)
        return Done(message="This link works.")


class ResetPassword:
    """Setting a new password."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=NewPassword)
    def on_post(self, call: Call, body: NewPassword) -> Done:
        """Set a new password with the code from the email."""
        del call
        reset_password(
            self._app.context,
            code=body.code,
            password=body.new_password,
            confirmation=body.confirm_new_password,
        )
        return Done(message="Your password has been changed. Please sign in.")
