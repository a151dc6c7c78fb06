"""Wires the branding of reports: the organisation's colour, and its logo from the media folder."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.reports.branding import Branding
from jara.services.identity import identity_of


def branding_of(application: Application) -> Branding:
    """Return the current branding of reports, without the logo if its file is missing."""
    own = identity_of(application.context)
    if own.logo is None:
        return Branding(own.colour)
    try:
        logo = (application.settings.media_dir / own.logo.path.rpartition("/")[2]).read_bytes()
    except OSError:
        logo = b""
    return Branding(own.colour, logo)
