"""The settings as one frozen value; every instance is valid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from jara.config.values import (
    CardFee,
    Rate,
    is_placeholder,
    read_age_recipient,
    read_beginning,
    read_bounce_address,
    read_card_fee,
    read_cards,
    read_database_url,
    read_dns_server,
    read_flag,
    read_language,
    read_list,
    read_network,
    read_operator,
    read_origin,
    read_path,
    read_positive_count,
    read_rate,
    read_secret,
    read_selector,
    read_sender,
    read_smtp_url,
    read_web_url,
    without_password,
)
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.organisation import Cards, PaymentMode
from jara.domain.web_address import parse_site_address

_PREFIX = "JARA_"
_STRIPE_KEYS = ("stripe_secret_key", "stripe_publishable_key", "stripe_webhook_secret")
_WEBHOOK_SECRET = "stripe_webhook_secret"  # noqa: S105 - the name of a setting

DATABASE_SOURCE = "database"
"""The source of a value that the organisation decided."""

BESIDE_DATABASE = {
    "secrets_dir": "jara.secrets",
    "media_dir": "jara.media",
    "previews_dir": "jara.previews",
    "checkpoints_file": "jara.checkpoints.txt",
}


def variable_of(name: str) -> str:
    """The environment variable of a setting: ``JARA_SITE_URL``."""
    return f"{_PREFIX}{name.upper()}"


_SQLITE = "sqlite:///"


def _place_of(url: str) -> Path:
    """The folder of the database's file; without a file the working directory."""
    return Path(url.removeprefix(_SQLITE)).parent if url.startswith(_SQLITE) else Path.cwd()


def _setting(
    read: Callable[[Any], object],
    default: object = None,
    *,
    secret: bool = False,
    help: str = "",  # noqa: A002 - as Typer calls it
) -> Any:  # noqa: ANN401 - what dataclass' field returns
    """Declare a setting and the function that reads it; a secret is never shown."""
    metadata = {"read": read, "secret": secret, "help": help}
    return field(default=default, repr=not secret, metadata=metadata)


def _text(
    read: Callable[[str], object] = str,
    default: object = None,
    *,
    secret: bool = False,
    help: str = "",  # noqa: A002 - as Typer calls it
) -> Any:  # noqa: ANN401 - what dataclass' field returns
    """Declare a setting that is written as text, as most are."""

    def read_text(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("must be text")  # noqa: TRY004 - a broken rule like any other
        return read(value)

    return _setting(read_text, default, secret=secret, help=help)


@dataclass(frozen=True)
class Settings:
    """Everything an organisation can set; every instance is valid.

    A dataclass, not a Pydantic model: the rules are plain functions in `values`.

    Raises:
        InvalidInput: a value breaks its rule; the message names variable, value and rule.
    """

    database_url: str = _text(read_database_url, "sqlite:///jara.db", secret=True)
    secrets_dir: Path = _setting(read_path)
    signer_dir: Path | None = _setting(read_path)
    media_dir: Path = _setting(read_path)
    previews_dir: Path = _setting(read_path)
    checkpoints_file: Path = _setting(read_path)
    tiles_dir: Path | None = _setting(read_path)
    site_url: str = _text(
        parse_site_address,
        "http://127.0.0.1:8000",
        help="Address of the site, if another on this machine than the organisation's.",
    )
    language: Language = _text(
        read_language,
        ENGLISH,
        help="Language of whoever has chosen none, if another on this machine.",
    )
    cards: Cards = _text(
        read_cards,
        help="Payments by card: stripe, none (members pay by transfer, cheque, mobile money "
        "or in cash), or sandbox: payments are simulated, and an organisation that begins so "
        "never becomes a real one.",
    )
    stripe_secret_key: SecretStr | None = _text(
        read_secret("sk_test_", "sk_live_", "rk_test_", "rk_live_"),
        secret=True,
        help="Secret key of Stripe.",
    )
    stripe_publishable_key: str | None = _text(
        read_beginning("pk_test_", "pk_live_"),
        secret=True,  # a secret key may be there by mistake
        help="Publishable key of Stripe.",
    )
    stripe_webhook_secret: SecretStr | None = _text(read_secret("whsec_"), secret=True)
    stripe_api: str | None = _text(read_web_url)
    backup_to: tuple[str, ...] = _setting(read_list(read_age_recipient), ())
    public_sandbox: bool = _setting(read_flag, default=False)
    smtp_url: SecretStr | None = _text(
        read_smtp_url,
        secret=True,
        help="Mail server, such as smtps://user:password@host:465; without it emails become files.",
    )
    mail_from: str | None = _text(read_sender, help="Sender of emails: an address.")
    mail_per_hour: int | None = _setting(read_positive_count)
    bounce_address: str | None = _text(read_bounce_address)
    dkim_selector: str | None = _text(read_selector)
    dns_server: str | None = _text(read_dns_server)
    card_fee: CardFee = _text(read_card_fee, "2.9% + 0.30")
    trusted_proxies: tuple[str, ...] = _setting(read_list(read_network), ())
    metrics_networks: tuple[str, ...] = _setting(read_list(read_network), ())
    cors_origins: tuple[str, ...] = _setting(read_list(read_origin), ())
    limit_sign_in_account: Rate = _text(read_rate, "10/h")
    limit_sign_in_address: Rate = _text(read_rate, "60/h")
    limit_sign_in_unknown: Rate = _text(read_rate, "100/d")
    limit_email_exists_address: Rate = _text(read_rate, "20/min")
    limit_register_address: Rate = _text(read_rate, "60/h")
    limit_declined_address: Rate = _text(read_rate, "20/h")
    limit_declined_email: Rate = _text(read_rate, "5/h")
    limit_declined_all: Rate = _text(read_rate, "300/h")
    limit_vote_member: Rate = _text(read_rate, "10/min")
    limit_statement_member: Rate = _text(read_rate, "30/h")
    limit_provider_member: Rate = _text(read_rate, "60/h")
    limit_mail_address: Rate = _text(read_rate, "3/h")
    limit_mail_network: Rate = _text(read_rate, "20/h")
    limit_mail_all: Rate = _text(read_rate, "200/h")
    limit_field_link: Rate = _text(read_rate, "2000/h")
    limit_field_network: Rate = _text(read_rate, "30/h")
    log_days: int | None = _setting(
        read_positive_count, help="For how many days the server keeps its logs."
    )
    backup_days: int = _setting(read_positive_count, 35)
    approval_cents: int | None = _setting(read_positive_count)
    operator: str = _text(read_operator, "operator")
    operator_key: Path | None = _setting(read_path)
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    retired: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Values of `RETIRED` settings that a file or the environment still has."""

    def __post_init__(self) -> None:
        """Check every value, and place files beside the database by default."""
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and each.metadata:
                object.__setattr__(self, each.name, self._read(each.name, value, each.metadata))
        place = _place_of(self.database_url)
        for name, file in BESIDE_DATABASE.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, place / file)
        keys = {name: _reveal(getattr(self, name)) for name in _STRIPE_KEYS}
        _check_stripe(keys)
        has_keys = self.stripe_secret_key is not None
        usual = Cards.STRIPE if has_keys else Cards.SANDBOX
        object.__setattr__(self, "cards", self.cards or usual)
        _check_cards(self.cards, keys)
        if self.stripe_api is not None and has_keys and self.payment_mode is PaymentMode.LIVE:
            raise InvalidInput(
                f"{variable_of('stripe_api')} is for tests with a fake of Stripe; with keys of "
                "live mode leave it out, or the fake would get them."
            )

    def _read(self, name: str, value: object, how: Mapping[str, Any]) -> object:
        try:
            return how["read"](value)
        except ValueError as error:
            place = f"{variable_of(name)} (from {self.sources.get(name, 'default')})"
            said = f"{place}: the value" if how["secret"] else f"{place} is '{value}': it"
            raise InvalidInput(f"{said} {error}.") from None

    def is_given(self, name: str) -> bool:
        """Return whether an option, the environment or a settings file says a value."""
        elsewhere = {None, "default", DATABASE_SOURCE, self.served_file.name}
        return self.sources.get(name) not in elsewhere

    @property
    def decided_here(self) -> dict[str, str]:
        """What the settings say and the organisation decides, by the option that sets it."""
        return {
            option: str(getattr(self, name))
            for name, option in DECIDED.items()
            if self.is_given(name)
        }

    @property
    def database_file(self) -> Path | None:
        """The SQLite file; None for a database server."""
        url = self.database_url
        return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None

    @property
    def database_name(self) -> str:
        """The database for messages: its file, or its address without a password."""
        return str(self.database_file or without_password(self.database_url))

    @property
    def mail_dir(self) -> Path:
        """The folder for mail as ``.eml`` files if no SMTP server is set."""
        return _place_of(self.database_url) / "jara.mail"

    @property
    def served_file(self) -> Path:
        """Where `jara serve` notes its address on this machine, if the site has no other."""
        return _place_of(self.database_url) / "jara.served.txt"

    @property
    def payment_mode(self) -> PaymentMode:
        """The payment mode of the keys; live without cards."""
        if self.stripe_secret_key is None:
            return PaymentMode.LIVE if self.cards is Cards.NONE else PaymentMode.SANDBOX
        is_live = "_live_" in self.stripe_secret_key.get_secret_value()[:8]
        return PaymentMode.LIVE if is_live else PaymentMode.TEST


def declared(name: str) -> Mapping[str, Any]:
    """Return how a setting is declared: what reads it, whether it is secret, and its help."""
    return next(each.metadata for each in fields(Settings) if each.name == name)


DECIDED = {"language": "language", "site_url": "site-url"}
"""Settings that the organisation decides, and the option of `jara organisation set` for each.

A value in the settings goes before that in the database, on the machine that has it.
"""

RETIRED = {
    "postal_address": "address",
    "contact_email": "contact",
    "chat_url": "chat",
    "donate_url": "donate-url",
    "facebook_url": "facebook",
    "instagram_url": "instagram",
    "linkedin_url": "linkedin",
    "x_url": "x",
    "youtube_url": "youtube",
}
"""Settings up to 0.2.0, and the option of `jara organisation set` that replaces each."""

SETTING_NAMES = tuple(each.name for each in fields(Settings) if each.metadata)


def _reveal(value: SecretStr | str | None) -> str | None:
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _check_cards(cards: Cards, keys: Mapping[str, str | None]) -> None:
    """Check that Stripe's keys are there if Stripe takes the cards, and not otherwise."""
    there = [variable_of(name) for name, key in keys.items() if key is not None]
    if cards is not Cards.STRIPE and there:
        raise InvalidInput(
            f"{variable_of('cards')} is {cards}, but Stripe's keys are set: remove "
            f"{' and '.join(there)}, or set it to stripe."
        )
    if cards is Cards.STRIPE and not there:
        raise InvalidInput(
            f"{variable_of('cards')} is stripe, but there are no keys: set "
            f"{' and '.join(map(variable_of, _STRIPE_KEYS[:2]))}, or set it to none."
        )


def _check_stripe(keys: Mapping[str, str | None]) -> None:
    """Check that Stripe's keys are complete and of one mode.

    The webhook secret may come later: `jara stripe setup` creates it.
    """
    missing = [variable_of(name) for name, key in keys.items() if key is None]
    if len(missing) == len(keys):
        return
    if set(missing) - {variable_of(_WEBHOOK_SECRET)}:
        raise InvalidInput(f"{' and '.join(missing)} missing; set all Stripe keys or none.")
    modes = set()
    for key in keys.values():
        modes |= {mode for mode in ("_test_", "_live_") if mode in str(key)[:8]}
    if len(modes) > 1:
        raise InvalidInput("the Stripe keys mix test mode and live mode; take all from one.")
    _check_webhook_secret(keys[_WEBHOOK_SECRET])


def _check_webhook_secret(secret: str | None) -> None:
    """Refuse placeholders: anyone who guesses the secret can forge Stripe's events."""
    if secret is None:
        return
    if is_placeholder(secret.removeprefix("whsec_")):
        raise InvalidInput(
            f"{variable_of(_WEBHOOK_SECRET)} is a placeholder; leave it out until "
            "`jara stripe setup` shows the secret."
        )
