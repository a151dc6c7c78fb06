"""Security, caching and CORS headers of every response."""

from collections.abc import Iterable

from jara.bootstrap import Application
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.authentication import token_of

_STYLES = "style-src 'self'"
_POLICY_PARTS = (
    "default-src 'none'",
    "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
    _STYLES,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https://*.stripe.com",
    "font-src 'self'",
    "connect-src 'self' https://api.stripe.com",
    "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
)
POLICY = "; ".join(_POLICY_PARTS)
"""Only this site and Stripe's hosts; inline style only where Stripe mounts its forms.

Text becomes HTML only through the one Trusted Types policy, in webui/src/lib/page/trusted-html.ts.
"""

PAGE_POLICY = "page_policy"
"""Key of a request's context for the policy of a page, when it is not the default."""

FIELD_PAGE = "/field"
"""The page of partners, which may ask for the place of a photo if the partner wants it shown."""

_PERMISSIONS = 'payment=(self "https://js.stripe.com"), camera=(), microphone=(), geolocation=()'
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Permissions-Policy": _PERMISSIONS,
}
IMMUTABLE = "public, max-age=31536000, immutable"
"""The header Cache-Control of what never changes."""

_TRANSPORT = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
_VARY = "token, Authorization"
_EXPOSED = "token, X-Request-Id, Retry-After"
_ALLOWED_HEADERS = "token, Authorization, Content-Type, Idempotency-Key"
_ALLOWED_METHODS = "GET, POST, PUT, DELETE"


def policy_with(styles: Iterable[str]) -> str:
    """Return the policy that also allows the inline styles of the build, by their hashes."""
    return POLICY.replace(_STYLES, " ".join((_STYLES, *styles)))


class SecurityHeaders:
    """Middleware: adds the security headers, and CORS for the configured origins."""

    def __init__(self, application: Application) -> None:
        settings = application.settings
        self._origins = frozenset(settings.cors_origins)
        self._always = dict(_ALWAYS)
        if settings.site_url.startswith("https://"):
            self._always.update(_TRANSPORT)

    def process_request(self, req: Request, resp: Response) -> None:
        """Answer CORS preflight requests."""
        if req.method != "OPTIONS":
            return
        if req.get_header("Access-Control-Request-Method") and self._is_allowed(req):
            resp.set_header("Access-Control-Allow-Methods", _ALLOWED_METHODS)
            resp.set_header("Access-Control-Allow-Headers", _ALLOWED_HEADERS)
            resp.set_header("Access-Control-Max-Age", "600")
            resp.status = 204
            resp.complete = True

    def process_response(self, req: Request, resp: Response, *_: object) -> None:
        """Add the headers."""
        resp.set_headers(self._always)
        if req.path == FIELD_PAGE:
            allowed = _PERMISSIONS.replace("geolocation=()", "geolocation=(self)")
            resp.set_header("Permissions-Policy", allowed)
        policy = req.context.get(PAGE_POLICY)
        if policy is not None:
            resp.set_header("Content-Security-Policy", policy)
        # The response to anything but a read may contain a token.
        asks = req.method in {"GET", "HEAD"}
        if not asks or token_of(req) is not None or resp.get_header("token"):
            resp.set_header("Cache-Control", "no-store")
        elif req.path.startswith("/api") and not resp.get_header("Cache-Control"):
            resp.set_header("Cache-Control", "no-cache")
        if req.path.startswith("/api"):
            resp.append_header("Vary", _VARY)
        if not self._origins:
            return
        resp.append_header("Vary", "Origin")
        if self._is_allowed(req):
            resp.set_header("Access-Control-Allow-Origin", req.get_header("Origin") or "")
            resp.set_header("Access-Control-Expose-Headers", _EXPOSED)

    def _is_allowed(self, req: Request) -> bool:
        return (req.get_header("Origin") or "") in self._origins
