"""``jara init``: create an organisation."""

from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.organisation import initialise, log_name
from jara.domain.currency import DEFAULT_CURRENCY
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES
from jara.domain.time_zone import UTC_ZONE, parse_time_zone
from jara.services.operations.upkeep import record_creation
from jara.services.organisation import currency_of, require_language_of
from jara_cli.columns import Column
from jara_cli.options import TimeZoneName, option
from jara_cli.verbs import Answer, verb

app = typer.Typer()


@verb(
    app,
    Column("database", "Database"),
    Column("secrets", "Secrets"),
    Column("log", "Public log"),
    Column("currency", "Currency"),
    Column("timeZone", "Time zone"),
    name="init",
)
def command(
    application: Application,
    currency: Annotated[
        str, option("CODE", "Currency of books, pledges and reports.")
    ] = DEFAULT_CURRENCY,
    time_zone: TimeZoneName = None,
    language: Annotated[str | None, option("CODE", OWN_VALUES[IdentityPart.LANGUAGE].help)] = None,
    site_url: Annotated[str | None, option("URL", OWN_VALUES[IdentityPart.SITE_URL].help)] = None,
) -> Answer:
    """Create the database, secrets, fund policy and chart of accounts.

    An existing organisation is never touched. If a step fails, nothing is left
    behind; after a crash, run it again. The currency is one of ISO 4217 with two
    decimals. It is fixed with the first entry, as is the time zone (IANA name, UTC by
    default) in which all days are; until then `jara organisation set` corrects them.
    The public log is named after the address of the site, for ever.

    Examples:
      jara init
      jara init --currency CAD --time-zone America/Toronto
      jara init --language fr --site-url https://give.example.org
    """
    given = {IdentityPart.LANGUAGE: language, IdentityPart.SITE_URL: site_url}
    values = {part: OWN_VALUES[part].parse(text) for part, text in given.items() if text}
    require_language_of(application.context, values)
    zone = parse_time_zone(time_zone or UTC_ZONE.name)
    initialise(application, currency=currency, zone=zone, values=values)
    record_creation(application.context)
    settings = application.settings
    then = "jara samples load, " if settings.payment_mode.is_sandbox else ""
    return Answer(
        {
            "database": settings.database_name,
            "secrets": str(settings.secrets_dir),
            "log": log_name(values.get(IdentityPart.SITE_URL, settings.site_url)),
            "currency": currency_of(application.context),
            "timeZone": application.context.zone.name,
        },
        notes=[
            "Keep the secrets folder apart from backups.",
            f"Next: {then}jara operators add NAME --key FILE",
        ],
    )
