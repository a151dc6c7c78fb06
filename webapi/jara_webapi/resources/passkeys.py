"""Passkeys: adding, listing and removing them, and signing in with one."""

from __future__ import annotations

from typing import Annotated

from jara.bootstrap import Application
from jara.records.access import PasskeyAnswer
from jara.services.members.passkeys import (
    add_passkey,
    begin_adding,
    begin_sign_in,
    list_passkeys,
    remove_passkey,
    sign_in_with_passkey,
)
from jara.services.members.sessions import require_fresh_sign_in
from jara_webapi.calls.operations import Access, Call, operation
from jara_webapi.schemas.accounts import KnownDevice
from jara_webapi.schemas.base import Document, Done, Shape
from jara_webapi.schemas.passkeys import (
    CreationOptions,
    NewPasskey,
    PasskeyLine,
    PasskeySignIn,
    Reauthentication,
    RequestOptions,
)


class Passkeys:
    """The member's passkeys."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=list[PasskeyLine], access=Access.MEMBER)
    def on_get(self, call: Call) -> list[PasskeyLine]:
        """List the member's passkeys."""
        known = list_passkeys(self._app.context, call.member.id)
        return [PasskeyLine(id=each.id, name=each.name, added_on=each.added_on) for each in known]

    @operation(answer=Done, access=Access.MEMBER, body=NewPasskey, status=201, refuses=(403, 409))
    def on_post(self, call: Call, body: NewPasskey) -> Done:
        """Add a passkey with the browser's answer to the options."""
        answer = PasskeyAnswer(body.id, body.client_data, attestation=body.attestation)
        add_passkey(self._app.context, self._app.passkeys, call.member, body.name, answer)
        return Done(message="The passkey is added. You can sign in with it.")


class PasskeyOptions:
    """The options for a new passkey."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Annotated[Document, Shape(CreationOptions)],
        access=Access.MEMBER,
        body=Reauthentication,
        body_optional=True,
        refuses=(403, 429),
    )
    def on_post(self, call: Call, body: Reauthentication) -> Document:
        """Return the browser's options for creating a passkey, valid for five minutes."""
        require_fresh_sign_in(
            self._app.context,
            self._app.limits,
            call.signed_in,
            current_password=body.current_password,
            address=call.address,
        )
        return dict(begin_adding(self._app.context, self._app.passkeys, call.member))


class PasskeyOfMember:
    """One passkey."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, access=Access.MEMBER, refuses=(404,))
    def on_delete(self, call: Call, passkey: str) -> Done:
        """Remove a passkey."""
        remove_passkey(self._app.context, call.member.id, passkey)
        return Done(message="The passkey is removed.")


class PasskeyLoginOptions:
    """The options for signing in with a passkey."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Annotated[Document, Shape(RequestOptions)])
    def on_post(self, call: Call) -> Document:
        """Return the browser's options for signing in, valid for five minutes."""
        del call
        return dict(begin_sign_in(self._app.context, self._app.passkeys))


class PasskeyLogin:
    """Signing in with a passkey."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=KnownDevice, body=PasskeySignIn, refuses=(401, 429))
    def on_post(self, call: Call, body: PasskeySignIn) -> KnownDevice:
        """Sign in with the browser's answer to the options."""
        answer = PasskeyAnswer(
            body.id,
            body.client_data,
            authenticator_data=body.authenticator_data,
            signature=body.signature,
        )
        signed_in = sign_in_with_passkey(
            self._app.context,
            self._app.tokens,
            self._app.limits,
            self._app.passkeys,
            answer,
            address=call.address,
            label=call.device,
        )
        return KnownDevice(
            message="Login successful", token=signed_in.token, device=signed_in.device
        )
