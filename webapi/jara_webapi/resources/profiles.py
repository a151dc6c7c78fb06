"""A member's profile: read, change, export, close the account."""

from contextlib import suppress
from typing import Annotated

from jara.bootstrap import Application
from jara.bootstrap.emails import list_kinds
from jara.documents import to_document
from jara.domain.email_kinds import CHOICES, EmailChoice
from jara.domain.errors import InvalidInput, TooManyRequests, blaming
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.pledging import refresh_pledge
from jara.services.members import accounts, address_changes, documents, profiles
from jara.services.notices.choices import choice_by_link, choose_by_link
from jara.services.payments.charging import book_sandbox_rows
from jara.services.ports.payments import ProviderUnavailable
from jara.services.rate_limits import Limit, acquire_in_memory
from jara_webapi.calls.languages import say
from jara_webapi.calls.operations import Access, Call, delete, get, post, put
from jara_webapi.resources.sessions import require_fresh_sign_in
from jara_webapi.schemas.accounts import (
    PAYMENT,
    ChosenEmails,
    Closing,
    DescribedChoice,
    EmailKinds,
    LinkedChoice,
    Profile,
    ProfileChange,
    Todo,
    TodoChange,
)
from jara_webapi.schemas.base import Document, Done
from jara_webapi.schemas.public import MailedCode


@get(access=Access.MEMBER, before_payment=True)
def get_profile(app: Application, member: Member) -> Profile:
    """Return the member's profile."""
    return Profile(message="Profile loaded", user=read_user(app, member))


@put(access=Access.MEMBER, refuses=(403, 409, 429, 502))
def update_profile(app: Application, call: Call, body: ProfileChange) -> Done:
    """Change the name, email, country, password, choice of emails, or language.

    A new email or password ends every other session; the caller's continues with its token. A
    new password also removes every passkey.
    """
    context, member = app.context, call.member
    match _kind_of(body):
        case "name":
            firstname = member.firstname if body.firstname is None else body.firstname
            lastname = member.lastname if body.lastname is None else body.lastname
            profiles.rename(context, member.id, firstname=firstname, lastname=lastname)
            return Done(message="Your name has been changed.")
        case "notifications":
            wanted = body.notifications is True
            profiles.set_notifications(context, member.id, wanted=wanted)
            word = "ON" if wanted else "OFF"
            return Done(message=f"Notifications are {word}.")
        case "emailChoice":
            profiles.set_email_choice(context, member.id, body.email_choice or EmailChoice.NOTHING)
            return Done(message="Your choice of emails is saved.")
        case "country":
            with blaming("country"):
                profiles.set_country(context, member.id, body.country or "")
            return Done(message="Your country has been changed.")
        case "language":
            with blaming("language"):
                profiles.set_language(context, member.id, body.language or "")
            return Done(message="Your language has been changed.")
        case "email":
            return _change_email(app, call, body)
        case _:
            return _change_password(app, call, body)


def _change_email(app: Application, call: Call, body: ProfileChange) -> Done:
    require_fresh_sign_in(app, call, body.current_password)
    with blaming("email"):
        profiles.request_email_change(
            app.context,
            app.limits,
            call.member.id,
            body.email or "",
            network=call.address,
            caller=call.signed_in,
        )
    return Done(message="Please confirm the new address with the link we have sent to it.")


def _change_password(app: Application, call: Call, body: ProfileChange) -> Done:
    require_fresh_sign_in(app, call, body.current_password)
    profiles.change_password(
        app.context,
        call.member.id,
        password=body.new_password or "",
        confirmation=body.confirm_new_password or "",
        caller=call.signed_in,
    )
    return Done(message="Your password has been changed.")


@post(refuses=(409, 502))
def confirm_address(context: Context, body: MailedCode) -> Done:
    """Confirm an account's email address with the code from the email.

    A new address ends every session except the one that asked for it, and removes every passkey.
    """
    profiles.confirm_address(context, body.code)
    return Done(message="Thank you. Your email address is confirmed.")


@post()
def agree_to_address(context: Context, body: MailedCode) -> Done:
    """Agree that an operator changed the address of an account, with the code from the email.

    Until then the account cannot vote. Only the old address gets the code.
    """
    address_changes.agree_to_address(context, body.code)
    return Done(message="Thank you. The account can vote again.")


@post(refuses=(409, 502))
def undo_change(context: Context, body: MailedCode) -> Done:
    """Undo a changed address or password with the code from the email about it."""
    profiles.undo_change(context, body.code)
    return Done(message="Address and password are as they were. Please sign in.")


@delete(access=Access.MEMBER, body_optional=True, refuses=(403, 429, 502), before_payment=True)
def delete_account(app: Application, call: Call, body: Closing) -> Done:
    """Close the account: end the pledge, then erase the personal data."""
    require_fresh_sign_in(app, call, body.current_password)
    accounts.close_account(app.context, call.member.id)
    call.req.context["session_ended"] = True
    return Done(message="Your account is closed. Thank you for everything you gave.")


@put(access=Access.MEMBER, refuses=(404,))
def set_todo(context: Context, member: Member, body: TodoChange, item: str) -> Todo:
    """Check or uncheck an item of the checklist."""
    items = profiles.set_todo(context, member.id, item, completed=body.completed)
    return Todo(message="Saved", todo=[to_document(one) for one in items])


@get(access=Access.MEMBER, turns="own_file_turns")
def export(context: Context, member: Member) -> Document:
    """Download all data stored about the member."""
    return documents.export_member(context, member.id)


@get(answer=list[Annotated[Document, PAYMENT]], access=Access.MEMBER)
def contributions(context: Context, member: Member) -> list[documents.MemberPayment]:
    """List the member's payments, newest first."""
    return list(reversed(documents.list_payments(context, member.id)))


def count_provider_call(app: Application, member: Member) -> None:
    """Count a request of a member that asks the payment provider.

    Raises:
        TooManyRequests: there were too many.
    """
    acquire_in_memory(app.context, app.limits, Limit.PROVIDER_MEMBER, member.id)


def read_user(app: Application, member: Member) -> Document:
    """Return a member as the site shows them.

    While a pledge is incomplete, ask the provider instead of waiting for a webhook.
    """
    context = app.context
    profile = documents.show_profile(context, member)
    if profile.pledge_status is PledgeState.INCOMPLETE:
        # An unreachable provider must not block the profile; a later call asks again.
        with suppress(ProviderUnavailable, TooManyRequests):
            count_provider_call(app, member)
            refresh_pledge(context, member.id)
        book_sandbox_rows(context)
        profile = documents.show_profile(context, member)
    return to_document(profile)


def _kind_of(body: ProfileChange) -> str:
    """Return the one change that a body requests.

    Raises:
        InvalidInput: it requests none, or several.
    """
    asked = {
        "name": body.firstname is not None or body.lastname is not None,
        "email": body.email is not None,
        "country": body.country is not None,
        "password": body.new_password is not None or body.confirm_new_password is not None,
        "notifications": body.notifications is not None,
        "emailChoice": body.email_choice is not None,
        "language": body.language is not None,
    }
    kinds = [kind for kind, is_asked in asked.items() if is_asked]
    if len(kinds) != 1:
        raise InvalidInput(
            "Change one thing at a time: firstname and lastname, or email, or country, or "
            "newPassword and confirmNewPassword, or notifications, or emailChoice, or language."
        )
    return kinds[0]


@get(cached=True, in_languages=True)
def kinds(context: Context, call: Call) -> EmailKinds:
    """List the choices of emails, and the kinds with what each is about."""
    language = call.language
    return EmailKinds(
        choices=[
            DescribedChoice(name=choice, about=say(language, text))
            for choice, text in CHOICES.items()
        ],
        kinds=[
            to_document(kind)
            for kind in list_kinds(language)
            if context.takes_cards or not kind.is_by_card
        ],
    )


@post()
def choice(context: Context, body: LinkedChoice) -> ChosenEmails:
    """Show or change which emails an address gets, with the code from any email."""
    if body.choice is None:
        shown = choice_by_link(context, body.code)
        return ChosenEmails(message="Choice loaded", **shown._asdict())
    chosen = choose_by_link(context, body.code, body.choice)
    return ChosenEmails(message="Your choice of emails is saved.", **chosen._asdict())
