"""Who calls: checks the token of each request, and finds the address behind trusted proxies."""

import ipaddress
from collections.abc import Iterable
from contextlib import suppress

from jara.bootstrap import Application
from jara.domain.errors import JaraError, Refused, Unauthenticated
from jara.services.giving.pledging import refresh_pledge
from jara.services.members.sessions import Session, member_for_token, renew_token
from jara.services.operations.desk import operator_for_token
from jara_webapi.calls.operations import Access, operation_of
from jara_webapi.calls.requests import Request, Response

_BEARER = "bearer "


class PaymentUnconfirmed(Refused):
    """Until the first payment is confirmed, a member can only finish paying, or leave."""

    code = "payment_unconfirmed"


class Authentication:
    """Middleware: refuses calls for members without a valid token."""

    def __init__(self, application: Application) -> None:
        self._context = application.context
        self._tokens = application.tokens
        self._addresses = ClientAddresses(application.settings.trusted_proxies)

    def process_request(self, req: Request, _: object) -> None:
        """Store the client's address."""
        req.context["address"] = self._addresses.of(req)

    def process_resource(self, req: Request, _: object, resource: object, *__: object) -> None:
        """Identify the member, and refuse a call that needs one."""
        marked = operation_of(resource, req.method)
        if marked is None or marked.access in {Access.PUBLIC, Access.LINK}:
            return
        token = token_of(req)
        if marked.access is Access.OPERATOR:
            req.context["operator"] = operator_for_token(self._context, token or "")
        elif token is not None:
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

    def process_response(self, req: Request, resp: Response, _: object, succeeded: object) -> None:
        """Renew a token that is past half of its lifetime."""
        session = req.context.get("session")
        if session is not None and succeeded and not req.context.get("session_ended"):
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


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ClientAddresses:
    """Reads ``X-Forwarded-For`` only if a trusted proxy sent it."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted = networks_of(trusted)

    def of(self, req: Request) -> str:
        """Return the client's address: the last one that is not a trusted proxy."""
        peer = req.remote_addr
        if not self._is_trusted(peer):
            return peer
        header = req.get_header("X-Forwarded-For") or ""
        for hop in reversed([part.strip() for part in header.split(",") if part.strip()]):
            if _parse(hop) is None:
                return peer
            if not self._is_trusted(hop):
                return hop
            peer = hop
        return peer

    def _is_trusted(self, text: str) -> bool:
        return is_among(text, self._trusted)


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks from the settings."""
    return tuple(ipaddress.ip_network(text) for text in texts)


def is_among(text: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of some networks."""
    address = _parse(text) if networks else None
    return address is not None and any(address in network for network in networks)


def is_loopback(req: Request) -> bool:
    """Return whether the request comes from this machine without a proxy in between."""
    address = _parse(req.remote_addr)
    forwarded = req.get_header("X-Forwarded-For") or req.get_header("Forwarded")
    return address is not None and address.is_loopback and not forwarded


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
