"""Creates an organisation, and reads its branding."""

from types import MappingProxyType
from urllib.parse import urlsplit

from jara.bootstrap import Application
from jara.config.settings import Settings
from jara.domain.currency import DEFAULT_CURRENCY, parse_books_currency
from jara.domain.language import Language
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import PARTS
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.languages import writer_of
from jara.reports.document import Branding
from jara.security.files import unfinished
from jara.services.organisation import OwnTexts, create_organisation, identity_of


def initialise(
    application: Application,
    *,
    currency: str = DEFAULT_CURRENCY,
    zone: TimeZone = UTC_ZONE,
    values: OwnTexts = MappingProxyType({}),
) -> None:
    """Create the organisation: secrets, schema, fund policy, chart of accounts, currency.

    Language and address of the site that the settings have are stored, unless `values` has others.

    On failure it removes what it created. If it was killed, the next call continues.

    Raises:
        InvalidInput: books cannot be in this currency.
        Conflict: the database or the secrets exist already, or another process is creating them.
    """
    own_currency = parse_books_currency(currency)
    own = {**given_values(application.settings), **values}
    language = Language(own.get(IdentityPart.LANGUAGE, application.settings.language))
    database, secrets = application.database, application.secrets
    database.require_absent()
    with unfinished(secrets.folder) as was_interrupted:
        database.require_absent()  # another process may have been quicker
        name = log_name(own.get(IdentityPart.SITE_URL, application.settings.site_url))
        secrets.create(log_name=name, keep_unused=was_interrupted)
        try:
            create_organisation(
                application.context,
                currency=own_currency,
                zone=zone,
                values=own,
                write=writer_of(language, "reports"),
            )
        except BaseException:
            database.remove()
            if not was_interrupted:
                secrets.destroy(keep_folder=True)
            raise


def given_values(settings: Settings) -> dict[IdentityPart, str]:
    """Return what the settings say and the organisation decides."""
    return {PARTS[option]: text for option, text in settings.decided_here.items()}


def log_name(site_url: str) -> str:
    """Return the name of the public log: the site's host, as in C2SP notes."""
    return f"{urlsplit(site_url).hostname}/log"


def branding_of(application: Application) -> Branding:
    """Return the current branding of reports, without the logo if its file is missing."""
    own = identity_of(application.context)
    if own.logo is None:
        return Branding(own.colour)
    try:
        logo = (application.settings.media_dir / own.logo.path.rpartition("/")[2]).read_bytes()
    except OSError:
        logo = b""
    return Branding(own.colour, logo)
