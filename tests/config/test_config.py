"""Settings: their sources, and the errors of invalid ones."""

import os
from pathlib import Path

import pytest

from jara.config.loading import load_settings, unknown_variables
from jara.config.settings import RETIRED, SETTING_NAMES, Settings, variable_of
from jara.config.values import Rate
from jara.domain.errors import InvalidInput, NotFound
from tests.config.refused_settings import refuse


def test_everything_works_with_no_setting_at_all(folder: Path) -> None:
    """Without settings: jara.db here, folders beside it, sandbox payments."""
    settings = load_settings({"LOGNAME": "amina"})

    assert settings.database_file == folder / "jara.db"
    assert settings.secrets_dir == folder / "jara.secrets"
    assert settings.media_dir == folder / "jara.media"
    assert settings.checkpoints_file == folder / "jara.checkpoints.txt"
    assert settings.mail_dir == folder / "jara.mail"
    assert settings.site_url == "http://127.0.0.1:8000"
    assert settings.payment_mode.is_sandbox
    assert settings.operator == "amina"
    assert settings.sources == dict.fromkeys(SETTING_NAMES, "default")


def test_option_beats_environment_beats_file_beats_default(folder: Path) -> None:
    """Each source has priority over the next, and the settings record the source."""
    (folder / "jara.toml").write_text(
        'database_url = "file.db"\nsite_url = "https://file.example"\nstripe_api = "https://c.example"'
    )
    environ = {"JARA_DATABASE_URL": "environ.db", "JARA_SITE_URL": "https://environ.example/"}

    settings = load_settings(environ, overrides={"database_url": "option.db", "site_url": None})

    assert settings.database_file == folder / "option.db"
    assert settings.site_url == "https://environ.example"
    assert settings.stripe_api == "https://c.example"
    assert settings.sources["database_url"] == "option"
    assert settings.sources["site_url"] == "environment"
    assert settings.sources["stripe_api"] == "jara.toml"
    assert settings.sources["operator"] == "default"


def test_an_empty_variable_counts_as_unset() -> None:
    """Compose files pass unset variables as empty ones."""
    settings = load_settings({"JARA_SITE_URL": "", "JARA_APPROVAL_CENTS": ""})

    assert settings.sources["site_url"] == "default"
    assert settings.approval_cents is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("books.db", "books.db"),
        ("sub/books.db", "sub/books.db"),
        ("sqlite:///books.db", "books.db"),
        ("/srv/books.db", "/srv/books.db"),
        ("sqlite:////srv/books.db", "/srv/books.db"),
    ],
)
def test_a_database_is_a_path_or_an_address(text: str, path: str, folder: Path) -> None:
    """Relative paths start at the working directory; the secrets are beside the file."""
    settings = load_settings({}, overrides={"database_url": text})

    assert folder / path == settings.database_file
    assert settings.database_url == f"sqlite:///{folder / path}"
    assert settings.secrets_dir == (folder / path).parent / "jara.secrets"


@pytest.mark.parametrize("url", ["", "sqlite://", "sqlite:///", ":memory:", "mysql://x/y"])
def test_a_database_must_be_a_file(url: str) -> None:
    """A path that is no file is refused, and the message says what to write."""
    sentence = refuse({}, database_url=url)

    assert sentence.startswith("JARA_DATABASE_URL (from option): the value must ")
    assert "sqlite:///" in sentence


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://jara:hushhush@db:5433/jara", "postgresql://jara@db:5433/jara"),
        ("postgres://db/jara?sslmode=require", "postgresql://db/jara?sslmode=require"),
        ("postgresql:///jara?host=/run&password=hushhush", "postgresql:///jara?host=/run"),
        ("postgresql:///jara?password=hushhush", "postgresql:///jara"),
    ],
)
def test_a_database_may_be_a_servers(url: str, shown: str, folder: Path) -> None:
    """The password is never shown; other files are stored in the working directory."""
    settings = load_settings({"JARA_DATABASE_URL": url})

    assert settings.database_file is None
    assert settings.database_name == shown
    assert settings.database_url.partition("://")[2] == url.partition("://")[2]
    assert settings.secrets_dir == folder / "jara.secrets"
    assert settings.mail_dir == folder / "jara.mail"


@pytest.mark.parametrize("url", ["postgresql://jara:hushhush@db", "postgresql://db/?sslmode=a"])
def test_a_servers_database_must_have_a_name(url: str) -> None:
    """The message says what to write and does not repeat the password."""
    sentence = refuse({"JARA_DATABASE_URL": url})

    assert sentence == (
        "JARA_DATABASE_URL (from environment): the value must name a database, like "
        "postgresql://user@host/jara."
    )


def test_an_address_must_be_one() -> None:
    """A malformed address is refused, because its password could not be hidden."""
    sentence = refuse({"JARA_DATABASE_URL": "postgresql://jara:hushhush@[::1/jara"})

    assert sentence == "JARA_DATABASE_URL (from environment): the value is not a database address."


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("JARA_LANGUAGE", "de"),
        ("JARA_SITE_URL", "jara.example"),
        ("JARA_SITE_URL", "https://jara.example/?a=1"),
        ("JARA_STRIPE_API", "javascript:alert(1)"),
        ("JARA_STRIPE_API", "https://"),
        ("JARA_MAIL_FROM", "nobody"),
        ("JARA_MAIL_PER_HOUR", "0"),
        ("JARA_CORS_ORIGINS", "https://a.example/path/"),
        ("JARA_TRUSTED_PROXIES", "10.0.0.0/99"),
        ("JARA_CORS_ORIGINS", "https://a.example/path"),
        ("JARA_LIMIT_SIGN_IN_ACCOUNT", "ten per hour"),
        ("JARA_LIMIT_SIGN_IN_ACCOUNT", "0/h"),
        ("JARA_APPROVAL_CENTS", "0"),
        ("JARA_APPROVAL_CENTS", "-5"),
        ("JARA_APPROVAL_CENTS", "1e3"),
        ("JARA_APPROVAL_CENTS", "١٠"),
        ("JARA_OPERATOR", "x" * 101),
    ],
)
def test_a_wrong_value_is_named_with_its_variable_and_rule(variable: str, value: str) -> None:
    """The message has variable, source, value and rule."""
    sentence = refuse({variable: value})

    assert sentence.startswith(f"{variable} (from environment) is '{value}': it ")
    assert "must" in sentence
    assert sentence.endswith(".")


def test_lists_rates_and_counts_are_read(folder: Path) -> None:
    """Lists use commas, limits are counts per time, and amounts are whole cents."""
    (folder / "jara.toml").write_text('cors_origins = ["https://a.example"]\napproval_cents = 500')

    settings = load_settings(
        {
            "JARA_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8",
            "JARA_LIMIT_VOTE_MEMBER": "3/s",
            "JARA_MAIL_FROM": "Jara <hello@jara.example>",
        }
    )

    assert settings.trusted_proxies == ("127.0.0.1/32", "10.0.0.0/8")
    assert settings.cors_origins == ("https://a.example",)
    assert settings.approval_cents == 500
    assert settings.limit_vote_member == Rate(count=3, seconds=1)
    assert settings.limit_email_exists_address == Rate(count=20, seconds=60)
    assert settings.mail_from == "Jara <hello@jara.example>"


def test_a_wrong_type_in_the_file_is_named(folder: Path) -> None:
    """TOML has types, and a boolean is not a count."""
    (folder / "jara.toml").write_text("approval_cents = true")

    assert refuse({}) == (
        "JARA_APPROVAL_CENTS (from jara.toml) is 'True': it must be a whole number from 1."
    )


@pytest.mark.parametrize("given", ["site_url", "JARA_SITE_URL"])
def test_a_key_is_the_name_with_or_without_its_prefix(given: str, folder: Path) -> None:
    """A key may be the variable's name or its short form."""
    (folder / "other.toml").write_text(f'{given} = "https://jara.example"')

    settings = load_settings({}, toml_path="other.toml")

    assert settings.site_url == "https://jara.example"
    assert settings.sources["site_url"] == "other.toml"


def test_an_unknown_key_is_refused_with_the_nearest_name(folder: Path) -> None:
    """A typo in jara.toml is an error."""
    (folder / "jara.toml").write_text('sight_url = "https://jara.example"')

    assert refuse({}) == (
        "'jara.toml' has an unknown setting 'sight_url'. Did you mean 'site_url'?"
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a = ", "'jara.toml' is not valid TOML: "),
        (b"\xff", "'jara.toml' is not UTF-8 text."),
        (b"zzz = 1", "'jara.toml' has an unknown setting 'zzz'."),
        (b"site_url = 'https://a'\nJARA_SITE_URL = 'https://b'", "'jara.toml' has the setting "),
    ],
)
def test_a_broken_file_is_refused(content: bytes, sentence: str, folder: Path) -> None:
    """The error of an unreadable file names it."""
    (folder / "jara.toml").write_bytes(content)

    assert refuse({}).startswith(sentence)


def test_a_named_file_must_exist(folder: Path) -> None:
    """``--config`` names a file that must exist; jara.toml may be missing."""
    with pytest.raises(NotFound, match=r"^There is no file 'none.toml' with settings\.$"):
        load_settings({}, toml_path="none.toml")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_settings({}, toml_path=folder)


def test_settings_never_change() -> None:
    """Settings are immutable."""
    settings = Settings()

    with pytest.raises(AttributeError, match="site_url"):
        settings.site_url = "https://other.example"  # type: ignore[misc] # this is what is tried


def test_the_operator_is_the_user_of_the_system() -> None:
    """The audit log always has an operator, even if no variable names the user."""
    assert load_settings({}).operator
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 4_000_000)  # a container's user has no name
        assert load_settings({}).operator == "operator"
    assert load_settings({"USER": "kofi", "JARA_OPERATOR": "ama"}).operator == "ama"


def test_variables_that_are_no_setting_are_found() -> None:
    """``jara doctor`` reports unknown variables."""
    environ = {"JARA_SIGHT_URL": "x", "JARA_DEBUG": "1", "HOME": "/", variable_of("x_url"): "y"}

    assert unknown_variables(environ) == ("JARA_SIGHT_URL",)


@pytest.mark.parametrize("name", RETIRED)
def test_a_retired_setting_is_set_aside(tmp_path: Path, name: str) -> None:
    """Settings of 0.2.0 stop nothing, wherever they stand; their values are kept for a look."""
    (file := tmp_path / "jara.toml").write_text(f'{name} = "from the file"\n')
    environ = {variable_of(name): "from the environment"}

    assert load_settings({}, toml_path=file).retired == {name: "from the file"}
    assert load_settings(environ, toml_path=file).retired == {name: "from the environment"}
    assert unknown_variables(environ) == ()


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
