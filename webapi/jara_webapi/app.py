"""The web API: its middleware, its errors, and every route in one place."""

from __future__ import annotations

import falcon
from prometheus_client import CollectorRegistry

from jara.bootstrap import Application
from jara.domain.content.kinds import KINDS
from jara.reports.render import ReportFormat
from jara_webapi.calls.errors import add_error_handlers
from jara_webapi.calls.framework import App, Request
from jara_webapi.calls.operations import answering_head
from jara_webapi.middleware.authentication import Authentication
from jara_webapi.middleware.request_metrics import RequestMetrics
from jara_webapi.middleware.response_cache import ResponseCache
from jara_webapi.middleware.security_headers import SecurityHeaders
from jara_webapi.pages.tiles import LeafPages, NewestCheckpoint, Tiles
from jara_webapi.pages.website import SANDBOX_PAGE, Media, OneClickUnsubscribe, Website
from jara_webapi.resources import (
    catalogue,
    crawlers,
    feeds,
    gifts,
    ledger,
    newsletter,
    open_data,
    passkeys,
    profiles,
    proofs,
    proposals,
    registration,
    reports,
    sessions,
    site,
    subscription,
    system,
    totals,
    votes,
    webhooks,
)

Routes = list[tuple[str, object]]


def create_app(
    application: Application,
    *,
    website: Website | None = None,
    metrics: RequestMetrics | None = None,
    shown: CollectorRegistry | None = None,
) -> App:
    """Build the WSGI application.

    Args:
        application: the wired application.
        website: the built pages; without them only the API is served.
        metrics: measures the requests; by default each process counts for itself.
        shown: the registry that ``/metrics`` shows.
    """
    shown = shown or CollectorRegistry()
    app: App = falcon.App(
        request_type=Request,
        middleware=[
            metrics or RequestMetrics(None),
            SecurityHeaders(application),
            Authentication(application),
            ResponseCache(application),
        ],
    )
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.keep_blank_qs_values = True
    add_error_handlers(app)
    routes = api_routes(application)
    routes.append(("/api/openapi.json", site.OpenApi(routes)))
    for path, resource in [*routes, *other_routes(application, shown, website)]:
        app.add_route(path, answering_head(resource))
    if website is not None:
        website.open(application, routes)
        if application.live is not None:
            website.remove_page(SANDBOX_PAGE)
        for path, resource in website.routes:
            app.add_route(path, resource)
        app.add_sink(website, prefix=r"/(?!api(?:/|$))")
    return app


def api_routes(application: Application) -> Routes:
    """Return every call under its path: first those of spec §7, then the others."""
    return [
        *specified_routes(application),
        *public_routes(application),
        *member_routes(application),
        *payment_routes(application),
    ]


def specified_routes(application: Application) -> Routes:
    """Return the thirteen calls of spec §7, in its order."""
    return [
        ("/api/email-exists", registration.EmailExists(application)),
        ("/api/register", registration.Register(application)),
        ("/api/user/login", sessions.Login(application)),
        ("/api/user/get-profile", profiles.GetProfile(application)),
        ("/api/user/update-profile", profiles.UpdateProfile(application)),
        ("/api/user/update-subscription", subscription.UpdateSubscription(application)),
        ("/api/user/get-proposals", proposals.Proposals(application)),
        ("/api/user/all-users", totals.AllUsers(application)),
        ("/api/user/all-contribution", totals.AllContributions(application)),
        ("/api/user/get-cash-overviews", totals.CashOverviews(application)),
        ("/api/user/votes", votes.Votes(application)),
        ("/api/user/delete-account", profiles.DeleteAccount(application)),
        ("/api/billing", subscription.Billing(application)),
    ]


def public_routes(application: Application) -> Routes:
    """Return the calls of the public pages and of the public log."""
    return [
        ("/api/config", site.Config(application)),
        ("/api/countries", site.Countries()),
        ("/api/projects", catalogue.Projects(application)),
        ("/api/projects/{name}", catalogue.Project(application)),
        ("/api/donations", catalogue.DonationList(application)),
        *(
            (f"/api/{kind.name}", catalogue.content_list(application, kind))
            for kind in KINDS.values()
            if kind.is_listed
        ),
        ("/api/stats", totals.Stats(application)),
        ("/api/ledger/budget", ledger.LedgerBudget(application)),
        ("/api/ledger/policy", ledger.LedgerPolicy(application)),
        ("/api/impact", reports.Impact(application)),
        ("/api/sample-trace", reports.TraceOfOne(application)),
        ("/api/open-data/datapackage.json", open_data.OpenDataPackage(application)),
        ("/api/open-data/{file}", open_data.OpenDataTable(application)),
        ("/api/proofs/checkpoint", proofs.LogCheckpoint(application)),
        ("/api/proofs/witnesses", proofs.LogWitnesses(application)),
        ("/api/proofs/entries", proofs.LogEntries(application)),
        ("/api/proofs/inclusion", proofs.LogInclusion(application)),
        ("/api/proofs/consistency", proofs.LogConsistency(application)),
        ("/api/proofs/bundle.tar", proofs.LogBundle(application)),
        ("/api/feed.xml", feeds.Feed(application)),
        ("/api/votes.ics", feeds.VoteCalendar(application)),
        ("/api/ledger/transactions", ledger.LedgerTransactions(application)),
        ("/api/ledger/budget/{row}", ledger.LedgerBudgetRow(application)),
        *(
            (f"/api/ledger/export.{ending}", export)
            for ending, export in ledger.exports(application).items()
        ),
    ]


def member_routes(application: Application) -> Routes:
    """Return the calls of accounts and of the links in their emails."""
    return [
        ("/api/user/contributions", profiles.Contributions(application)),
        ("/api/user/impact", reports.MyImpact(application)),
        *(
            (f"/api/user/statement.{ending}", reports.StatementFile(application, ending))
            for ending in (ReportFormat.PDF, ReportFormat.HTML)
        ),
        ("/api/user/export", profiles.Export(application)),
        ("/api/user/todo/{item}", profiles.TodoList(application)),
        ("/api/user/pledge", subscription.Pledge(application)),
        ("/api/user/payment", subscription.Payment(application)),
        ("/api/register/promise", registration.RegisterPromise(application)),
        ("/api/newsletter", newsletter.Newsletter(application)),
        ("/api/newsletter/confirm", newsletter.NewsletterConfirm(application)),
        ("/api/newsletter/unsubscribe", newsletter.NewsletterUnsubscribe(application)),
        ("/api/user/forgot-password", sessions.ForgotPassword(application)),
        ("/api/user/reset-password", sessions.ResetPassword(application)),
        ("/api/user/reset-password/check", sessions.ResetCode(application)),
        ("/api/confirm-address", profiles.ConfirmAddress(application)),
        ("/api/undo-change", profiles.UndoChange(application)),
        ("/api/stop-pledge", subscription.StopPledge(application)),
        ("/api/user/logout", sessions.Logout(application)),
        ("/api/user/passkeys", passkeys.Passkeys(application)),
        ("/api/user/passkeys/options", passkeys.PasskeyOptions(application)),
        ("/api/user/passkeys/{passkey}", passkeys.PasskeyOfMember(application)),
        ("/api/user/login/passkey", passkeys.PasskeyLogin(application)),
        ("/api/user/login/passkey/options", passkeys.PasskeyLoginOptions(application)),
        ("/api/user/sessions", sessions.Sessions(application)),
        ("/api/user/sessions/{session}", sessions.SessionOfDevice(application)),
        ("/api/user/logout-everywhere", sessions.LogoutEverywhere(application)),
    ]


def payment_routes(application: Application) -> Routes:
    """Return the calls of gifts and of the payment provider."""
    if application.live is None:
        confirm: tuple[str, object] = ("/api/sandbox/confirm", gifts.SandboxConfirm(application))
    else:
        confirm = ("/api/webhooks/stripe", webhooks.StripeWebhook(application))
    return [("/api/gifts", gifts.Gifts(application)), confirm]


def other_routes(
    application: Application, shown: CollectorRegistry, website: Website | None
) -> Routes:
    """Return the routes outside the API that are not pages."""
    return [
        ("/healthz", system.Health()),
        ("/readyz", system.Ready(application)),
        ("/metrics", system.Metrics(shown, application.settings.metrics_networks)),
        ("/robots.txt", crawlers.Robots(application)),
        ("/sitemap.xml", crawlers.Sitemap(application)),
        ("/media/{name}", Media(application)),
        ("/log/checkpoint", NewestCheckpoint(application)),
        ("/log/tile/{path:path}", Tiles(application)),
        ("/log/leaves/{path:path}", LeafPages(application)),
        ("/newsletter/unsubscribe", OneClickUnsubscribe(application, website)),
    ]
