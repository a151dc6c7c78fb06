"""Sample values of every email, for ``jara mail preview``: a file beside each template."""

from __future__ import annotations

import json
from importlib.resources import files

from jara.domain.language import ENGLISH, Language
from jara.mail.rendering import RenderedEmail, SenderIdentity, render

_TEMPLATES = files("jara.mail") / "templates"


def sample_values(kind: str, *, organisation: str, site_url: str) -> dict[str, object]:
    """Return values for an email of a kind; one without a file has only the common ones."""
    common = {"organisation": organisation, "siteUrl": site_url, "firstname": "Ama"}
    own = _TEMPLATES / f"{kind}.json"
    return {**common, **(json.loads(own.read_text("utf-8")) if own.is_file() else {})}


def preview(
    kind: str,
    identity: SenderIdentity,
    organisation: str,
    site_url: str,
    language: Language = ENGLISH,
) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such kind.
    """
    values = sample_values(kind, organisation=organisation, site_url=site_url)
    return render(kind, {**values, "language": language}, identity)
