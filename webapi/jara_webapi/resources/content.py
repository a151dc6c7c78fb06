"""Published content, its photos, and what search engines read of the site."""

import mimetypes
import re
from typing import Annotated
from urllib.parse import quote
from xml.sax.saxutils import escape

import falcon
from pydantic import WithJsonSchema

from jara.bootstrap import Application
from jara.domain.content.kinds import GRANTS, KINDS, PROJECTS, ROADMAP
from jara.domain.content.schema import ContentKind
from jara.files.html import clean_html
from jara.services.context import Context
from jara.services.projects import catalogue
from jara.services.projects.catalogue import ProjectCard, ProjectLink
from jara_webapi.calls.operations import Call, Endpoint, Reply, Stream, get
from jara_webapi.calls.scenes import Scenes
from jara_webapi.middleware.security_headers import IMMUTABLE, PAGE_POLICY
from jara_webapi.schemas import content
from jara_webapi.schemas.base import Document, Shape, answer_model
from jara_webapi.schemas.public import Donations

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
    "/follow",
    "/ledger",
    "/proposals",
    "/join",
    "/donate",
    "/check-vote",
    "/terms",
    "/privacy",
    "/accessibility",
)
"""The pages for search engines; the others have a noindex tag."""

_HOUR = "public, max-age=3600"
_MEDIA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing that is opened on its own runs no script either."""
_MEDIA_NAME = re.compile(r"([0-9a-f]{64})\.(jpg|jpeg|png|webp|pdf|avif|svg)", re.ASCII)

Card = Annotated[Document, Shape(ProjectCard, content.card_schema(KINDS[PROJECTS]))]
Detail = Annotated[Document, Shape(content.ProjectPage, content.detail_schema(KINDS[PROJECTS]))]


def items_of(kind: ContentKind) -> Endpoint:
    """Return the call that lists a kind of content."""
    schema = content.item_schema(kind)
    link = answer_model(ProjectLink, "Grant")
    shape = Shape(link, schema) if kind.name == GRANTS else WithJsonSchema(schema)
    item = Annotated[Document, shape]

    @get(answer=list[item], cached=True, in_languages=True)
    def items(context: Context, scenes: Scenes) -> list[Document]:
        """List the published items of this kind."""
        if kind.name == ROADMAP:
            return catalogue.list_roadmap(context)
        if kind.name == GRANTS:
            grants = catalogue.list_grants(context)
            return [scenes.with_picture(grant, title="project") for grant in grants]
        return catalogue.list_published(context, kind.name)

    return items


@get(answer=list[Card], cached=True, in_languages=True)
def projects(context: Context, scenes: Scenes, query: content.ProjectsQuery) -> list[Document]:
    """List the projects, of one category or all."""
    return [scenes.with_picture(one) for one in catalogue.list_projects(context, query.category)]


@get(answer=Detail, refuses=(404,), cached=True, in_languages=True)
def project(context: Context, scenes: Scenes, name: str) -> Document:
    """Return a project by its title or slug, with its vote, money and updates."""
    document = scenes.with_picture(catalogue.show_project(context, name))
    updates = [
        {**update, "content": clean_html(str(update.get("content", "")))}
        for update in document["updates"]
    ]
    return {**document, "story": clean_html(str(document.get("story", ""))), "updates": updates}


@get(answer=Annotated[Document, Shape(Donations)], cached=True, in_languages=True)
def donations(context: Context) -> Document:
    """List the donations, with their number and their sum."""
    return catalogue.list_donations(context)


@get(media_type="application/octet-stream")
def media(app: Application, call: Call, name: str) -> Reply:
    """Return a photo or document that an operator added, named by the hash of its content."""
    match, path = _MEDIA_NAME.fullmatch(name), app.settings.media_dir / name
    if match is None or not path.is_file():
        raise falcon.HTTPNotFound
    call.req.context[PAGE_POLICY] = _MEDIA_POLICY
    headers = {
        "Content-Type": mimetypes.types_map.get(f".{match[2]}", "application/octet-stream"),
        "Content-Length": str(path.stat().st_size),
        "Content-Disposition": f'inline; filename="{name}"',
        "Cache-Control": IMMUTABLE,
    }
    return Reply(Stream(() if call.req.method == "HEAD" else path.open("rb")), headers=headers)


@get(media_type=falcon.MEDIA_TEXT)
def robots(context: Context) -> Reply:
    """Return robots.txt (RFC 9309): everything is allowed."""
    text = f"User-agent: *\nDisallow:\n\nSitemap: {context.rules.site_url}/sitemap.xml\n"
    return Reply(text, headers={"Cache-Control": _HOUR})


@get(media_type="application/xml; charset=utf-8")
def sitemap(context: Context) -> Reply:
    """List the full URLs of the public pages, projects and proposals (sitemaps.org)."""
    site, slugs = context.rules.site_url, catalogue.list_slugs(context)
    paths = [
        *INDEXED,
        *(f"/projects/{slug}" for slug in slugs.projects),
        *(f"/proposals/{slug}" for slug in slugs.proposals),
    ]
    rows = "".join(f"<url><loc>{escape(site + quote(path))}</loc></url>\n" for path in paths)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    text = f'{head}<urlset xmlns="{space}">\n{rows}</urlset>\n'
    return Reply(text, headers={"Cache-Control": _HOUR})
