"""Tests of the client's address behind proxies."""

import falcon
import pytest
from falcon import testing

from jara_webapi.calls.requests import Request
from jara_webapi.middleware.authentication import ClientAddresses


def address(peer: str, forwarded: str, trusted: str = "10.0.0.0/8") -> str:
    """Return the address that a request is counted under."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    environ = testing.create_environ("/", headers=headers, remote_addr=peer)
    return ClientAddresses([trusted]).of(Request(environ, falcon.RequestOptions()))


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("10.0.0.1", "198.51.100.6, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("192.0.2.1", "198.51.100.6, 203.0.113.9", "192.0.2.1"),
        ("10.0.0.1", "198.51.100.6, 10.0.0.2, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_only_the_hop_seen_by_a_trusted_proxy_counts(
    peer: str, forwarded: str, counted: str
) -> None:
    """Hops before the trusted proxy are ignored, because the client can write anything there."""
    assert address(peer, forwarded) == counted
