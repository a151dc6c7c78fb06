"""Addresses of web pages: the forms that may stand in settings, content and links.

Everything else is refused: what a browser would strip, rewrite or read as another host.
"""

import re
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

_PORT_MAX = 65_535
_NOT_IN_PATHS = r"\s\"'<>\\^`{|}\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f"
_NOT_IN_PATHS += r"\ud800-\udfff\ufeff\ufff0-\uffff\U000e0000-\U000fffff"
_REST = rf"[^{_NOT_IN_PATHS}]*"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ADDRESS = re.compile(
    rf"(?P<scheme>https?)://(?:(?P<name>{_LABEL}(?:\.{_LABEL})*)|\[(?P<six>[0-9A-Fa-f:.]+)\])"
    rf"(?::(?P<port>[0-9]{{1,5}}))?(?P<rest>[/?#]{_REST})?"
)
_PATH = re.compile(rf"/(?![/\\]){_REST}")
_SCHEMES = frozenset({"http", "https"})
_SITE_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*/?")
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9A-Fa-f]*)", re.ASCII)
"""A host whose last part is a number is an IPv4 address to browsers."""


def is_web_address(text: str, *, schemes: frozenset[str] = frozenset({"https"})) -> bool:
    """Return whether a text is a whole address: scheme, host, perhaps a port and the rest.

    A user name, a backslash, quotes and what nobody sees are in no part of it.
    """
    match = _ADDRESS.fullmatch(text)
    if match is None or match["scheme"] not in schemes or int(match["port"] or 0) > _PORT_MAX:
        return False
    try:
        if match["six"] is not None:
            IPv6Address(match["six"])
        elif _NUMBER.fullmatch(match["name"]):
            IPv4Address(match["name"])
    except ValueError:
        return False
    return True


def parse_site_address(text: str) -> str:
    """Return the address of a whole site, without a trailing slash.

    Raises:
        ValueError: it is not one; the message is the rule.
    """
    if not (text.isascii() and is_web_address(text, schemes=_SCHEMES)):
        raise ValueError("must be an address that begins with https:// or http://")
    if "?" in text or "#" in text or not _SITE_PATH.fullmatch(urlsplit(text).path):
        raise ValueError("must be only the site's address, without ?, # and user name")
    return text.rstrip("/")


def is_site_path(text: str) -> bool:
    """Return whether a text is a path of this site, which no browser reads as another host."""
    return _PATH.fullmatch(text) is not None
