"""Every call of the API, the access it needs, and a valid body."""

from dataclasses import dataclass, field
from typing import Any

from jara.bootstrap import Application
from jara_webapi.app import api_routes
from jara_webapi.calls.operations import Access, operation_of
from tests.webapi.desk import promise, registration


@dataclass(frozen=True)
class Known:
    """A call and the access that it needs: visitor, member, more for members, or a link."""

    method: str
    path: str
    access: str
    body: dict[str, Any] | None = None
    query: str = ""
    filled: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The path with its parameters replaced."""
        return self.path.format(**self.filled)


CREDENTIALS = {"email": "ama@example.org", "password": "woven-in-lagos"}

ANSWER = {
    "statement": "none",
    "authenticatorData": "AAAA",
    "clientData": "AAAA",
    "signature": "AAAA",
}
CALLS = (
    Known("POST", "/email-exists", "visitor", CREDENTIALS),
    Known("POST", "/register", "visitor", registration()),
    Known("POST", "/user/login", "visitor", CREDENTIALS),
    Known("GET", "/user/get-profile", "member"),
    Known("PUT", "/user/update-profile", "member", {"firstname": "Efua", "lastname": "Mensah"}),
    Known("PUT", "/user/update-subscription", "member", {"subscriptionAmount": 20}),
    Known("GET", "/user/get-proposals", "more"),
    Known("GET", "/user/all-users", "visitor"),
    Known("GET", "/user/all-contribution", "visitor"),
    Known("GET", "/user/get-cash-overviews", "visitor"),
    Known("POST", "/user/votes", "member", {"id": "prop_none", "voteType": "upvote"}),
    Known("DELETE", "/user/delete-account", "member", {"currentPassword": "wrong-one"}),
    Known("GET", "/billing", "member"),
    Known("GET", "/config", "visitor"),
    Known("POST", "/register/promise", "visitor", promise(way="transfer")),
    Known("GET", "/user/payment", "member"),
    Known("GET", "/countries", "visitor"),
    Known("GET", "/legal/{text}", "visitor", filled={"text": "terms"}),
    Known("GET", "/projects", "visitor"),
    Known("GET", "/projects/{name}", "visitor", filled={"name": "no-such"}),
    Known("GET", "/grants", "visitor"),
    Known("GET", "/donations", "visitor"),
    Known("GET", "/team", "visitor"),
    Known("GET", "/faqs", "visitor"),
    Known("GET", "/roadmap", "visitor"),
    Known("GET", "/regions", "visitor"),
    Known("GET", "/events", "visitor"),
    Known("GET", "/stats", "visitor"),
    Known("GET", "/ledger/budget", "more"),
    Known("GET", "/ledger/policy", "visitor"),
    Known("GET", "/impact", "more"),
    Known("GET", "/proofs/checkpoint", "visitor"),
    Known("GET", "/proofs/witnesses", "visitor"),
    Known("GET", "/proofs/entries", "more"),
    Known("GET", "/proofs/inclusion", "visitor", query="index=0&size=1"),
    Known(
        "POST",
        "/proofs/ballot",
        "visitor",
        {"proposal": "prop_none", "voter": "0" * 64, "key": "0" * 64, "size": 1},
    ),
    Known("GET", "/proofs/consistency", "visitor", query="from=1&to=2"),
    Known("GET", "/proofs/bundle.tar", "more"),
    Known("GET", "/feed.xml", "visitor"),
    Known("GET", "/open-data/datapackage.json", "visitor"),
    Known("GET", "/open-data/{file}", "visitor", filled={"file": "votes.csv"}),
    Known("GET", "/votes.ics", "visitor"),
    Known("GET", "/openapi.json", "visitor"),
    Known("GET", "/ledger/transactions", "member"),
    Known("GET", "/ledger/budget/{row}", "member", filled={"row": "available"}),
    Known("GET", "/ledger/export.csv", "member"),
    Known("GET", "/ledger/export.json", "member"),
    Known("GET", "/ledger/export.journal", "member"),
    Known("GET", "/ledger/export.beancount", "member"),
    Known("GET", "/user/contributions", "member"),
    Known("GET", "/sample-trace", "visitor"),
    Known("GET", "/follow", "visitor"),
    Known("GET", "/ledger/entries/{entry}", "visitor", filled={"entry": "no-such"}),
    Known("GET", "/user/impact", "member"),
    Known("GET", "/user/statement.pdf", "member"),
    Known("GET", "/user/statement.html", "member"),
    Known("GET", "/user/export", "member"),
    Known("GET", "/user/votes", "member"),
    Known(
        "PUT",
        "/user/todo/{item}",
        "member",
        {"completed": True},
        filled={"item": "invite-a-friend"},
    ),
    Known("PUT", "/user/pledge", "member", {"skipNext": False}),
    Known("POST", "/user/pledge/pay", "member"),
    Known("POST", "/newsletter", "visitor", {"email": "news@example.org"}),
    Known("POST", "/newsletter/confirm", "visitor", {"code": "none"}),
    Known("POST", "/newsletter/unsubscribe", "visitor", {"code": "none"}),
    Known("POST", "/partners/confirm", "visitor", {"code": "none"}),
    Known("GET", "/emails", "visitor"),
    Known("POST", "/emails/choice", "visitor", {"code": "none"}),
    Known("POST", "/user/forgot-password", "visitor", {"email": "ama@example.org"}),
    Known(
        "POST",
        "/user/reset-password",
        "visitor",
        {"code": "x", "newPassword": "a-new-cloth", "confirmNewPassword": "a-new-cloth"},
    ),
    Known("POST", "/user/reset-password/check", "visitor", {"code": "none"}),
    Known("POST", "/confirm-address", "visitor", {"code": "none"}),
    Known("POST", "/agree-address", "visitor", {"code": "none"}),
    Known("POST", "/undo-change", "visitor", {"code": "none"}),
    Known("POST", "/stop-pledge", "visitor", {"code": "none"}),
    Known("POST", "/user/logout", "member"),
    Known("GET", "/user/passkeys", "member"),
    Known(
        "POST",
        "/user/passkeys",
        "member",
        {"name": "Phone", "id": "AA", "clientData": "AA", "attestation": "AA"},
    ),
    Known("POST", "/user/passkeys/options", "member", {}),
    Known("DELETE", "/user/passkeys/{passkey}", "member", filled={"passkey": "AA"}),
    Known(
        "POST",
        "/user/login/passkey",
        "visitor",
        {"id": "AA", "clientData": "AA", "authenticatorData": "AA", "signature": "AA"},
    ),
    Known("POST", "/user/login/passkey/options", "visitor"),
    Known("GET", "/user/sessions", "member"),
    Known("DELETE", "/user/sessions/{session}", "member", filled={"session": "0" * 24}),
    Known("POST", "/user/logout-everywhere", "member"),
    Known(
        "POST",
        "/gifts",
        "visitor",
        {"amountCents": 500, "email": "g@example.org", "paymentMethodId": "pm_card_visa"},
    ),
    Known(
        "POST",
        "/gifts/promise",
        "visitor",
        {"amountCents": 500, "email": "g@example.org", "way": "transfer"},
    ),
    Known("GET", "/field", "link"),
    Known(
        "PUT",
        "/field/reports/{key}",
        "link",
        {"title": "Water", "text": "At 62 metres."},
        filled={"key": "phone-made-key-0001"},
    ),
    Known(
        "PUT",
        "/field/reports/{key}/photos/{photo}",
        "link",
        filled={"key": "phone-made-key-0001", "photo": "0" * 64},
    ),
    Known(
        "PUT",
        "/field/claims/{key}",
        "link",
        {
            "currency": "USD",
            "amount": "45.50",
            "spentOn": "2026-03-01",
            "shop": "The market",
            "purpose": "Food",
            "repayTo": "kofi@example.org",
            "photos": [{"sha256": "0" * 64, "size": 10}],
        },
        filled={"key": "phone-made-key-0001"},
    ),
    Known("POST", "/desk/session", "visitor", ANSWER),
    Known("POST", "/desk/session/options", "visitor"),
    Known("GET", "/desk/waiting", "operator"),
    Known("GET", "/desk/waiting/{act}", "operator", filled={"act": "appr_none"}),
    Known(
        "GET",
        "/desk/waiting/{act}/papers/{document}",
        "operator",
        filled={"act": "appr_none", "document": "0" * 64},
    ),
    Known("POST", "/desk/waiting/{act}/options", "operator", filled={"act": "appr_none"}),
    Known("POST", "/desk/waiting/{act}/approve", "operator", ANSWER, filled={"act": "appr_none"}),
    Known(
        "POST",
        "/desk/waiting/{act}/refuse",
        "operator",
        {**ANSWER, "why": "no"},
        filled={"act": "appr_none"},
    ),
    Known("POST", "/desk/invitation", "visitor", {"code": "none"}),
    Known(
        "POST",
        "/desk/invitation/accept",
        "visitor",
        {"code": "none", "id": "AAAA", "clientData": "AAAA", "attestation": "AAAA"},
    ),
    Known("POST", "/sandbox/confirm", "visitor", {"clientSecret": "none", "outcome": "succeed"}),
)
"""The calls; first those of spec §7, in its order."""

SANDBOX_CALLS = tuple(call for call in CALLS if call.path.startswith("/sandbox/"))
"""The calls that exist only with sandbox payments."""

LIVE_CALLS = (Known("POST", "/webhooks/stripe", "visitor"),)
"""The calls that exist only with live payments; their body is signed."""


def served_calls(application: Application) -> list[tuple[str, str, str]]:
    """Return method, path and access of each call that an organisation serves."""
    names = {
        Access.PUBLIC: "visitor",
        Access.OPTIONAL: "more",
        Access.MEMBER: "member",
        Access.LINK: "link",
        Access.OPERATOR: "operator",
    }
    return [
        (method, path.removeprefix("/api"), names[found.access])
        for path, resource in api_routes(application)
        for method in ("GET", "POST", "PUT", "DELETE")
        if (found := operation_of(resource, method)) is not None
    ]
