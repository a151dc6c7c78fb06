"""What a server needs: permission to serve an organisation, and its password hasher."""

import ipaddress
import os
from contextlib import suppress
from urllib.parse import urlsplit

from jara.bootstrap import Application
from jara.config.settings import RETIRED, Settings, variable_of
from jara.domain.errors import Conflict, Unavailable
from jara.domain.organisation import Cards
from jara.security.passwords import ArgonHasher, ThrottledHasher
from jara.services.operations.diagnosis import missing_in_the_open
from jara.services.operations.diagnosis_setup import CheckResult, Environment
from jara.services.operations.payment_account import require_account
from jara.services.organisation import require_own_secrets


def require_servable(application: Application, *, host: str, behind_proxy: bool = False) -> None:
    """Check that an organisation may be served at an address, which perhaps only a proxy reaches.

    Raises:
        Conflict: the settings do not fit the organisation's payment mode or the address.
        Unavailable: the secrets folder belongs to another database.
    """
    context = application.context
    require_safe_settings(application.settings, host=host)
    if not (behind_proxy or is_loopback(host)):
        raise Conflict(
            f"{host} can be reached by others, and slow clients can block Jara without a proxy: "
            "listen on 127.0.0.1 behind nginx (docs/deploy/nginx.conf), or use --behind-proxy if "
            "only a proxy reaches this address."
        )
    with context.store.read() as work:
        require_own_secrets(context, work)
    require_own_account(application)


def require_safe_settings(settings: Settings, *, host: str | None = None) -> None:
    """Check the settings alone, without reading the database.

    Raises:
        Conflict: they do not allow serving, or not on this address.
    """
    if settings.payment_mode.is_sandbox:
        _require_private(settings, host)
    elif settings.cards is Cards.STRIPE and settings.stripe_webhook_secret is None:
        raise Conflict(
            "Set JARA_STRIPE_WEBHOOK_SECRET to the secret that `jara stripe setup` shows; "
            "without it Jara cannot tell Stripe's events from forged ones."
        )


def require_own_account(application: Application) -> None:
    """Check that the payment keys belong to the organisation's account.

    The check passes if the provider does not answer: the website works without it.

    Raises:
        Conflict: they belong to another account, or are of another payment mode.
    """
    application.context.store.require_admission()
    if application.live is not None:
        with suppress(Unavailable):
            require_account(application.context, application.live.account)


def environment_of(
    settings: Settings, *, host: str = "localhost", behind_proxy: bool = False
) -> Environment:
    """Return what the settings and the address to listen on say about an installation."""
    site = urlsplit(settings.site_url).hostname or ""
    return Environment(
        sends_mail=settings.smtp_url is not None,
        decided_settings=settings.decided_here,
        retired_settings={variable_of(name): RETIRED[name] for name in settings.retired},
        trusted_proxies=settings.trusted_proxies,
        is_open=behind_proxy or not (is_loopback(host) and is_loopback(site)),
    )


def missing_on_server(
    application: Application, *, host: str, behind_proxy: bool
) -> list[CheckResult]:
    """Return what is missing on a server that others reach; nothing on one for this machine."""
    around = environment_of(application.settings, host=host, behind_proxy=behind_proxy)
    return missing_in_the_open(application.context, around)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_open_sandbox(settings: Settings) -> bool:
    """Return whether the site is a sandbox with an address that others can reach."""
    site = urlsplit(settings.site_url)
    is_private = site.scheme == "http" and is_loopback(site.hostname or "")
    return settings.payment_mode.is_sandbox and not is_private


def _require_private(settings: Settings, host: str | None) -> None:
    """Keep sandbox payments on this machine: visitors would take them for real ones.

    Raises:
        Conflict: the sandbox would be public, and no setting allows that.
    """
    is_private = not is_open_sandbox(settings) and (host is None or is_loopback(host))
    if not (is_private or settings.public_sandbox):
        raise Conflict(
            "With sandbox payments the site must stay on this machine: listen on "
            "127.0.0.1 and set JARA_SITE_URL to http://127.0.0.1:8000, or use --public-sandbox "
            "(JARA_PUBLIC_SANDBOX); every page then says that payments are not real."
        )


HASHES_WAITING = 3
"""Sign-ins of one process that may wait for a core; so half of its threads answer others."""


def throttled_hasher(processes: int) -> ThrottledHasher:
    """Return the hasher of one process, given the number of server processes."""
    at_once = max(1, (os.cpu_count() or 1) // processes)
    return ThrottledHasher(ArgonHasher(), at_once=at_once, waiting=HASHES_WAITING)
