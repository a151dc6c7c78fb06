"""Addresses in the settings: what stands in pages, headers and emails is an address alone."""

import pytest

from jara.config.loading import load_settings
from tests.config.refused_settings import refuse

HOSTILE = [
    'https://a"><script>alert(1)</script>',
    "https://a'><script>",
    'https://a/"onmouseover=alert(1)',
    "https://a<b",
    "https://a`b",
    "https://a\\\\evil.example",
    "https://a\tb.example",
    "https://a.example/\x00",
    "https://a.example/\x9b",
    "https://a.example/\u202e",
    "https://a.example;script-src *",
    "https://a.example;script-src%20*",
    "https://a.example,evil.example",
    "https://*.example",
    "https://a.example{{x}}",
    "https://%61.example",
    "https://evil.example%2f.a.example",
    "https://user@a.example",
    "https://user:word@a.example",
    "https://@a.example",
    "https://-a.example",
    "https://a..example",
    "https://.a.example",
    f"https://{'a' * 64}.example",
    "https://a.example:x",
    "https://a.example:99999",
    "https://a.example:",
    "https://[::1",
    "https://[a]",
    "https://a]b",
    "https://1.2.3.4.5",
    "https:/a.example",
    "https:a.example",
    "//a.example",
    "javascript://a.example/%0aalert(1)",
    "data:text/html,x",
    "https://b\u00fccher.example",
    "https://\uff41.example",
]
GOOD = [
    "https://jara.example",
    "https://give.jara.example",
    "https://jara.example:8443",
    "http://127.0.0.1:8000",
    "http://localhost:8000",
    "http://[::1]:8000",
    "https://xn--bcher-kva.example",
]


@pytest.mark.parametrize("variable", ["SITE_URL", "STRIPE_API"])
@pytest.mark.parametrize("address", HOSTILE)
def test_an_invalid_site_address_is_refused(variable: str, address: str) -> None:
    """Nothing that ends an attribute, a header or a host name is part of an address."""
    assert f"JARA_{variable}" in refuse({f"JARA_{variable}": address})


@pytest.mark.parametrize("address", HOSTILE)
def test_an_origin_is_an_address_too(address: str) -> None:
    """A list of origins has no other rules."""
    assert "JARA_CORS_ORIGINS" in refuse({"JARA_CORS_ORIGINS": address})


@pytest.mark.parametrize("address", GOOD)
def test_plain_addresses_are_taken(address: str) -> None:
    """With a port, an address of the network, or a name in its ASCII form."""
    settings = load_settings({"JARA_SITE_URL": address, "JARA_STRIPE_API": f"{address}/a?b=c&d#e"})

    assert settings.site_url == address
    assert settings.stripe_api == f"{address}/a?b=c&d#e"


def test_a_site_may_lie_in_a_folder() -> None:
    """A trailing slash is dropped."""
    assert load_settings({"JARA_SITE_URL": "https://a.example/~jara/"}).site_url == (
        "https://a.example/~jara"
    )
