"""The kinds of email, and the choice behind the link in each email."""

from __future__ import annotations

from jara.bootstrap.emails import list_kinds
from jara.documents import to_document
from jara.domain.email_kinds import CHOICES
from jara.services.context import Context
from jara.services.notices.choices import choice_by_link, choose_by_link
from jara_webapi.calls.languages import say
from jara_webapi.calls.operations import Call, get, post
from jara_webapi.schemas.emails import ChosenEmails, DescribedChoice, EmailKinds, LinkedChoice


@get(cached=True, in_languages=True)
def kinds(call: Call) -> EmailKinds:
    """List the choices of emails, and the kinds with what each is about."""
    language = call.language
    return EmailKinds(
        choices=[
            DescribedChoice(name=choice, about=say(language, text))
            for choice, text in CHOICES.items()
        ],
        kinds=[to_document(kind) for kind in list_kinds(language)],
    )


@post()
def choice(context: Context, body: LinkedChoice) -> ChosenEmails:
    """Show or change which emails an address gets, with the code from any email."""
    if body.choice is None:
        shown = choice_by_link(context, body.code)
        return ChosenEmails(message="Choice loaded", **shown._asdict())
    chosen = choose_by_link(context, body.code, body.choice)
    return ChosenEmails(message="Your choice of emails is saved.", **chosen._asdict())
