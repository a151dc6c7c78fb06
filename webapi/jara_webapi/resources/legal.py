"""The terms, the privacy text, and where to report a security problem."""

from datetime import date, timedelta
from typing import Annotated, NamedTuple

import falcon

from jara.documents import Json
from jara.domain.errors import NotFound
from jara.domain.language import Language
from jara.domain.legal.versions import LegalText, Status
from jara.languages import known_languages
from jara.reports.legal_page import view_legal
from jara.services.context import Context
from jara.services.legal.reading import ListedVersion, listed, show_legal
from jara.services.organisation import identity_of
from jara_webapi.calls.operations import Call, Reply, get
from jara_webapi.schemas.public import VersionQuery

_EXPIRES = timedelta(days=90)
"""Researchers should not trust an older copy; the server writes a new day every day."""


class LegalAnswer(NamedTuple):
    """A legal text in the reader's language."""

    text: LegalText
    version: int | None  # its version; None as long as the text was never put into effect
    valid_from: Annotated[date | None, Json("from")]  # the first day on which it holds
    until: date | None  # the first day on which another version does
    status: Status | None  # whether it holds
    language: Language  # of the text, which may exist in others too
    notes: tuple[str, ...]  # sentences about the version, in the reader's language
    markdown: str  # the text
    html: str  # notes, text, and links to the other versions
    versions: tuple[ListedVersion, ...]  # every version, in the order in which they hold


@get(cached=True, in_languages=True, refuses=(404,))
def legal_text(context: Context, call: Call, text: str, query: VersionQuery) -> LegalAnswer:
    """Return the terms or the privacy text, as they hold or in another version."""
    if text not in set(LegalText):
        raise NotFound(
            "There is no legal text '{name}'; there are {list}.",
            name=text,
            list=", ".join(LegalText),
        )
    page = show_legal(context, LegalText(text), query.version)
    view = view_legal(page, call.language, context.gateway.name)
    version = page.version
    return LegalAnswer(
        text=page.text,
        version=None if version is None else version.change.number,
        valid_from=None if version is None else version.change.valid_from,
        until=None if version is None else version.until,
        status=None if version is None else version.status,
        language=view.language,
        notes=view.notes,
        markdown=view.markdown,
        html=view.html,
        versions=tuple(listed(page.versions)),
    )


@get(media_type=falcon.MEDIA_TEXT)
def security_txt(context: Context) -> Reply:
    """Return where to report a security problem (RFC 9116); 404 without a contact address."""
    contact = identity_of(context).contact
    if not contact:
        raise falcon.HTTPNotFound
    site, languages = context.rules.site_url, known_languages()
    expires = context.today() + _EXPIRES
    lines = (
        f"Contact: mailto:{contact}",
        f"Expires: {expires.isoformat()}T00:00:00Z",
        f"Preferred-Languages: {', '.join(languages)}",
        f"Canonical: {site}/.well-known/security.txt",
        f"Policy: {site}/terms",
    )
    text = "".join(f"{line}\n" for line in lines)
    return Reply(text.encode(), headers={"Content-Type": "text/plain; charset=utf-8"})
