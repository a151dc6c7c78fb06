"""A member's profile: read, change, export, close the account."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.services.giving.pledging import refresh_pledge
from jara.services.members.accounts import close_account
from jara.services.members.documents import export_member, list_payments, show_profile
from jara.services.members.profiles import (
    change_password,
    confirm_address,
    rename,
    request_email_change,
    set_language,
    set_notifications,
    set_todo,
    undo_change,
)
from jara.services.members.sessions import require_fresh_sign_in, start_session
from jara.services.payments.charging import book_sandbox_rows
from jara.services.ports.payments import ProviderUnavailable
from jara_webapi.calls.operations import Access, Call, operation
from jara_webapi.calls.reading import blaming
from jara_webapi.schemas.accounts import (
    Closing,
    Payment,
    Profile,
    ProfileChange,
    SignedIn,
    Todo,
    TodoChange,
    TodoItem,
    User,
)
from jara_webapi.schemas.base import Document, Done, Shape
from jara_webapi.schemas.public import MailedCode

_INCOMPLETE = "incomplete"


class GetProfile:
    """The member's profile."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Profile, access=Access.MEMBER, before_payment=True)
    def on_get(self, call: Call) -> Profile:
        """Return the member's profile."""
        return Profile(message="Profile loaded", user=read_user(self._app, call.member))


class UpdateProfile:
    """Changing the profile."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=SignedIn | Done,
        access=Access.MEMBER,
        body=ProfileChange,
        refuses=(403, 409, 429, 502),
    )
    def on_put(self, call: Call, body: ProfileChange) -> Done:
        """Change the name, the email, the password, the email notifications, or the language."""
        kind = _kind_of(body)
        if kind == "name":
            return self._rename(call, body)
        if kind == "notifications":
            wanted = body.notifications is True
            set_notifications(self._app.context, call.member.id, wanted=wanted)
            word = "ON" if wanted else "OFF"
            return Done(message=f"Notifications are {word}.")
        if kind == "language":
            with blaming("language"):
                set_language(self._app.context, call.member.id, body.language or "")
            return Done(message="Your language has been changed.")
        require_fresh_sign_in(
            self._app.context,
            self._app.limits,
            call.signed_in,
            current_password=body.current_password,
            address=call.address,
        )
        if kind == "email":
            with blaming("email"):
                member = request_email_change(
                    self._app.context,
                    self._app.limits,
                    call.member.id,
                    body.email or "",
                    network=call.address,
                )
            return self._with_new_token(
                call, member, "Please confirm the new address with the link we have sent to it."
            )
        member = change_password(
            self._app.context,
            call.member.id,
            password=body.new_password or "",
            confirmation=body.confirm_new_password or "",
        )
        return self._with_new_token(call, member, "Your password has been changed.")

    def _rename(self, call: Call, body: ProfileChange) -> Done:
        rename(
            self._app.context,
            call.member.id,
            firstname=call.member.firstname if body.firstname is None else body.firstname,
            lastname=call.member.lastname if body.lastname is None else body.lastname,
        )
        return Done(message="Your name has been changed.")

    def _with_new_token(self, call: Call, member: Member, message: str) -> Done:
        call.req.context["session_ended"] = True  # the old token must not be renewed
        token = start_session(self._app.context, self._app.tokens, member, label=call.device)
        return SignedIn(message=message, token=token)


class ConfirmAddress:
    """Confirming an email address."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode, refuses=(409, 502))
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Confirm an account's email address with the code from the email."""
        del call
        confirm_address(self._app.context, body.code)
        return Done(message="Thank you. Your email address is confirmed.")


class UndoChange:
    """Undoing a changed address or password."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode, refuses=(409, 502))
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Undo a changed address or password with the code from the email about it."""
        del call
        undo_change(self._app.context, body.code)
        return Done(message="Address and password are as they were. Please sign in.")


class DeleteAccount:
    """Closing the account."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Done,
        access=Access.MEMBER,
        body=Closing,
        body_optional=True,
        refuses=(403, 429, 502),
        before_payment=True,
    )
    def on_delete(self, call: Call, body: Closing) -> Done:
        """Close the account: end the pledge, then erase the personal data."""
        require_fresh_sign_in(
            self._app.context,
            self._app.limits,
            call.signed_in,
            current_password=body.current_password,
            address=call.address,
        )
        close_account(self._app.context, call.member.id)
        call.req.context["session_ended"] = True
        return Done(message="Your account is closed. Thank you for everything you gave.")


class TodoList:
    """The member's checklist."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Todo, access=Access.MEMBER, body=TodoChange, refuses=(404,))
    def on_put(self, call: Call, body: TodoChange, item: str) -> Todo:
        """Check or uncheck an item of the checklist."""
        items = set_todo(self._app.context, call.member.id, item, completed=body.completed)
        return Todo(
            message="Saved",
            todo=[
                TodoItem.model_validate(one, from_attributes=True, by_name=True) for one in items
            ],
        )


class Export:
    """All data stored about a member."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Document, access=Access.MEMBER)
    def on_get(self, call: Call) -> Document:
        """Download all data stored about the member."""
        return export_member(self._app.context, call.member.id)


class Contributions:
    """A member's payments."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=list[Annotated[Document, Shape(Payment)]], access=Access.MEMBER)
    def on_get(self, call: Call) -> list[Document]:
        """List the member's payments, newest first."""
        return list(reversed(list_payments(self._app.context, call.member.id)))


def read_user(application: Application, member: Member) -> User:
    """Return a member as the site shows them.

    While a pledge is incomplete, ask the provider instead of waiting for a webhook.
    """
    context = application.context
    document = show_profile(context, member)
    if document["pledgeStatus"] == _INCOMPLETE:
        # An unreachable provider must not block the profile; the next call asks again.
        with suppress(ProviderUnavailable):
            refresh_pledge(context, member.id)
        book_sandbox_rows(context)
        document = show_profile(context, member)
    return User.model_validate(document, by_alias=True)


def _kind_of(body: ProfileChange) -> str:
    """Return the one change that a body requests.

    Raises:
        InvalidInput: it requests none, or several.
    """
    asked = {
        "name": body.firstname is not None or body.lastname is not None,
        "email": body.email is not None,
        "password": body.new_password is not None or body.confirm_new_password is not None,
        "notifications": body.notifications is not None,
        "language": body.language is not None,
    }
    kinds = [kind for kind, is_asked in asked.items() if is_asked]
    if len(kinds) != 1:
        raise InvalidInput(
            "Change one thing at a time: firstname and lastname, or email, or newPassword "
            "and confirmNewPassword, or notifications, or language."
        )
    return kinds[0]
