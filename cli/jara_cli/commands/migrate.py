"""``jara migrate``: the schema of this version."""

import typer

from jara.bootstrap import Application
from jara.config.settings import RETIRED
from jara.domain.errors import NotFound
from jara.services.operations.upkeep import upgrade
from jara_cli.columns import Column
from jara_cli.verbs import Answer, verb

app = typer.Typer()


@verb(app, Column("database", "Database"), Column("steps", "Steps taken"), name="migrate")
def command(application: Application) -> Answer:
    """Upgrade the database to this version's schema; does nothing if it is current.

    Values that were settings up to 0.2.0, such as JARA_POSTAL_ADDRESS, and the language and the
    site's address of the settings, become the organisation's own, unless it has set others.

    Example:
      jara backup before.db
      jara migrate
    """
    database = application.settings.database_file
    if database is not None and not (database.is_file() and database.stat().st_size):
        # Without keys and a chart of accounts, the organisation would be incomplete.
        raise NotFound(f"There is no database {database}; {application.remedy}")
    settings = application.settings
    retired = {RETIRED[name]: text for name, text in settings.retired.items()}
    steps = upgrade(application.context, {**retired, **settings.decided_here})
    return Answer(
        {"database": application.settings.database_name, "steps": steps},
        notes=() if steps else ["The schema is up to date."],
    )
