# ruff: noqa: S608 - the test writes SQL of its own values
"""Rows that another program changes break their seal, and Jara's own never do."""

import re
from pathlib import Path

import pytest

from jara.domain.language import ENGLISH
from jara.domain.organisation import IdentityPart
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.field.partners import Caller, LinkRevoked, add_partner, open_link
from jara.services.mailed_codes import hash_of
from jara.services.members.accounts import close_account
from jara.services.operations.upkeep import upgrade
from jara.services.organisation import change_identity
from jara.store.schema import STEPS
from jara.store.seals import SEALED, SEALS_DUE
from jara.store.sql.tables import TABLES
from tests.services.giving.joiners import join
from tests.services.news.news_world import add_project
from tests.services.operations.planted_faults import plant, with_every_row

FIRST_AFTER_SEALS = "m0050"


def seal_findings(context: Context) -> set[str]:
    """Return the tables whose rows have another seal."""
    findings = verify_books(context).findings
    return {finding.where for finding in findings if finding.check == "seals"}


def test_a_new_empty_column_breaks_no_seal(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release adds such a column without sealing the rows anew."""
    context = with_every_row(place)
    members = SEALED["members"]
    with context.store.write() as work:
        work.sql.run("ALTER TABLE members ADD COLUMN city TEXT")
    sealed = members._replace(columns=("city", *members.columns))
    monkeypatch.setitem(SEALED, "members", sealed)
    assert seal_findings(context) == set()

    plant(context, "UPDATE members SET city = 'Accra'")
    assert seal_findings(context) == {"members"}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_that_changes_sealed_rows_asks_for_new_seals(name: str) -> None:
    """The steps of 0.3.0 are taken after 0.2.0, together with the step that seals."""
    statements = STEPS[name].statements
    changed = [one for one in statements if _changes_sealed_rows(one)]

    assert not changed or "seals.due" in str(statements) or name < FIRST_AFTER_SEALS


def _changes_sealed_rows(statement: str) -> bool:
    table = re.match(r"(ALTER TABLE|UPDATE|DELETE FROM|INSERT INTO) (\w+)", statement)
    if table is None or table[2] not in SEALED:
        return False
    return re.search(r"ADD COLUMN (?!.*NOT NULL)(?!.*DEFAULT)", statement) is None


def test_only_columns_of_the_schema_are_sealed() -> None:
    """A renamed column would be sealed no more; the key is part of each seal."""
    wrong = {
        table
        for table, sealed in SEALED.items()
        if not set(sealed.key) <= set(sealed.columns) <= set(TABLES[table])
    }

    assert wrong == set()


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("DELETE FROM consents", "consents"),
        ("INSERT INTO shared_cards VALUES ('card_1', '2020-01-01T00:00:00Z', '')", "shared_cards"),
        ("DELETE FROM seals WHERE sealed_table = 'members'", "members"),
        (
            "UPDATE credentials SET password_hash = 'of mallory', member_id = member_id",
            "credentials",
        ),
    ],
)
def test_another_programs_row_is_named(place: Path, statement: str, table: str) -> None:
    """A row that was added, deleted or changed without its seal."""
    context = with_every_row(place)
    join(context)
    assert seal_findings(context) == set()

    plant(context, statement)

    assert seal_findings(context) == {table}


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE meta SET value = '{"siteUrl":"https://x.example"}'
        WHERE key = 'organisation.identity'""",
        "DELETE FROM meta WHERE key = 'organisation.identity'",
        "INSERT INTO meta (key, value) VALUES ('organisation.time-zone', 'Asia/Tokyo')",
        "UPDATE meta SET value = 'test' WHERE key = 'payments.mode'",
        "INSERT INTO meta (key, value) VALUES ('organisation.donate_url', 'https://x.example')",
        "INSERT INTO meta (key, value) VALUES ('payments.account', 'acct_of_mallory')",
        "INSERT INTO meta (key, value) VALUES ('books.payment_account', 'assets:cash')",
        "INSERT INTO meta (key, value) VALUES ('witnesses.quorum', '0')",
    ],
)
def test_another_value_of_the_organisation_is_named(context: Context, statement: str) -> None:
    """Links, days, payments hang on them; other values of `meta` are states of the program."""
    with context.store.write() as work:
        change_identity(context, work, {IdentityPart.SITE_URL: "https://give.example"})
        work.meta.put("another.key", "1")
    assert seal_findings(context) == set()

    plant(context, statement)

    assert seal_findings(context) == {"meta"}


def test_few_rows_of_a_table_are_named(place: Path) -> None:
    """With another key in the secrets folder, every row differs."""
    context = with_every_row(place)
    plant(context, "UPDATE seals SET seal = 'x' WHERE sealed_table = 'outbox'")

    findings = [one for one in verify_books(context).findings if one.check == "seals"]

    assert len(findings) == 4
    assert findings[-1].message.startswith("So were ")


def test_a_seal_belongs_to_its_row(place: Path) -> None:
    """Two members with exchanged passwords and seals have neither's own seal."""
    context = with_every_row(place)
    plant(
        context,
        "UPDATE credentials SET password_hash = member_id",
        "UPDATE seals SET seal = (SELECT MAX(seal) FROM seals) WHERE sealed_table = 'credentials'",
    )

    assert seal_findings(context) == {"credentials"}


def test_rows_without_seals_are_sealed_as_they_are(context: Context) -> None:
    """Until then verification says so; a partner's link goes on working."""
    add_project(context)
    link = add_partner(context, "Maji", project="well", language=ENGLISH)
    code = link.address.partition("#")[2]
    plant(
        context,
        "DELETE FROM seals",
        f"UPDATE field_links SET proof = '{hash_of(code)}'",
        f"INSERT INTO meta VALUES ('{SEALS_DUE}', '1')",
    )
    assert seal_findings(context) == {"database"}

    upgrade(context)
    upgrade(context)
    plant(context, f"UPDATE meta SET value = '1' WHERE key = '{SEALS_DUE}'", "DELETE FROM consents")
    upgrade(context)

    assert seal_findings(context) == set()
    with context.store.read() as work:
        assert open_link(context, work, Caller(code, "net"))[0].id == link.link.id
        assert len(work.operations.audit(action="database.seal")) == 2


def test_the_database_alone_makes_no_link(context: Context) -> None:
    """A plain hash of a code of one's own opened every report of a project."""
    add_project(context)
    add_partner(context, "Maji", project="well", language=ENGLISH)

    plant(context, f"UPDATE field_links SET proof = '{hash_of('mine')}'")

    with context.store.read() as work, pytest.raises(LinkRevoked):
        open_link(context, work, Caller("mine", "net"))


def test_an_erased_member_leaves_no_seal(context: Context) -> None:
    """The seals of rows go with them."""
    member = join(context).member
    close_account(context, member.id)

    with context.store.read() as work:
        rows = work.sql.all(
            "SELECT sealed_table FROM seals WHERE sealed_row LIKE :id", {"id": f"{member.id}%"}
        )
    assert {row[0] for row in rows} <= {"members"}
    assert seal_findings(context) == set()
