"""The organisation's own colour and logo on a report; without them it has the default look."""

from __future__ import annotations

from base64 import b64encode
from typing import NamedTuple

from jara.domain.organisation import shades_of


class Branding(NamedTuple):
    """The look of the head of a report.

    Args:
        colour: its background, as ``#rrggbb``; empty for the default.
        logo: the image, PNG or SVG; empty for none. A report embeds it, to be self-contained.
    """

    colour: str = ""
    logo: bytes = b""

    @property
    def shade(self) -> str:
        """The darker shade of the colour; empty without one."""
        return shades_of(self.colour).light_hover if self.colour else ""

    @property
    def logo_format(self) -> str:
        """The format of the logo: ``png`` or ``svg``; empty without one."""
        if not self.logo:
            return ""
        return "png" if self.logo.startswith(b"\x89PNG") else "svg"

    @property
    def logo_address(self) -> str:
        """The logo as a data URL for an ``<img>``, where nothing in it runs or loads."""
        kind = {"png": "image/png", "svg": "image/svg+xml"}[self.logo_format]
        return f"data:{kind};base64,{b64encode(self.logo).decode('ascii')}"


PLAIN = Branding()
