"""Finds the client's address behind trusted proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from jara_webapi.calls.requests import Request

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ClientAddresses:
    """Reads ``X-Forwarded-For`` only if a trusted proxy sent it."""

    def __init__(self, trusted: Iterable[str]) -> None:
        """Use the networks of the trusted proxies."""
        self._trusted = networks_of(trusted)

    def of(self, req: Request) -> str:
        """Return the client's address: the last one that is not a trusted proxy."""
        peer = req.remote_addr
        if not self._is_trusted(peer):
            return peer
        header = req.get_header("X-Forwarded-For") or ""
        for hop in reversed([part.strip() for part in header.split(",") if part.strip()]):
            if _parse(hop) is None:
                return peer
            if not self._is_trusted(hop):
                return hop
            peer = hop
        return peer

    def _is_trusted(self, text: str) -> bool:
        return is_among(text, self._trusted)


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks from the settings."""
    return tuple(ipaddress.ip_network(text) for text in texts)


def is_among(text: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of some networks."""
    address = _parse(text) if networks else None
    return address is not None and any(address in network for network in networks)


def is_loopback(req: Request) -> bool:
    """Return whether the request comes from this machine without a proxy in between."""
    address = _parse(req.remote_addr)
    forwarded = req.get_header("X-Forwarded-For") or req.get_header("Forwarded")
    return address is not None and address.is_loopback and not forwarded


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
