"""Checks the token of each request."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from jara.bootstrap import Application
from jara.domain.errors import JaraError, Refused, Unauthenticated
from jara.services.giving.pledging import refresh_pledge
from jara.services.members.sessions import Session, member_for_token, renew_token
from jara_webapi.calls.operations import Access, operation_of
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.client_address import ClientAddresses

_BEARER = "bearer "


class PaymentUnconfirmed(Refused):
    """Until the first payment is confirmed, a member can only finish paying, or leave."""

    code = "payment_unconfirmed"


class Authentication:
    """Middleware: refuses calls for members without a valid token."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._context = application.context
        self._tokens = application.tokens
        self._addresses = ClientAddresses(application.settings.trusted_proxies)

    def process_request(self, req: Request, resp: Response) -> None:
        """Store the client's address."""
        del resp
        req.context["address"] = self._addresses.of(req)

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Identify the member, and refuse a call that needs one."""
        del resp, params
        marked = operation_of(resource, req.method)
        if marked is None or marked.access is Access.PUBLIC:
            return
        token = token_of(req)
        if token is not None:
            session = member_for_token(self._context, self._tokens, token)
            needs_payment = session.is_unpaid and not marked.before_payment
            req.context["session"] = (
                self._settle(marked.access, session, token) if needs_payment else session
            )
        elif marked.access is Access.MEMBER:
            raise Unauthenticated(marked.unsigned)

    def _settle(self, access: Access, session: Session, token: str) -> Session | None:
        """Return the session if the payment was confirmed meanwhile; else treat as a visitor.

        Raises:
            PaymentUnconfirmed: the call is for members.
        """
        with suppress(JaraError):  # an unreachable provider confirms nothing
            refresh_pledge(self._context, session.member.id)
        session = member_for_token(self._context, self._tokens, token)
        if not session.is_unpaid:
            return session
        if access is Access.OPTIONAL:
            return None
        raise PaymentUnconfirmed(
            "Please confirm your first payment with your bank; then your account opens."
        )

    def process_response(
        self,
        req: Request,
        resp: Response,
        resource: object,
        req_succeeded: bool,  # noqa: FBT001 - Falcon calls it so
    ) -> None:
        """Renew a token that is past half of its lifetime."""
        del resource
        session = req.context.get("session")
        if session is not None and req_succeeded and not req.context.get("session_ended"):
            renewed = renew_token(self._context, self._tokens, session.claims)
            if renewed is not None:
                resp.set_header("token", renewed)


def token_of(req: Request) -> str | None:
    """Return the token of a request, from ``token`` or from ``Authorization: Bearer``."""
    token: str | None = req.env.get("HTTP_TOKEN")
    if token:
        return token.strip()
    header: str = req.env.get("HTTP_AUTHORIZATION", "")
    if header.lower().startswith(_BEARER):
        return header[len(_BEARER) :].strip()
    return None
