"""Wires the application: the only place that connects use cases with their adapters."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from jara.config.loading import load_settings
from jara.config.settings import DECIDED, Settings
from jara.domain.errors import Conflict, JaraError
from jara.domain.organisation import Cards
from jara.domain.own_values import PARTS
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.files import shipped
from jara.files.drawing_turns import DrawingTurns, Turns
from jara.languages import known_languages
from jara.payments.no_cards import checked, no_cards
from jara.payments.sandbox.gateway import SandboxGateway
from jara.records.operations import NEW_ORGANISATION, Command
from jara.security.keys import SecretsFolder, SeededEntropy, SystemEntropy
from jara.security.passkeys import WebAuthnVerifier
from jara.security.passwords import ArgonHasher
from jara.security.signing import OperatorSigner
from jara.security.tokens import JwtIssuer
from jara.services.books.papers import forget_refused
from jara.services.context import Context, Rules
from jara.services.notices import receipts
from jara.services.operations.effect_sentences import follow_approval
from jara.services.operations.payment_account import require_account
from jara.services.organisation import own_values, require_payment_mode
from jara.services.ports.outside import ActSigner, Clock, Entropy, PasswordHasher
from jara.services.ports.payments import LivePayments
from jara.services.rate_limits import Allowance, Limit, Limits
from jara.store.checkpoint_file import CheckpointFile
from jara.store.repositories.sandbox import SqlSandboxState
from jara.store.sql.database import Database
from jara.store.store import ReadOnlyStore, Store, open_database
from jara.witness.network import HttpWitnesses

Part = TypeVar("Part")


_MANY_VISITORS = "Many visitors are being answered right now; try again in a moment."

PAYMENT_LISTENERS = (receipts.follow_payment,)
"""Called when the books change a payment: its receipt."""
APPROVAL_LISTENERS = (follow_approval, forget_refused)
"""Called when an act begins to wait, or is decided: emails to operators, its documents."""


class SystemClock:
    """The machine's clock; the only code that reads it."""

    def now(self) -> datetime:
        """Return the current time, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the only place that may


class MovedClock:
    """A clock that was set to an instant, and continues from there."""

    def __init__(self, start: datetime) -> None:
        self._ahead = start - SystemClock().now()

    def now(self) -> datetime:
        """Return the moved time, UTC."""
        return SystemClock().now() + self._ahead


@dataclass(frozen=True)
class Application:
    """The wired application, for the entry points."""

    settings: Settings
    context: Context
    database: Database
    secrets: SecretsFolder
    sandbox_gateway: SandboxGateway | None  # the sandbox; None in a real organisation
    sandbox_state: SqlSandboxState
    live: LivePayments | None = None
    """The payment provider; None with the sandbox, and without cards."""

    @property
    def has_keys(self) -> bool:
        """Whether the keys of an organisation are there."""
        return self.secrets.has_keys()

    @property
    def remedy(self) -> str:
        """What to do if there is no organisation, for messages."""
        return _remedy(self.secrets, self.settings.database_name)

    @cached_property
    def tokens(self) -> JwtIssuer:
        """Issues and reads session tokens."""
        return JwtIssuer(self.secrets.token_key, self.secrets.token_key_mark)

    @cached_property
    def passkeys(self) -> WebAuthnVerifier:
        """Checks passkeys for the site of the settings."""
        rules = self.context.rules
        return WebAuthnVerifier(rules.site_url, organisation=rules.organisation)

    @cached_property
    def drawing_turns(self) -> DrawingTurns:
        """Turns for drawing previews and photos, one picture at a time."""
        return DrawingTurns(self.settings.previews_dir)

    @cached_property
    def value_turns(self) -> Turns:
        """Turns for answers with a value that a visitor chooses, such as an amount."""
        return Turns(1, 3, _MANY_VISITORS)

    @cached_property
    def own_file_turns(self) -> Turns:
        """Turns for files about a member: statements, and all that is stored."""
        return Turns(1, 3, _MANY_VISITORS)

    @cached_property
    def giving_turns(self) -> Turns:
        """Turns for joining and gifts: each is a hash, several commits, an email, a payment."""
        return Turns(2, 1, _MANY_VISITORS)

    @cached_property
    def sign_in_turns(self) -> Turns:
        """Turns for sign-ins with a password, before the attempt is counted."""
        return Turns(2, 2, "Many people are signing in right now; try again in a moment.")

    @cached_property
    def mail_turns(self) -> Turns:
        """Turns for emails to an address that a visitor names."""
        return Turns(1, 1, _MANY_VISITORS)

    @cached_property
    def limits(self) -> Limits:
        """The rate limits of the settings."""
        rates = {limit: getattr(self.settings, f"limit_{limit}") for limit in Limit}
        return {limit: Allowance(rate.count, rate.seconds) for limit, rate in rates.items()}

    @property
    def sandbox(self) -> SandboxGateway:
        """The sandbox.

        Raises:
            Conflict: the organisation is a real one.
        """
        return self._require(
            self.sandbox_gateway, "Payments are live; this command is only for sandbox payments."
        )

    def live_payments(self) -> LivePayments:
        """Return the payment provider.

        Raises:
            Conflict: payments are the sandbox's, or there are no cards.
        """
        return self._require(
            self.live,
            "This organisation is a sandbox; Stripe needs one that `jara init` made with the "
            "three JARA_STRIPE_ keys."
            if self.sandbox_gateway
            else "This organisation takes no cards (JARA_CARDS is none); `jara setup` adds them.",
        )

    def _require(self, part: Part | None, why_not: str) -> Part:
        if part is None:
            self.context.store.require_admission()  # keys of another mode raise their own error
            raise Conflict(why_not)
        return part


def build_from_environ(
    environ: Mapping[str, str],
    *,
    toml_path: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    hasher: PasswordHasher | None = None,
    any_mode: bool = False,
    describe: Callable[[], Command] | None = None,
    now: Callable[[TimeZone], datetime] | None = None,
) -> Application:
    """Read the settings and wire an application; servers pass a hasher that limits itself.

    With ``now`` its clock starts at the instant that this returns for the organisation's time
    zone, which only a sandbox organisation allows.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
        Conflict: a setting moves the clock, but payments are not the sandbox's.
    """
    settings = read_settings(environ, toml_path=toml_path, overrides=overrides)
    if now is not None and not settings.payment_mode.is_sandbox:
        raise Conflict("--now moves the clock in sandbox organisations only; this one is real.")
    return build(
        settings,
        clock=None if now is None else MovedClock(now(_zone_of(settings))),
        hasher=hasher,
        any_mode=any_mode and now is None,  # the database must be a sandbox's too
        describe=describe,
        agent=environ.get("SSH_AUTH_SOCK"),
    )


def read_settings(
    environ: Mapping[str, str],
    *,
    toml_path: Path | None = None,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Read the settings, and from the database what the organisation decided.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
    """
    return load_settings(environ, toml_path=toml_path, overrides=overrides, decided=_read_decided)


def _read_decided(settings: Settings) -> Mapping[str, str]:
    """Return what the organisation decided, by setting; nothing without a database to read."""
    database = open_database(settings.database_url, location=settings.database_name)
    try:
        with Store(database).read() as work:
            own = own_values(work)
    except JaraError:
        return {}
    finally:
        database.close()
    parts = {name: PARTS[option] for name, option in DECIDED.items()}
    return {name: own[part] for name, part in parts.items() if part in own}


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    hasher: PasswordHasher | None = None,
    durable: bool = True,
    any_mode: bool = False,
    describe: Callable[[], Command] | None = None,
    agent: str | None = None,
) -> Application:
    """Wire an application; samples and tests pass a clock, seeded entropy and a cheap hasher.

    Nothing is opened yet: the database, the keys and the word lists are read on first use.
    Changes are refused if the payment keys are not those of the database's mode, unless
    ``any_mode`` is set, for commands that make no payments; a server is refused reading too.
    ``describe`` returns the operator's command, which a key of the SSH ``agent`` or of the
    settings signs; the web server has none.
    """
    clock, entropy = clock or SystemClock(), entropy or SystemEntropy()
    secrets = SecretsFolder(
        settings.secrets_dir,
        draw=entropy.token,
        signer_folder=settings.signer_dir or _own_signer_folder(settings, durable=durable),
        database=settings.database_name,
        durable=durable,
    )
    database = open_database(
        settings.database_url,
        location=settings.database_name,
        durable=durable,
        remedy=partial(_remedy, secrets, settings.database_name),
    )
    mode, takes_cards = settings.payment_mode, settings.cards is not Cards.NONE
    stored = partial(Store, database, seal=secrets.seal_row)
    strict = stored(
        admit=partial(require_payment_mode, Store(database), mode, takes_cards=takes_cards),
        admit_readers=describe is None or isinstance(clock, MovedClock),
    )
    state = SqlSandboxState(database, strict.require_admission)
    live = _connect_stripe(settings, clock, strict.zone)
    sandbox = SandboxGateway(state, clock, entropy, strict.zone) if mode.is_sandbox else None
    context = Context(
        store=stored() if any_mode else strict,
        clock=clock,
        entropy=entropy,
        vault=secrets,
        gateway=sandbox or (live.gateway if live else no_cards()),
        hasher=hasher or ArgonHasher(),
        rules=_rules(settings),
        operator=settings.operator,
        note_file=CheckpointFile(settings.checkpoints_file),
        payment_mode=mode,
        witnesses=HttpWitnesses(),
        signer=None if describe is None else _signer(settings, secrets, describe, agent),
        on_payment=PAYMENT_LISTENERS,
        on_approval=APPROVAL_LISTENERS,
    )
    used = context if describe is None else _asking_own_account(context, live)
    return Application(settings, used, database, secrets, sandbox, state, live)


def _asking_own_account(context: Context, live: LivePayments | None) -> Context:
    """Return the context of a command, which checks the keys; a server does so as it starts."""
    if live is None:
        return context
    check = partial(require_account, context, live.account, keep=False)
    return replace(context, gateway=checked(live.gateway, check))


def _zone_of(settings: Settings) -> TimeZone:
    """Return the organisation's time zone; UTC if the database cannot be read."""
    database = open_database(settings.database_url, location=settings.database_name)
    try:
        return Store(database).zone()
    except JaraError:
        return UTC_ZONE
    finally:
        database.close()


def read_only(application: Application) -> Application:
    """Return the same application with a store that refuses every change."""
    store = ReadOnlyStore(application.database)
    return replace(application, context=replace(application.context, store=store))


def build_sample(settings: Settings, *, clock: Clock, seed: str) -> Application:
    """Wire an application for sample data: seeded keys, cheap hashes, no fsync."""
    return build(
        settings,
        clock=clock,
        entropy=SeededEntropy(seed),
        hasher=ArgonHasher(memory_kib=8, passes=1),
        durable=False,
    )


def _connect_stripe(
    settings: Settings, clock: Clock, zone: Callable[[], TimeZone]
) -> LivePayments | None:
    if settings.stripe_secret_key is None:
        return None
    webhook_secret = settings.stripe_webhook_secret
    # Stripe's library is slow to import; commands of a sandbox organisation do not wait for it.
    from jara.payments.stripe.wiring import connect_stripe  # noqa: PLC0415

    return connect_stripe(
        settings.stripe_secret_key.get_secret_value(),
        None if webhook_secret is None else webhook_secret.get_secret_value(),
        site_url=settings.site_url,
        clock=clock,
        zone=zone,
        api=settings.stripe_api,
    )


def _signer(
    settings: Settings, secrets: SecretsFolder, describe: Callable[[], Command], agent: str | None
) -> ActSigner:
    return OperatorSigner(
        describe, key_file=settings.operator_key, agent=agent, scheduler_key=secrets.scheduler_key
    )


def _remedy(secrets: SecretsFolder, here: str) -> str:
    """Return what to do where there is no organisation."""
    if not secrets.has_keys():
        return NEW_ORGANISATION
    used = secrets.signed_database()
    if used is not None and used != here and Path(used).exists():
        return f"the organisation of {secrets.folder} is in {used}."
    return (
        f"the keys of an organisation are in {secrets.folder}: `jara restore FILE` restores its "
        "backup."
    )


def _own_signer_folder(settings: Settings, *, durable: bool) -> Path | None:
    """Return the user's folder for signer states; samples store theirs beside their keys."""
    if not durable or any(settings.secrets_dir.glob("*.signed")):
        return None
    home = os.environ.get("XDG_STATE_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".local/state") / "jara"


def _rules(settings: Settings) -> Rules:
    return Rules(
        site_url=settings.site_url,
        approval_cents=settings.approval_cents,
        mail_per_hour=settings.mail_per_hour,
        legal_texts=shipped.read_legal_texts,
        log_days=settings.log_days,
        backup_days=settings.backup_days,
        common_passwords=shipped.WordList(shipped.read_common_passwords),
        countries=shipped.CountryList(),
        time_zone_of=shipped.time_zone_of,
        languages=known_languages(),
        language=settings.language,
    )
