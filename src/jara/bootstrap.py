"""The only place that wires things together: settings in, an application out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from jara.config.loading import load_settings
from jara.config.settings import Settings
from jara.domain.errors import Unavailable
from jara.payments.sandbox_gateway import SandboxGateway
from jara.security.chance import SystemEntropy
from jara.security.keys import SecretsFolder
from jara.security.passwords import ArgonHasher
from jara.services.context import Context, Rules
from jara.services.ports.outside import Clock, Entropy, PasswordHasher
from jara.store.sandbox import SqlSandboxState
from jara.store.sqlite import SqliteDatabase
from jara.store.unit_of_work import SqlStore


class SystemClock:
    """The clock of the machine; the only place where the time is asked for."""

    def now(self) -> datetime:
        """Return the present instant, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - its home


@dataclass(frozen=True, slots=True)
class Application:
    """A wired Jara: what entry points work with."""

    settings: Settings
    context: Context
    database: SqliteDatabase
    secrets: SecretsFolder
    sandbox: SandboxGateway
    sandbox_state: SqlSandboxState


def build_from_environ(
    environ: Mapping[str, str],
    *,
    toml_path: Path | None = None,
    overrides: Mapping[str, str | None] | None = None,
) -> Application:
    """Read the settings and wire an application.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
    """
    return build(load_settings(environ, toml_path=toml_path, overrides=overrides))


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    hasher: PasswordHasher | None = None,
    durable: bool = True,
) -> Application:
    """Wire an application; samples and tests hand in a clock, chance and a cheap hasher.

    Nothing is opened yet: the database, the keys and the word lists are read when a use
    case first needs them.
    """
    clock = clock or SystemClock()
    chance = entropy or SystemEntropy()
    database = SqliteDatabase(settings.database_file, durable=durable)
    secrets = SecretsFolder(settings.secrets_dir, draw=chance.token)
    state = SqlSandboxState(database.transaction)
    sandbox = SandboxGateway(state, clock, chance)
    context = Context(
        store=SqlStore(database),
        clock=clock,
        entropy=chance,
        vault=secrets,
        gateway=sandbox,
        hasher=hasher or ArgonHasher(),
        rules=_rules(settings),
        operator=settings.operator,
    )
    return Application(settings, context, database, secrets, sandbox, state)


def data_folder() -> Path:
    """Return the folder of the data that the product ships, installed or in a checkout.

    Raises:
        Unavailable: the installation is broken.
    """
    package = Path(__file__).parent
    for folder in (package / "data", package.parent.parent / "data"):
        if (folder / "countries.json").is_file():
            return folder
    raise Unavailable("The data that comes with Jara is missing; install it again.")


class WordList:
    """A set of words that is read when somebody first asks for one."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        """Keep the way to read the words."""
        self._read = read

    def __contains__(self, word: object) -> bool:
        return word in self.words

    @cached_property
    def words(self) -> frozenset[str]:
        """All of them."""
        return frozenset(self._read())


def _read_countries() -> Iterable[str]:
    rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
    return (row["name"] for row in rows)


def _read_common_passwords() -> Iterable[str]:
    return (data_folder() / "common-passwords.txt").read_text("utf-8").splitlines()


def _rules(settings: Settings) -> Rules:
    return Rules(
        site_url=settings.site_url,
        contact_email=settings.contact_email or "",
        approval_cents=settings.approval_cents,
        common_passwords=WordList(_read_common_passwords),
        countries=WordList(_read_countries),
    )
