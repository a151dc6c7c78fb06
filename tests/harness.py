"""An organisation for tests: the real services on a real database in memory.

Only the clock and the randomness are fakes, so no test needs to patch anything.
"""

import shutil
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from jara.bootstrap import PAYMENT_LISTENERS
from jara.domain.giving.billing_day import BillingDay
from jara.domain.language import ENGLISH, Language
from jara.domain.organisation import PaymentMode
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.files.shipped import CountryList
from jara.payments.no_cards import no_cards
from jara.payments.sandbox.gateway import SandboxGateway
from jara.security.keys import SecretsFolder, SeededEntropy
from jara.security.passwords import ArgonHasher
from jara.services.context import Context, Rules
from jara.services.organisation import create_organisation
from jara.store.postgres.database import PostgresDatabase
from jara.store.repositories.sandbox import SqlSandboxState
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store
from tests.cards import IS_WITHOUT_CARDS
from tests.fakes.clock import FakeClock
from tests.places import database_of, in_the_end, is_on_server

DATA = Path(__file__).parent.parent / "data"
COUNTRIES = CountryList()
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def open_test_database(place: Path | str) -> Database:
    """Return the driver of a path, ``:memory:`` or a PostgreSQL address; never durable.

    A database in memory already has its tables.
    """
    if str(place).startswith("postgresql://"):
        return PostgresDatabase(str(place), durable=False)
    driver = SqliteDatabase(place, durable=False)
    if driver.in_memory:
        driver.create()
    return driver


def make_context(
    folder: Path,
    *,
    at: datetime = NOON,
    database: Path | str | None = None,
    rules: Rules | None = None,
    seed: str = "tests",
) -> Context:
    """Return a context without an organisation.

    The default database is the folder's if that is on a server, else one in memory.
    """
    at_hand = database_of(folder) if is_on_server(folder) else ":memory:"
    driver = open_test_database(database or at_hand)
    in_the_end(folder, driver.close)
    return _context_on(driver, folder, FakeClock(at), SeededEntropy(seed), rules)


def _context_on(
    driver: Database, folder: Path, clock: FakeClock, entropy: SeededEntropy, rules: Rules | None
) -> Context:
    vault = SecretsFolder(folder / "secrets", draw=entropy.token, durable=False)
    if not vault.folder.exists():
        vault.create(log_name="jara.example/log")
    store = Store(driver, seal=vault.seal_row)
    sandbox = SandboxGateway(SqlSandboxState(driver), clock, entropy, store.zone)
    return Context(
        store=store,
        clock=clock,
        entropy=entropy,
        vault=vault,
        gateway=no_cards() if IS_WITHOUT_CARDS else sandbox,
        payment_mode=PaymentMode.LIVE if IS_WITHOUT_CARDS else PaymentMode.SANDBOX,
        hasher=ArgonHasher(memory_kib=8, passes=1),
        rules=rules
        or Rules(
            countries=COUNTRIES,
            common_passwords=frozenset({"password1"}),
            languages=(ENGLISH, Language("fr")),
        ),
        operator="tester",
        on_payment=PAYMENT_LISTENERS,
    )


def make_organisation(
    folder: Path,
    *,
    at: datetime = NOON,
    database: Path | str | None = None,
    rules: Rules | None = None,
    seed: str = "tests",
    zone: TimeZone = UTC_ZONE,
) -> Context:
    """Return the context of a new organisation with chart, policy and log only."""
    context = make_context(folder, at=at, database=database, rules=rules, seed=seed)
    create_organisation(context, zone=zone)
    return context


def copy_of(make: Callable[[Path], Context], folder: Path) -> Context:
    """Return what `make` makes; in memory it is made once and copied, which is much faster.

    The copy has its own clock, keys and randomness.
    """
    if is_on_server(folder):
        return make(folder)
    _, source = _made_once(make)
    vault, entropy = source.vault, source.entropy
    assert isinstance(vault, SecretsFolder)
    assert isinstance(entropy, SeededEntropy)
    assert isinstance(source.store, Store)
    shutil.copytree(vault.folder, folder / "secrets")
    driver = SqliteDatabase(":memory:", durable=False)
    original: SqliteDatabase = source.store._database  # type: ignore[assignment] # in memory
    original._connection().backup(driver._connection(check=False))
    new = _context_on(driver, folder, FakeClock(source.now()), copy(entropy), source.rules)
    return replace(
        source,
        store=new.store,
        clock=new.clock,
        entropy=new.entropy,
        vault=new.vault,
        gateway=new.gateway,
    )


@cache
def _made_once(make: Callable[[Path], Context]) -> tuple[TemporaryDirectory[str], Context]:
    folder = TemporaryDirectory()
    try:
        return folder, make(Path(folder.name))
    except Exception:
        folder.cleanup()
        raise


def clock_of(context: Context) -> FakeClock:
    """Return the fake clock of a test's context."""
    assert isinstance(context.clock, FakeClock)
    return context.clock


FIRST_DAY = date(2026, 1, 1)
EVERY_BILLING_DAY = tuple(BillingDay)
