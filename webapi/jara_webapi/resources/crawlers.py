"""For search engines: robots.txt and sitemap.xml."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote
from xml.sax.saxutils import escape

import falcon

from jara.bootstrap import Application
from jara.domain.content.kinds import PROJECTS
from jara.domain.voting.proposal import LISTED
from jara_webapi.calls.framework import Request, Response

INDEXED = (
    "/",
    "/why-jara-exists",
    "/how-jara-works",
    "/team",
    "/faqs",
    "/projects",
    "/grants",
    "/donations",
    "/impact",
    "/ledger",
    "/proposals",
    "/join",
    "/donate",
    "/check-vote",
    "/terms",
    "/privacy",
)
"""The pages for search engines; the others have a noindex tag."""

_HOUR = "public, max-age=3600"


class Robots:
    """robots.txt (RFC 9309)."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._site = application.context.rules.site_url

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the rules: everything is allowed."""
        del req
        resp.text = f"User-agent: *\nDisallow:\n\nSitemap: {self._site}/sitemap.xml\n"
        resp.content_type = falcon.MEDIA_TEXT
        resp.set_header("Cache-Control", _HOUR)


class Sitemap:
    """The sitemap (sitemaps.org)."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._context = application.context

    def on_get(self, req: Request, resp: Response) -> None:
        """List the full URLs of the public pages, projects and proposals."""
        del req
        site = self._context.rules.site_url
        rows = "".join(
            f"<url><loc>{escape(site + quote(path))}</loc></url>\n" for path in self._paths()
        )
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        head = '<?xml version="1.0" encoding="UTF-8"?>\n'
        resp.text = f'{head}<urlset xmlns="{space}">\n{rows}</urlset>\n'
        resp.content_type = "application/xml; charset=utf-8"
        resp.set_header("Cache-Control", _HOUR)

    def _paths(self) -> Iterator[str]:
        with self._context.store.read() as work:
            projects = [one.slug for one in work.content.all(PROJECTS, published_only=True)]
            proposals = [one.proposal.slug for one in work.proposals.all(*LISTED)]
        yield from INDEXED
        yield from (f"/projects/{slug}" for slug in projects)
        yield from (f"/proposals/{slug}" for slug in proposals)
