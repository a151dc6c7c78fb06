"""Settings in a file have types, and a value of another type is an error."""

from pathlib import Path

import pytest

from jara.config.loading import load_settings
from jara.config.values import Rate
from jara.domain.errors import InvalidInput


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("site_url = 5", "JARA_SITE_URL (from jara.toml) is '5': it must be text."),
        ("operator = ['ama']", "JARA_OPERATOR (from jara.toml) is '['ama']': it must be text."),
        ("smtp_url = 587", "JARA_SMTP_URL (from jara.toml): the value must be text."),
        ("secrets_dir = 7", "JARA_SECRETS_DIR (from jara.toml) is '7': it must be a path."),
        ("cors_origins = 1", "JARA_CORS_ORIGINS (from jara.toml) is '1': it must be a list."),
        (
            "public_sandbox = 'perhaps'",
            "JARA_PUBLIC_SANDBOX (from jara.toml) is 'perhaps': it must be true or false.",
        ),
        (
            "card_fee = '2,9% + 0,30'",
            (
                "JARA_CARD_FEE (from jara.toml) is '2,9% + 0,30': "
                "it must be a share and an amount, like 2.9% + 0.30."
            ),
        ),
        (
            "card_fee = '29% + 0.30'",
            "JARA_CARD_FEE (from jara.toml) is '29% + 0.30': it must be at most 20% + 10.00.",
        ),
        ("site_url = false", "JARA_SITE_URL (from jara.toml) is 'False': it must be text."),
    ],
)
def test_a_value_of_another_type_is_named(folder: Path, line: str, sentence: str) -> None:
    """The message names the expected type, and never repeats a secret value."""
    (folder / "jara.toml").write_text(line)

    with pytest.raises(InvalidInput) as caught:
        load_settings({})

    assert caught.value.message == sentence


def test_a_place_that_is_named_is_kept(folder: Path) -> None:
    """Only unset paths default to the database's folder."""
    settings = load_settings({"JARA_SECRETS_DIR": "keys"}, overrides={"database_url": "sub/a.db"})

    assert settings.secrets_dir == folder / "keys"
    assert settings.media_dir == folder / "sub" / "jara.media"


def test_a_rate_is_shown_as_it_is_written() -> None:
    """The doctor and errors show a rate as in the settings."""
    assert str(Rate(count=20, seconds=60)) == "20/min"


@pytest.mark.parametrize("written", ["2.9% + 0.30", "2.90%+$0.3"])
def test_a_card_fee_is_a_share_and_dollars(written: str) -> None:
    """A card fee is read in any usual notation and shown in one."""
    fee = load_settings({"JARA_CARD_FEE": written}).card_fee

    assert (fee.basis_points, fee.fixed_cents, str(fee)) == (290, 30, "2.90% + 0.30")


def test_settings_show_no_address_of_a_database() -> None:
    """The address may contain a password."""
    settings = load_settings({"JARA_DATABASE_URL": "postgresql://jara:hushhush@db/jara"})

    assert "hushhush" not in f"{settings!r} {settings}"
