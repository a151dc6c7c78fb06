"""The web API: its middleware, its errors, and every route in one place."""

from collections.abc import Iterable

import falcon
from prometheus_client import CollectorRegistry

from jara.bootstrap import Application
from jara.domain.content.kinds import KINDS
from jara.reports.render import ReportFormat
from jara_webapi.calls.errors import add_error_handlers
from jara_webapi.calls.operations import Endpoint, Resource
from jara_webapi.calls.requests import App, requests_in
from jara_webapi.calls.scenes import NO_SCENES, Scenes
from jara_webapi.middleware.authentication import Authentication
from jara_webapi.middleware.books_currency import BooksCurrency
from jara_webapi.middleware.request_metrics import RequestMetrics
from jara_webapi.middleware.response_cache import ResponseCache
from jara_webapi.middleware.security_headers import SecurityHeaders
from jara_webapi.pages.website import SANDBOX_PAGE, OneClickUnsubscribe, Website
from jara_webapi.resources import (
    content,
    desk,
    feeds,
    field,
    giving,
    ledger,
    legal,
    profiles,
    proposals,
    publiclog,
    registration,
    reports,
    sessions,
    site,
)

Routes = list[tuple[str, Resource]]

SPECIFIED = (
    ("/api/email-exists", registration.email_exists),
    ("/api/register", registration.register),
    ("/api/user/login", sessions.sign_in),
    ("/api/user/get-profile", profiles.get_profile),
    ("/api/user/update-profile", profiles.update_profile),
    ("/api/user/update-subscription", giving.update_subscription),
    ("/api/user/get-proposals", proposals.proposals),
    ("/api/user/all-users", reports.all_users),
    ("/api/user/all-contribution", reports.all_contributions),
    ("/api/user/get-cash-overviews", reports.cash_overviews),
    ("/api/user/votes", proposals.voted_on),
    ("/api/user/votes", proposals.vote),
    ("/api/user/delete-account", profiles.delete_account),
    ("/api/billing", giving.billing),
)
"""The thirteen calls of spec §7, in its order; the votes have two methods."""

PUBLIC = (
    ("/api/stats", reports.stats),
    ("/api/ledger/budget", ledger.budget),
    ("/api/ledger/policy", ledger.policy),
    ("/api/impact", reports.impact),
    ("/api/sample-trace", reports.sample_trace),
    ("/api/follow", reports.followed),
    ("/api/open-data/datapackage.json", reports.open_data_package),
    ("/api/open-data/{file}", reports.open_data_table),
    ("/api/proofs/checkpoint", publiclog.checkpoint),
    ("/api/proofs/witnesses", publiclog.witnesses),
    ("/api/proofs/entries", publiclog.entries),
    ("/api/proofs/inclusion", publiclog.inclusion),
    ("/api/proofs/ballot", publiclog.ballot),
    ("/api/proofs/consistency", publiclog.consistency),
    ("/api/proofs/bundle.tar", publiclog.bundle),
    ("/api/feed.xml", feeds.feed),
    ("/api/votes.ics", feeds.vote_calendar),
    ("/api/ledger/transactions", ledger.transactions),
    ("/api/ledger/entries/{entry}", reports.ledger_entry),
    ("/api/ledger/budget/{row}", ledger.lines_of_budget),
    *((f"/api/ledger/export.{ending}", export) for ending, export in ledger.EXPORTS.items()),
)
"""The calls of the public pages, of the ledger and of the public log."""

MEMBERS = (
    ("/api/user/contributions", profiles.contributions),
    ("/api/user/impact", reports.my_impact),
    ("/api/user/statement.pdf", reports.statement_file(ReportFormat.PDF)),
    ("/api/user/statement.html", reports.statement_file(ReportFormat.HTML)),
    ("/api/user/export", profiles.export),
    ("/api/user/todo/{item}", profiles.set_todo),
    ("/api/user/pledge", giving.change_pledge),
    ("/api/user/pledge/pay", giving.pay_failed_charge),
    ("/api/user/payment", giving.payment),
    ("/api/register/promise", registration.register_promise),
    ("/api/newsletter", registration.subscribe),
    ("/api/newsletter/confirm", registration.confirm_subscription),
    ("/api/newsletter/unsubscribe", registration.end_subscription),
    ("/api/emails", profiles.kinds),
    ("/api/emails/choice", profiles.choice),
    ("/api/user/forgot-password", sessions.forgot_password),
    ("/api/user/reset-password", sessions.reset_password),
    ("/api/user/reset-password/check", sessions.check_reset_code),
    ("/api/confirm-address", profiles.confirm_address),
    ("/api/agree-address", profiles.agree_to_address),
    ("/api/undo-change", profiles.undo_change),
    ("/api/stop-pledge", giving.stop_pledge),
    ("/api/user/logout", sessions.sign_out),
    ("/api/user/passkeys", sessions.list_passkeys),
    ("/api/user/passkeys", sessions.add_passkey),
    ("/api/user/passkeys/options", sessions.passkey_options),
    ("/api/user/passkeys/{passkey}", sessions.remove_passkey),
    ("/api/user/login/passkey", sessions.sign_in_with_passkey),
    ("/api/user/login/passkey/options", sessions.passkey_sign_in_options),
    ("/api/user/sessions", sessions.devices),
    ("/api/user/sessions/{session}", sessions.sign_out_device),
    ("/api/user/logout-everywhere", sessions.sign_out_everywhere),
    ("/api/gifts", giving.give_once),
    ("/api/gifts/promise", giving.promise_gift),
)
"""The calls of accounts and of the links in their emails, and gifts."""

FIELD = (
    ("/api/field", field.page),
    ("/api/partners/confirm", field.confirm_address),
    ("/api/field/reports/{key}", field.send_report),
    ("/api/field/reports/{key}/photos/{photo}", field.send_piece),
    ("/api/field/claims/{key}", field.send_claim),
)
"""The calls of partners, who hold a link instead of an account."""

DESK = (
    ("/api/desk/session", desk.open_session),
    ("/api/desk/session/options", desk.session_options),
    ("/api/desk/waiting", desk.waiting),
    ("/api/desk/waiting/{act}", desk.waiting_act),
    ("/api/desk/waiting/{act}/papers/{document}", desk.paper),
    ("/api/desk/waiting/{act}/options", desk.options),
    ("/api/desk/waiting/{act}/approve", desk.approve),
    ("/api/desk/waiting/{act}/refuse", desk.refuse),
    ("/api/desk/invitation", desk.invitation),
    ("/api/desk/invitation/accept", desk.accept_invitation),
)
"""The calls of operators who sign with a passkey."""

OTHERS = (
    ("/healthz", site.health),
    ("/readyz", site.ready),
    ("/.well-known/security.txt", legal.security_txt),
    ("/robots.txt", content.robots),
    ("/sitemap.xml", content.sitemap),
    ("/media/{name}", content.media),
    ("/log/checkpoint", publiclog.newest_note),
    ("/log/tile/{path:path}", publiclog.tile),
    ("/log/leaves/{path:path}", publiclog.leaf_page),
)
"""The routes outside the API that are not pages."""


def create_app(
    application: Application,
    *,
    website: Website | None = None,
    metrics: RequestMetrics | None = None,
    shown: CollectorRegistry | None = None,
) -> App:
    """Build the WSGI application; without the built pages of `website` only the API is served.

    `metrics` measures the requests, by default in each process for itself, and ``/metrics`` shows
    the registry `shown`.
    """
    app: App = falcon.App(
        request_type=requests_in(application.context.rules.language),
        middleware=[
            metrics or RequestMetrics(None),
            SecurityHeaders(application),
            BooksCurrency(application),
            Authentication(application),
            ResponseCache(application),
        ],
    )
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.keep_blank_qs_values = True
    add_error_handlers(app)
    routes = api_routes(application, NO_SCENES if website is None else website.scenes)
    described = [("/api/openapi.json", site.openapi_of(routes))]
    routes += resources_of(application, described)
    counted = ("/metrics", site.metrics_of(shown or CollectorRegistry()))
    for path, resource in [*routes, *resources_of(application, [*OTHERS, counted])]:
        app.add_route(path, resource)
    app.add_route("/newsletter/unsubscribe", OneClickUnsubscribe(application, website))
    if website is not None:
        website.open(application, routes)
        if application.sandbox_gateway is None:
            website.remove_page(SANDBOX_PAGE)
        for path, page in website.routes:
            app.add_route(path, page)
        app.add_sink(website, prefix=r"/(?!api(?:/|$))")
    return app


def api_routes(application: Application, scenes: Scenes = NO_SCENES) -> Routes:
    """Return every call under its path: first those of spec §7, then the others."""
    lists = [
        (f"/api/{kind.name}", content.items_of(kind)) for kind in KINDS.values() if kind.is_listed
    ]
    provider: list[tuple[str, Endpoint]] = []
    if application.sandbox_gateway is not None:
        provider = [("/api/sandbox/confirm", giving.confirm_in_sandbox)]
    elif application.live is not None:
        provider = [("/api/webhooks/stripe", giving.receive_stripe_event)]
    table = [
        *SPECIFIED,
        ("/api/config", site.config),
        ("/api/countries", site.countries),
        ("/api/legal/{text}", legal.legal_text),
        ("/api/projects", content.projects),
        ("/api/projects/{name}", content.project),
        ("/api/donations", content.donations),
        *lists,
        *PUBLIC,
        *MEMBERS,
        *FIELD,
        *DESK,
        *provider,
    ]
    return resources_of(application, table, scenes)


def resources_of(
    application: Application, table: Iterable[tuple[str, Endpoint]], scenes: Scenes = NO_SCENES
) -> Routes:
    """Return the resource of each path."""
    endpoints: dict[str, list[Endpoint]] = {}
    for path, endpoint in table:
        endpoints.setdefault(path, []).append(endpoint)
    return [(path, Resource(path, application, group, scenes)) for path, group in endpoints.items()]
