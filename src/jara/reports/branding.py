"""The organisation's own colour and logo on a report; without them it looks as it always did."""

from __future__ import annotations

from base64 import b64encode
from typing import NamedTuple

from jara.domain.identity.colours import shades_of


class Branding(NamedTuple):
    """How the head of a report looks.

    Args:
        colour: its ground, as ``#rrggbb``; empty for the software's own.
        logo: the picture, PNG or SVG; empty for none. A report holds it, because it stands alone.
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
        """The logo as the source of an ``<img>``, where nothing in it runs or loads."""
        kind = {"png": "image/png", "svg": "image/svg+xml"}[self.logo_format]
        return f"data:{kind};base64,{b64encode(self.logo).decode('ascii')}"


PLAIN = Branding()
