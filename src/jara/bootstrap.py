"""The only place that wires things together: settings in, an application out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from jara.config.loading import load_settings
from jara.config.settings import Settings
from jara.files.checkpoint_file import CheckpointFile
from jara.files.shipped import WordList, read_common_passwords, read_countries, read_data
from jara.security.entropy import SeededEntropy, SystemEntropy
from jara.security.keys import SecretsFolder
from jara.security.passwords import ArgonHasher, ThrottledHasher
from jara.services.context import Context, Rules
from jara.store.opening import open_database
from jara.store.repositories.sandbox import SqlSandboxState
from jara.store.sql.database import Database
from jara.store.unit_of_work import SqlStore

if TYPE_CHECKING:  # a command starts without the parts that it does not use
    from pydantic import SecretStr

    from jara.mail.rendering import RenderedEmail, SenderIdentity
    from jara.payments.sandbox_gateway import SandboxGateway
    from jara.payments.stripe_wiring import LivePayments
    from jara.security.tokens import JwtIssuer
    from jara.services.ports.operations import MailSender
    from jara.services.ports.outside import Clock, Entropy, PasswordHasher
    from jara.services.rate_limits import Limits

HASHES_WAITING = 6
"""Sign-ins of one process that may wait for a core; fewer than it has threads."""


class SystemClock:
    """The clock of the machine; the only place where the time is asked for."""

    def now(self) -> datetime:
        """Return the present instant, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - its home


class Deferred:
    """Stands for a part that most commands never ask: it is made for the first question."""

    def __init__(self, make: Callable[[], object]) -> None:
        """Take the way to make it."""
        self._make = make

    @cached_property
    def _made(self) -> object:
        return self._make()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the part has
        return getattr(self._made, name)


@dataclass(frozen=True)
class Application:
    """A wired Jara: what entry points work with.

    Args:
        clockwork: the sandbox, when payments are its; None with live payments.
        live: the provider, when payments are live.
    """

    settings: Settings
    context: Context
    database: Database
    secrets: SecretsFolder
    clockwork: SandboxGateway | None
    sandbox_state: SqlSandboxState
    live: LivePayments | None = None

    @cached_property
    def tokens(self) -> JwtIssuer:
        """Who makes and reads the tokens of sessions."""
        from jara.security.tokens import JwtIssuer

        return JwtIssuer(self.secrets.token_key)

    @cached_property
    def limits(self) -> Limits:
        """How often something may be tried."""
        from jara.services.rate_limits import Allowance, Limit

        rates = {limit: getattr(self.settings, f"limit_{limit}") for limit in Limit}
        return {limit: Allowance(rate.count, rate.seconds) for limit, rate in rates.items()}

    @property
    def sandbox(self) -> SandboxGateway:
        """The sandbox; a Conflict when payments are live."""
        from jara.payments.stripe_wiring import require

        return require(self.clockwork, "Payments are live; this is for sandbox payments alone.")

    def live_payments(self) -> LivePayments:
        """Return the payment provider's side; a Conflict when payments are the sandbox's."""
        from jara.payments.stripe_wiring import require

        return require(self.live, "Payments are the sandbox's; set the three JARA_STRIPE_ keys.")


def build_from_environ(
    environ: Mapping[str, str],
    *,
    toml_path: Path | None = None,
    overrides: Mapping[str, str | None] | None = None,
    processes: int = 1,
) -> Application:
    """Read the settings and wire an application.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
    """
    settings = load_settings(environ, toml_path=toml_path, overrides=overrides)
    return build(settings, processes=processes)


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    hasher: PasswordHasher | None = None,
    durable: bool = True,
    processes: int = 1,
) -> Application:
    """Wire an application; samples and tests hand in a clock, entropy and a cheap hasher.

    Nothing is opened yet: the database, the keys and the word lists are read when a use
    case first needs them. ``processes`` share the machine's cores.
    """
    clock = clock or SystemClock()
    entropy = entropy or SystemEntropy()
    database = open_database(
        settings.database_url, location=settings.database_name, durable=durable
    )
    secrets = SecretsFolder(settings.secrets_dir, draw=entropy.token)
    state = SqlSandboxState(database.transaction)
    live = _live(settings, clock) if settings.has_live_gateway else None
    sandbox = cast("SandboxGateway", Deferred(lambda: _sandbox(state, clock, entropy)))
    context = Context(
        store=SqlStore(database),
        clock=clock,
        entropy=entropy,
        vault=secrets,
        gateway=live.gateway if live else sandbox,
        hasher=hasher or _throttled_hasher(processes),
        rules=_rules(settings),
        operator=settings.operator,
        note_file=CheckpointFile(settings.checkpoints_file),
    )
    clockwork = None if live else sandbox
    return Application(settings, context, database, secrets, clockwork, state, live)


def initialise(application: Application) -> None:
    """Found the organisation: secrets, schema, fund policy, chart of accounts.

    When it fails, nothing that it made stays behind.

    Raises:
        Conflict: there is a database, or there are secrets, already.
    """
    from jara.domain.books.fund_policy import DEFAULT_POLICY
    from jara.services.organisation import ChartLine, create_organisation

    application.database.require_absent()
    had_folder = application.secrets.folder.is_dir()
    application.secrets.create(log_name=log_name(application.settings.site_url))
    try:
        chart = [ChartLine(row["name"], row["meaning"]) for row in read_data("chart-of-accounts")]
        create_organisation(application.context, chart=chart, policy=DEFAULT_POLICY)
    except BaseException:
        application.database.remove()
        application.secrets.destroy(keep_folder=had_folder)
        raise


def log_name(site_url: str) -> str:
    """Return the name of the public log: the site's host, as C2SP notes have it."""
    return f"{urlsplit(site_url).hostname}/log"


def mail_sender(settings: Settings) -> MailSender:
    """Return the mail server's sender, or the folder's while none is set."""
    from jara.mail.senders import open_sender

    url = _revealed(settings.smtp_url)
    return open_sender(_sender_identity(settings), smtp_url=url, folder=settings.mail_dir)


def preview_email(settings: Settings, kind: str) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such email.
    """
    from jara.mail.samples import preview

    site = settings.site_url
    return preview(kind, _sender_identity(settings), Rules().organisation, site)


def build_sample(settings: Settings, *, clock: Clock, seed: str) -> Application:
    """Wire an application for invented people: seeded keys, cheap hashes, no waiting."""
    return build(
        settings,
        clock=clock,
        entropy=SeededEntropy(seed),
        hasher=ArgonHasher(memory_kib=8, passes=1),
        durable=False,
    )


def _revealed(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()


def _sender_identity(settings: Settings) -> SenderIdentity:
    from jara.mail.rendering import SenderIdentity

    host = urlsplit(settings.site_url).hostname
    return SenderIdentity(
        sender=settings.mail_from or f"Jara <no-reply@{host}>",
        postal_address=settings.postal_address or "",
        contact_email=settings.contact_email or "",
    )


def _throttled_hasher(processes: int) -> PasswordHasher:
    at_once = max(1, (os.cpu_count() or 1) // processes)
    return ThrottledHasher(ArgonHasher(), at_once=at_once, waiting=HASHES_WAITING)


def _live(settings: Settings, clock: Clock) -> LivePayments | None:
    from jara.payments.stripe_wiring import connect_stripe

    return connect_stripe(
        _revealed(settings.stripe_secret_key),
        _revealed(settings.stripe_webhook_secret),
        site_url=settings.site_url,
        clock=clock,
    )


def _sandbox(state: SqlSandboxState, clock: Clock, entropy: Entropy) -> SandboxGateway:
    from jara.payments.sandbox_gateway import SandboxGateway

    return SandboxGateway(state, clock, entropy)


def _rules(settings: Settings) -> Rules:
    return Rules(
        site_url=settings.site_url,
        contact_email=settings.contact_email or "",
        approval_cents=settings.approval_cents,
        common_passwords=WordList(read_common_passwords),
        countries=WordList(read_countries),
    )
