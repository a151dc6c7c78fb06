# ruff: noqa: S608 - the test writes SQL of its own table names
"""One value of a full database is changed by SQL: verification notices it, or docs say why not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jara.domain.bank.booking import Part
from jara.domain.books.account import BANK, GIFTS, Fund
from jara.domain.books.journal import EntryKind
from jara.domain.field_report import Consent as PhotoConsent
from jara.domain.field_report import ReportState
from jara.domain.language import Language
from jara.domain.legal.versions import LegalChange, LegalText, Source
from jara.domain.papers import PaperKind
from jara.records.access import AddressChange, Passkey
from jara.records.bank import SenderRow
from jara.records.content import ContentItem
from jara.records.field import Claim, ClaimPurpose, FieldLink, FieldReport, Partner
from jara.records.journal import CommitmentRecord, YearLock
from jara.records.operations import Email, Operator
from jara.records.people import Consent, MemberContact
from jara.services.audit import record_unattended
from jara.services.bank.answering import book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.papers import PaperFile, attach_papers, store_papers
from jara.services.books.posting import Books, closing_balances
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import Level
from jara.store.store import Store
from jara.store.unit_of_work import UnitOfWork
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.services.books.ledger_builders import a_move
from tests.services.operations.changed_columns import HELD, columns_noticed
from tests.services.operations.doctor import look
from tests.services.operations.planted_faults import plant, with_every_row
from tests.services.publiclog.test_proofs import run_verifier, write_bundle

PAYMENT = 3


def full(folder: Path) -> Context:
    """Make an organisation with a row in each table that money and votes hang on."""
    context = with_every_row(folder)
    statement = a_statement(a_line(900, "Gift", day=20), opening=0)
    import_statements(context, [statement], file="may.csv", new_account=BANK)
    book_line(context, list_waiting(context)[-1].id, [Part(GIFTS)])
    with context.store.write() as work:
        record = work.commitments.all()[0]
        payout = a_move(
            200,
            "expenses:projects:wells",
            "assets:stripe",
            fund=Fund.COMMITTED,
            kind=EntryKind.DISBURSEMENT,
            day=context.today(),
            reference=record.commitment.proposal,
            milestone="a",
        )
        posted = Books(context, work).post(payout)
        work.commitments.add_tranche(posted.index, "a")
        slips = store_papers(context, work, [PaperFile("image/png", b"slip")], PaperKind.SLIP)
        attach_papers(context, work, posted.index, slips)
        paid = record.commitment.pay(200)
        work.commitments.put(CommitmentRecord(paid, record.decided_at))
        lock = YearLock(
            2025,
            context.now(),
            work.log.size(),
            work.log.root().hex(),
            closing_balances(work, 2025),
        )
        work.book_settings.lock_year(lock)
        record_unattended(
            context, work, "years.close", "2025", logSize=lock.log_size, root=lock.root
        )
        work.pledges.share_card("card_family", at=context.now(), why="a family")
        record_unattended(context, work, "members.share-card", "m", why="a family")
        item = ContentItem("claims", "c", "c", 0, True, {"text": "$1,457"})
        work.content.put(item, at=context.now())
        add_people_rows(context, work)
    plant(
        context,
        "INSERT INTO identities (category, source_id, ordinal, entry, cents) "
        f"VALUES ('charge', 'ch_ada', 0, {PAYMENT}, 1000)",
        "UPDATE bank_statements SET is_proven = 0",
        "INSERT INTO audit VALUES (0, '2020-01-01', 'ada', 'operators.add', 'ada', '', '{}', '{}')",
    )
    assert verify_books(context).findings == ()
    return context


def add_people_rows(context: Context, work: UnitOfWork) -> None:
    """Add a row to each table that sign-in, emails, consents and reports from the field need."""
    now, member = context.now(), next(work.members.all())
    work.passkeys.add(Passkey("pk", member.id, "Phone", b"key", now.date()))
    work.address_changes.add(AddressChange("code", member.id, "old@example.org", now))
    work.members.put_contact(MemberContact(member.id, "Box 7", "+233 30 255 0199"))
    work.members.add_consent(Consent(member.id, "news", True, "Yes", "site", now))
    work.legal.put(LegalChange(LegalText.TERMS, 1, now.date(), now, Source.OWN, {}, {}, "first"))
    work.operations.put_operator(Operator("ada", now, email="ada@example.org"))
    work.outbox.add(Email("em", "welcome", "ada@example.org", {"a": 1}, now, now))
    work.field.put_partner(Partner("pa", "Reef", Language("en"), now))
    work.field.put_link(FieldLink("li", "pa", "wells", "proof", now, now.date()))
    report = FieldReport(
        *("re", "key", "mark", "pa", "wells", "li"),
        state=ReportState.WAITING,
        title="Title",
        body="Text",
        milestone=None,
        numbers={},
        consent=PhotoConsent.NO,
        place="",
        written_at=now,
        received_at=now,
    )
    work.field.add_report(report)
    work.field.put_claim(Claim("re", "USD", 4550, 4550, "slip", now.date(), "Food", "sealed", 1, 2))
    work.field.put_purpose(ClaimPurpose("Food", "expenses:operations", Fund.OTHER, now))
    line = work.bank.between(NUMBER, now.date().replace(month=1), now.date())[0].id
    work.bank_rules.add_sender(SenderRow("snd", "key", member.id, 1000, line, "ada", now))


def schema_of(context: Context) -> dict[str, list[tuple[str, str]]]:
    """Return name and type of the columns of each table."""
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    return {
        table: [(row[1], row[2]) for row in connection.execute(f"PRAGMA table_info({table})")]
        for table in HELD
    }


VALUES = {
    "doc": '\'{"text":"$91,457"}\'',
    "parts": "'{\"projects\":1000}'",
    "proof": "'statement'",
    "way": "'cash'",
    "kind": "CASE kind WHEN 'pledge' THEN 'gift' WHEN 'claims' THEN 'faqs' ELSE 'pledge' END",
    "dispute": "'won'",
    "balances": "'{\"other\":5}'",
    "allowed_at": "'2099-01-01T00:00:00Z'",
    "is_proven": "1 - is_proven",
    "is_undone": "1 - is_undone",
    "choice": "CASE choice WHEN 'up' THEN 'down' ELSE 'up' END",
}
"""The new value of a column, in SQL; of others a text changes, and a number grows."""

ROWS = {
    "payments": f"entry = {PAYMENT}",
    "entries": f"idx = {PAYMENT}",
    "entries.reference": "kind = 'disbursement'",
    "postings": f"entry = {PAYMENT} AND line = 0",
    "proposals": "id = 'prop_01'",
    "pledges": "id = (SELECT MIN(id) FROM pledges WHERE state = 'active')",
}
"""The row that changes, of tables with several kinds of rows; of others every row does."""


def changes(columns: dict[str, list[tuple[str, str]]]) -> Iterator[tuple[str, str, str]]:
    """Yield table, column and statement of each change."""
    for table, names in columns.items():
        for name, kind in names:
            value = {"INTEGER": f"COALESCE({name}, 0) + 100", "BLOB": "zeroblob(32)"}.get(
                kind, f"COALESCE({name}, '') || '1'"
            )
            if name.endswith(("_at", "_day")) or name == "day":
                value = "'2026-01-05'" if name.endswith("day") else "'2026-01-05T00:00:00Z'"
            statement = f"UPDATE {table} SET {name} = {VALUES.get(name, value)}"
            yield (
                table,
                name,
                f"{statement} WHERE {ROWS.get(f'{table}.{name}') or ROWS.get(table, '1 = 1')}",
            )


DOCUMENTS = (
    ("claims", "$.text", "$91,457 went to wells"),
    ("donations", "$.amountCents", 9_145_700),
    ("grants", "$.amountCents", 9_145_700),
    ("projects", "$.milestones[0].costCents", 9_145_700),
    ("projects", "$.milestones[0].completedOn", "2026-01-05"),
    ("projects", "$.measures[0].values[0].value", 9_145_700),
)
"""Values inside the documents of content: kind, path and new value."""


class Seen(NamedTuple):
    """What noticed a change: checks of `jara ledger verify`, and the others."""

    checks: frozenset[str]
    by_others: bool = False

    @property
    def kind(self) -> str:
        """What the table of docs/security.md calls it."""
        if self.by_others or self.checks - {"seals"}:
            return "rows"
        return "seal" if self.checks else ""


def doctor_says(context: Context) -> list[tuple[str, Level]]:
    """Return the doctor's checks with their levels."""
    return [(result.name, result.level) for result in look(context)]


def look_at(context: Context, folder: Path, well: list[tuple[str, Level]]) -> Seen:
    """Ask `jara ledger verify`; if it finds nothing, the doctor and the verifier of the bundle."""
    checks = frozenset(finding.check for finding in verify_books(context).findings)
    if checks:
        return Seen(checks)
    bundle = write_bundle(context, folder / "bundle.tar")
    return Seen(checks, doctor_says(context) != well or run_verifier(bundle) != 0)


@contextmanager
def changed(context: Context, table: str, statement: str) -> Iterator[None]:
    """Change a table by SQL for the duration of a block."""
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    assert rows, table
    plant(context, statement)
    assert connection.execute(f"SELECT * FROM {table}").fetchall() != rows, statement
    yield
    marks = ", ".join("?" * len(rows[0]))
    plant(context, f"DELETE FROM {table}")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def test_a_change_of_one_value_is_noticed_as_the_table_says(tmp_path: Path) -> None:
    """Each column of the tables that money, votes and sign-in hang on is changed once."""
    context = full(tmp_path)
    well = doctor_says(context)
    seen: dict[str, str] = {}
    for table, column, statement in changes(schema_of(context)):
        with changed(context, table, statement):
            seen[f"{table}.{column}"] = look_at(context, tmp_path, well).kind
    said = {f"{table}.{one}": how for table in HELD for one, how in columns_noticed(table).items()}
    expected = {name: {"seal": "seal", "": ""}.get(said.get(name, ""), "rows") for name in seen}

    assert verify_books(context).findings == ()
    differ = {name: (how, expected[name]) for name, how in seen.items() if how != expected[name]}
    assert differ == {}
    assert len(seen) >= 133
    assert list(seen.values()).count("") <= 25


@pytest.mark.parametrize(("kind", "path", "value"), DOCUMENTS)
def test_a_change_inside_a_document_is_noticed(
    tmp_path: Path, kind: str, path: str, value: object
) -> None:
    """What visitors read of sums, milestones and measurements is compared with its history."""
    context = full(tmp_path)
    with context.store.write() as work:
        doc = {"amountCents": 1, "milestones": [{}], "measures": [{"values": [{"value": 1}]}]}
        work.content.put(ContentItem(kind, "x", "x", 1, True, doc), at=context.now())
    assert verify_books(context).findings == ()

    plant(
        context,
        f"UPDATE content SET doc = json_set(doc, '{path}', {value!r}) WHERE kind = '{kind}'",
    )

    assert {finding.check for finding in verify_books(context).findings} >= {"content", "seals"}


@pytest.mark.parametrize("table", ["commitments", "tranches", "year_locks", "bank_matches"])
def test_a_deleted_row_is_noticed(tmp_path: Path, table: str) -> None:
    """A closed year that was deleted was open again, and nobody knew."""
    context = full(tmp_path)

    plant(context, f"DELETE FROM {table}")

    assert not verify_books(context).ok
