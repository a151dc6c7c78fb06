"""The settings of contract.md's table, as one frozen value that is valid if it exists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)

from jara.config.values import (
    DatabaseUrl,
    Folder,
    MailAddress,
    Networks,
    OperatorName,
    Origins,
    PositiveCount,
    RateText,
    Sender,
    SiteUrl,
    SmtpUrl,
    WebUrl,
    parse_rate,
    without_password,
)

_PREFIX = "JARA_"
_STRIPE_KEYS = {
    "stripe_secret_key": ("sk_test_", "sk_live_", "rk_test_", "rk_live_"),
    "stripe_publishable_key": ("pk_test_", "pk_live_"),
    "stripe_webhook_secret": ("whsec_",),
}


def variable_of(name: str) -> str:
    """The environment variable of a setting: ``JARA_SITE_URL``."""
    return f"{_PREFIX}{name.upper()}"


_SQLITE = "sqlite:///"


def _place_of(url: str) -> Path:
    """The folder of the database's file; without a file the working directory."""
    return Path(url.removeprefix(_SQLITE)).parent if url.startswith(_SQLITE) else Path.cwd()


def _beside_database(name: str) -> Any:  # noqa: ANN401 - what pydantic's Field returns
    """Default to a folder beside the database's file."""
    return Field(default_factory=lambda data: _place_of(data["database_url"]) / name)


def _limit(text: str) -> Any:  # noqa: ANN401 - what pydantic's Field returns
    return Field(default_factory=lambda: parse_rate(text))


class Settings(BaseModel):
    """Everything an organisation can set; a Settings that exists is valid."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    database_url: DatabaseUrl = "sqlite:///jara.db"
    secrets_dir: Folder = _beside_database("jara.secrets")
    media_dir: Folder = _beside_database("jara.media")
    checkpoints_file: Folder = _beside_database("jara.checkpoints.txt")
    site_url: SiteUrl = "http://127.0.0.1:8000"
    stripe_secret_key: SecretStr | None = None
    stripe_publishable_key: str | None = None
    stripe_webhook_secret: SecretStr | None = None
    smtp_url: SmtpUrl | None = None
    mail_from: Sender | None = None
    postal_address: str | None = None
    donate_url: WebUrl | None = None
    contact_email: MailAddress | None = None
    chat_url: WebUrl | None = None
    facebook_url: WebUrl | None = None
    instagram_url: WebUrl | None = None
    linkedin_url: WebUrl | None = None
    x_url: WebUrl | None = None
    youtube_url: WebUrl | None = None
    trusted_proxies: Networks = ()
    metrics_networks: Networks = ()
    cors_origins: Origins = ()
    limit_sign_in_account: RateText = _limit("10/h")
    limit_sign_in_address: RateText = _limit("60/h")
    limit_email_exists_address: RateText = _limit("20/min")
    limit_register_address: RateText = _limit("60/h")
    limit_declined_address: RateText = _limit("20/h")
    limit_declined_email: RateText = _limit("5/h")
    limit_vote_member: RateText = _limit("10/min")
    limit_mail_address: RateText = _limit("2/h")
    approval_cents: PositiveCount | None = None
    operator: OperatorName = "operator"
    sources: Mapping[str, str] = Field(default_factory=dict, exclude=True, repr=False)

    @model_validator(mode="after")
    def _check_stripe(self) -> Self:
        """The live gateway needs its three keys, each of its own kind and of one mode."""
        values = {name: _reveal(getattr(self, name)) for name in _STRIPE_KEYS}
        missing = [variable_of(name) for name, value in values.items() if value is None]
        if len(missing) == len(values):
            return self
        if missing:
            raise ValueError(f"{' and '.join(missing)} missing; set all three Stripe keys or none")
        modes = set()
        for name, kinds in _STRIPE_KEYS.items():
            key = str(values[name])
            if not key.startswith(kinds):
                raise ValueError(f"{variable_of(name)} must begin with {' or '.join(kinds)}")
            modes |= {mode for mode in ("_test_", "_live_") if mode in key[:8]}
        if len(modes) > 1:
            raise ValueError("the Stripe keys mix test mode and live mode; take all from one")
        return self

    @property
    def database_file(self) -> Path | None:
        """The SQLite file; None where the database is a server's."""
        url = self.database_url
        return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None

    @property
    def database_name(self) -> str:
        """The database as it may be shown: its file, or its address without a password."""
        return str(self.database_file or without_password(self.database_url))

    @property
    def mail_dir(self) -> Path:
        """Where mail goes as ``.eml`` files while no SMTP server is set."""
        return _place_of(self.database_url) / "jara.mail"

    @property
    def has_live_gateway(self) -> bool:
        """Whether payments are Stripe's; otherwise they are the sandbox's."""
        return self.stripe_secret_key is not None


SETTING_NAMES = tuple(name for name in Settings.model_fields if name != "sources")


def _reveal(value: SecretStr | str | None) -> str | None:
    return value.get_secret_value() if isinstance(value, SecretStr) else value
