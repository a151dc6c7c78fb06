"""The newsletter: subscribe, confirm by email, unsubscribe with one click."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.notices.links import unsubscribe
from jara.services.notices.newsletter import confirm_subscription, subscribe
from jara_webapi.calls.languages import language_of
from jara_webapi.calls.operations import Call, operation
from jara_webapi.calls.reading import blaming
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import MailedCode, NewsletterWish


class Newsletter:
    """Subscribing."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=NewsletterWish, refuses=(429,))
    def on_post(self, call: Call, body: NewsletterWish) -> Done:
        """Subscribe to the newsletter; an email asks for confirmation."""
        with blaming("email"):
            subscribe(
                self._app.context,
                self._app.limits,
                body.email,
                source="website",
                network=call.address,
                language=language_of(call.req),
            )
        return Done(message="Please check your email to confirm the address.")


class NewsletterConfirm:
    """Confirming the address."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode)
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Confirm the address with the code from the email."""
        del call
        confirm_subscription(self._app.context, body.code)
        return Done(message="You are subscribed to the newsletter.")


class NewsletterUnsubscribe:
    """Unsubscribing."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode)
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Unsubscribe an address with the code from any email."""
        del call
        unsubscribe(self._app.context, body.code)
        return Done(message="You are unsubscribed.")
