"""Bank statements, the entries that their lines are matched with, and the rules that book them."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from jara.domain.bank.continuity import Span, span_of
from jara.domain.bank.identity import KnownLine
from jara.domain.bank.rules import Rule, read_rule
from jara.domain.bank.statement import Statement, StatementLine, squeezed
from jara.domain.books.account import nearest
from jara.domain.lookup import choose_one
from jara.records.bank import BankAccount, BankLine, Match, OpenEntry, SenderRow
from jara.store.repositories.journal.rows import within
from jara.store.rows import Repository, Rows, counter, read_row, remover
from jara.store.sql.codecs import in_list, read_document

ACCOUNTS = Rows("bank_accounts", BankAccount)
LINES = Rows("bank_lines", StatementLine, "id")
STATEMENTS = Rows("bank_statements", Span, "id")
SENDERS = Rows("bank_senders", SenderRow, "id, member_id")

_LINE = (
    "l.id, l.account, s.file, s.form, l.twin, s.is_proven, COALESCE(r.reason, ''), "
    f"{LINES.columns('l.')}"
)
_KEPT = "JOIN bank_statements s ON s.id = l.statement AND s.undone_at IS NULL"
_LINES = f"SELECT {_LINE} FROM bank_lines l {_KEPT} LEFT JOIN bank_reasons r ON r.line = l.id"
_IS_OURS = "ledger <> number"
"""The condition that a bank account is not removed: a removed one has its number as ledger."""
_STANDS = "NOT EXISTS (SELECT 1 FROM entries v WHERE v.reverses = m.entry)"
"""The condition that the entry of a match ``m`` is not reversed."""
MATCH_COUNTS = (
    f"{_STANDS} AND NOT EXISTS (SELECT 1 FROM bank_lines x JOIN bank_statements u "
    "ON u.id = x.statement WHERE x.id = m.line AND u.undone_at IS NOT NULL)"
)
"""The condition that a match ``m`` counts: the import of its line is not undone either."""
_WAITS = f"NOT EXISTS (SELECT 1 FROM bank_matches m WHERE m.line = l.id AND {_STANDS})"
"""The condition that a line ``l`` is unmatched."""


_IMPORTED = (
    "SELECT id, account, file, form, first_day, last_day, opening_cents, closing_cents, "
    "imported_at, seq, base_cents FROM bank_statements WHERE import_id = :import ORDER BY id"
)
_IMPORTED_LINES = (
    "SELECT l.id, l.account, l.statement, l.line, l.day, l.cents, l.key, l.bank_ref, "
    "l.is_reversal, l.is_collective, l.twin, l.fee_cents FROM bank_lines l "
    "JOIN bank_statements s ON s.id = l.statement WHERE s.import_id = :import ORDER BY l.id"
)


class BankRepository(Repository):
    """Bank statements, and the entries matched with their lines.

    A match counts while its entry is not reversed. Lines of an undone import stay stored but
    are ignored.
    """

    accounts = ACCOUNTS.lister(f"WHERE {_IS_OURS} ORDER BY number")
    spans = STATEMENTS.lister_by("account", "AND undone_at IS NULL")
    count_waiting = counter(f"SELECT COUNT(*) FROM bank_lines l {_KEPT} WHERE {_WAITS}")

    def put_account(self, account: BankAccount, *, at: datetime) -> None:
        """Add or replace an account."""
        ACCOUNTS.put(self._sql, account, added_at=at)

    def remove_account(self, number: str) -> None:
        """Remove an account; lines of undone imports keep its number."""
        ACCOUNTS.update(self._sql, BankAccount(number, number))

    def imports_of(self, account: str) -> list[str]:
        """Return the ids of the imports with statements of an account, newest first."""
        return self._column(
            "SELECT import_id, MAX(seq) FROM bank_statements "
            "WHERE account = :account AND undone_at IS NULL GROUP BY import_id ORDER BY 2 DESC, 1",
            account=account,
        )

    def add_statement(
        self,
        statement_id: str,
        statement: Statement,
        *,
        base_cents: int | None,
        is_proven: bool,
        file: str,
        imported: str,
        at: datetime,
    ) -> None:
        """Add a statement without its lines; do nothing if it is stored already.

        ``base_cents`` is the balance of the account before all of its lines, with this statement;
        ``is_proven`` tells whether its lines show payments without a second operator.
        """
        STATEMENTS.add_new(
            self._sql,
            span_of(statement),
            id=statement_id,
            account=statement.account,
            file=file,
            form=statement.form,
            import_id=imported,
            imported_at=at,
            base_cents=base_cents,
            is_proven=is_proven,
            seq=1 + self._number("SELECT COALESCE(MAX(seq), 0) FROM bank_statements"),
        )

    def base_cents(self, account: str) -> int | None:
        """Return the balance of an account before all of its lines, if it is stored."""
        return self._value(
            int,
            "SELECT base_cents FROM bank_statements WHERE account = :account "
            "AND undone_at IS NULL AND base_cents IS NOT NULL ORDER BY seq DESC LIMIT 1",
            account=account,
        )

    def undone_imports(self) -> frozenset[str]:
        """Return the ids of the imports that were undone."""
        undone = "SELECT DISTINCT import_id FROM bank_statements WHERE undone_at IS NOT NULL"
        return frozenset(self._column(undone))

    def is_undone(self, statement_id: str) -> bool:
        """Return whether the import of a statement was undone."""
        undone = "SELECT 1 FROM bank_statements WHERE id = :id AND undone_at IS NOT NULL"
        return self._sql.one(undone, {"id": statement_id}) is not None

    def undone_lines(self, account: str) -> frozenset[str]:
        """Return the ids of an account's lines from undone imports."""
        rows = self._sql.all(
            "SELECT l.id FROM bank_lines l JOIN bank_statements s ON s.id = l.statement "
            "WHERE l.account = :account AND s.undone_at IS NOT NULL",
            {"account": account},
        )
        return frozenset(row[0] for row in rows)

    def undo(self, imported: str, *, at: datetime) -> None:
        """Mark the statements of an import as undone; their matched entries are free again."""
        self._update("bank_statements", {"import_id": imported}, {"undone_at": at})

    def entries_booked(self, imported: str) -> list[int]:
        """Return the log indexes of all entries booked from the lines of an import."""
        # An entry is named after its line, with a number if an earlier one was reversed; the
        # arrival of a payout is named after the payout.
        rows = self._sql.all(
            "SELECT e.idx FROM bank_statements s JOIN bank_lines l ON l.statement = s.id "
            "JOIN entries e ON e.external_id >= 'bank:' || l.id "
            "AND e.external_id < 'bank:' || l.id || ';' WHERE s.import_id = :import "
            "UNION SELECT e.idx FROM bank_statements s JOIN bank_lines l ON l.statement = s.id "
            "JOIN bank_matches m ON m.line = l.id JOIN entries e ON e.idx = m.entry "
            "WHERE s.import_id = :import AND e.kind = 'payout_arrived' AND e.source = 'bank' "
            "ORDER BY 1",
            {"import": imported},
        )
        return [int(row[0]) for row in rows]

    def day_sums(self, account: str) -> dict[date, int]:
        """Return the sum of the lines of each day."""
        rows = self._sql.all(
            f"SELECT l.day, SUM(l.cents) FROM bank_lines l {_KEPT} "
            "WHERE l.account = :account GROUP BY l.day",
            {"account": account},
        )
        return {date.fromisoformat(day): int(cents) for day, cents in rows}

    def known(self, account: str, *, first: date, last: date) -> list[KnownLine]:
        """Return the stored lines from one day to another, except those of undone imports."""
        rows = self._sql.all(
            "SELECT l.id, l.day, l.cents, l.key, s.form, l.text, l.own_ref "
            f"FROM bank_lines l {_KEPT} "
            "WHERE l.account = :account AND l.day BETWEEN :first AND :last "
            "ORDER BY l.day, l.statement, l.line",
            {"account": account, "first": first.isoformat(), "last": last.isoformat()},
        )
        return [
            KnownLine(line_id, date.fromisoformat(day), cents, key, form, squeezed(" ".join(words)))
            for line_id, day, cents, key, form, *words in rows
        ]

    def add_line(
        self, line_id: str, line: StatementLine, *, account: str, statement: str, twin: str
    ) -> None:
        """Add a line; ``twin`` is the stored line that it may be, or empty."""
        LINES.append(
            self._sql,
            line,
            id=line_id,
            account=account,
            statement=statement,
            key=line.key,
            twin=twin,
        )

    def on_later_statements(self, account: str, day: date) -> list[BankLine]:
        """Return the lines up to a day that came with a statement which ends after it."""
        rows = self._sql.all(
            f"{_LINES} WHERE l.account = :account AND l.day <= :day AND s.last_day > :day "
            "ORDER BY l.day, l.statement, l.line",
            {"account": account, "day": day.isoformat()},
        )
        return [_line(row) for row in rows]

    def between(self, account: str, first: date, last: date) -> list[BankLine]:
        """Return the lines of an account from one day to another."""
        rows = self._sql.all(
            f"{_LINES} WHERE l.account = :account AND l.day BETWEEN :first AND :last",
            {"account": account, "first": first.isoformat(), "last": last.isoformat()},
        )
        return [_line(row) for row in rows]

    def waiting(self, account: str) -> list[BankLine]:
        """Return the unmatched lines of an account, oldest first."""
        rows = self._sql.all(
            f"{_LINES} WHERE l.account = :account AND {_WAITS} ORDER BY l.day, l.statement, l.line",
            {"account": account},
        )
        return [_line(row) for row in rows]

    def find(self, text: str) -> BankLine:
        """Return the line with this id or unique id prefix.

        Raises:
            NotFound: no line matches.
            Conflict: several lines match.
        """
        wanted = text.lower()
        rows = self._sql.all(
            f"{_LINES} WHERE l.id >= :low AND l.id < :high ORDER BY l.id LIMIT 7",
            {"low": wanted, "high": f"{wanted}~"},
        )
        return choose_one(
            text,
            [_line(row) for row in rows],
            kinds="bank lines",
            label=lambda line: line.id,
            missing=f"There is no bank line '{text}'; see `jara bank waiting`.",
            names=lambda line: (line.id,),
        )

    def entries_of(self, line_id: str) -> list[int]:
        """Return the log indexes of all entries ever matched with a line."""
        query = "SELECT entry FROM bank_matches WHERE line = :line ORDER BY entry"
        return self._column(query, line=line_id)

    def lines_of(self, entry: int) -> list[tuple[BankLine, bool]]:
        """Return the lines ever matched with an entry, and whether their import was undone."""
        rows = self._sql.all(
            f"SELECT CASE WHEN s.undone_at IS NULL THEN 0 ELSE 1 END AS is_undone, {_LINE} "
            "FROM bank_matches m JOIN bank_lines l ON l.id = m.line "
            "JOIN bank_statements s ON s.id = l.statement "
            "LEFT JOIN bank_reasons r ON r.line = l.id "
            "WHERE m.entry = :entry ORDER BY is_undone DESC, s.imported_at, l.id",
            {"entry": entry},
        )
        return [(_line(line), bool(is_undone)) for is_undone, *line in rows]

    def match(self, line_id: str, entry: int, *, sender: str = "") -> None:
        """Match a line with an entry; ``sender`` tells who paid if the line names nobody."""
        self._sql.append(
            "INSERT INTO bank_matches (entry, line, sender) VALUES (:entry, :line, :sender)",
            (entry, line_id, sender),
        )

    def digest(self, imported: str) -> str:
        """Return the SHA-256 of what an import brought and neither erasure nor approval changes."""
        rows = [
            self._sql.all(query, {"import": imported}) for query in (_IMPORTED, _IMPORTED_LINES)
        ]
        text = json.dumps([[list(row) for row in part] for part in rows])
        return sha256(text.encode()).hexdigest()

    def prove(self, imported: str) -> None:
        """Store that a second operator has approved an import."""
        self._sql.run(
            "UPDATE bank_statements SET is_proven = 1 WHERE import_id = :import",
            {"import": imported},
        )

    def days_of(self, imported: str) -> tuple[date, date] | None:
        """Return the first and the last day of the statements of an import, if it has any."""
        row = self._sql.one(
            "SELECT MIN(first_day), MAX(last_day) FROM bank_statements WHERE import_id = :import",
            {"import": imported},
        )
        if row is None or row[0] is None:
            return None
        return date.fromisoformat(row[0]), date.fromisoformat(row[1])

    def lines_in(self, imported: str) -> list[str]:
        """Return the ids of the lines that an import brought, in order."""
        return self._column(
            "SELECT l.id FROM bank_lines l JOIN bank_statements s ON s.id = l.statement "
            "WHERE s.import_id = :import_id ORDER BY l.id",
            import_id=imported,
        )

    def unproven_matches(self) -> list[tuple[str, int, str, BankLine]]:
        """Return the unproven payments that match lines.

        Each has the import's id, the log index of the payment's entry, the sender, and the line.
        """
        rows = self._sql.all(
            f"SELECT s.import_id, m.entry, m.sender, {_LINE} FROM bank_matches m "
            f"JOIN bank_lines l ON l.id = m.line {_KEPT} "
            "JOIN payments p ON p.entry = m.entry AND p.proof = 'none' "
            f"LEFT JOIN bank_reasons r ON r.line = l.id WHERE {_STANDS} ORDER BY s.seq, m.entry"
        )
        return [
            (imported, int(entry), sender, _line(line)) for imported, entry, sender, *line in rows
        ]

    def set_reasons(self, account: str, reasons: Mapping[str, str]) -> None:
        """Replace the reasons why lines of an account are unmatched."""
        self._sql.run(
            "DELETE FROM bank_reasons WHERE line IN "
            "(SELECT id FROM bank_lines WHERE account = :account)",
            {"account": account},
        )
        for line, reason in reasons.items():
            self._sql.append(
                "INSERT INTO bank_reasons (line, reason) VALUES (:line, :reason)", (line, reason)
            )

    def accounts_of(self, ledger: str) -> list[str]:
        """Return an account of the books with those below it, except another bank account's."""
        rows = self._sql.all(
            f"SELECT name FROM accounts WHERE {within('name', ':ledger')} ORDER BY name",
            {"ledger": ledger},
        )
        ledgers = {ledger, *(account.ledger for account in self.accounts())}
        return [name for (name,) in rows if nearest(name, ledgers) == ledger]

    def open_entries(self, ledger: str, *, since: date) -> list[OpenEntry]:
        """Return the entries that move money on an account and have no line of it, oldest first.

        A transfer between two bank accounts has a line on each of them.
        """
        names, params = in_list("ledger", self.accounts_of(ledger))
        rows = self._sql.all(
            "SELECT e.idx, e.id, e.day, e.kind, e.description, SUM(p.cents), e.reference, "
            "e.external_id, e.reverses, e.member_key "
            f"FROM postings p JOIN entries e ON e.idx = p.entry WHERE p.account IN {names} "
            "AND p.day >= :since AND NOT EXISTS (SELECT 1 FROM bank_matches m "
            "JOIN bank_lines o ON o.id = m.line JOIN bank_accounts b ON b.number = o.account "
            f"WHERE m.entry = e.idx AND b.ledger = :own AND {MATCH_COUNTS}) "
            "GROUP BY e.idx, e.id, e.day, e.kind, e.description, e.reference, e.external_id, "
            "e.reverses, e.member_key HAVING SUM(p.cents) <> 0 ORDER BY e.day, e.idx",
            {**params, "since": since.isoformat(), "own": ledger},
        )
        return [read_row(OpenEntry, row) for row in rows]

    def standing_entries(self, ledger: str, *, since: date) -> list[OpenEntry]:
        """Return those of the open entries that reverse nothing and are not reversed."""
        entries = self.open_entries(ledger, since=since)
        undone = {one.reverses for one in entries}
        return [one for one in entries if one.reverses is None and one.index not in undone]

    def matches_across(self, account: str, day: date) -> list[Match]:
        """Return the matches with one side up to a day and the other side after it."""
        moved, params = self._moved_on(account)
        rows = self._sql.all(
            f"SELECT l.id, e.idx, l.day, e.day, {moved}, e.description FROM bank_matches m "
            "JOIN bank_lines l ON l.id = m.line JOIN entries e ON e.idx = m.entry "
            f"WHERE l.account = :account AND {MATCH_COUNTS} AND (l.day <= :day) <> (e.day <= :day) "
            "ORDER BY l.day, e.idx",
            {**params, "account": account, "day": day.isoformat()},
        )
        return [read_row(Match, row) for row in rows]

    def early_matches(self, account: str, first: date) -> int:
        """Return the sum of the matched entries from before a day."""
        moved, params = self._moved_on(account)
        return self._number(
            f"SELECT COALESCE(SUM({moved}), 0) FROM bank_matches m "
            "JOIN bank_lines l ON l.id = m.line JOIN entries e ON e.idx = m.entry "
            f"WHERE l.account = :account AND e.day < :first AND {MATCH_COUNTS}",
            {**params, "account": account, "first": first.isoformat()},
        )

    def _moved_on(self, account: str) -> tuple[str, dict[str, object]]:
        """Return the cents that the entry ``e`` moves on a bank account, and the parameters."""
        ledgers = [one.ledger for one in self.accounts() if one.number == account]
        names, params = in_list("ledger", [n for one in ledgers for n in self.accounts_of(one)])
        return (
            f"(SELECT SUM(p.cents) FROM postings p WHERE p.entry = e.idx AND p.account IN {names})",
            params,
        )

    def payouts_in_transit(self) -> list[tuple[int, str, date, int]]:
        """Return index, id, day and cents of payouts that neither arrived nor were reversed."""
        rows = self._sql.all(
            "SELECT e.idx, e.reference, e.day, SUM(p.cents) FROM entries e JOIN postings p "
            "ON p.entry = e.idx AND p.account = 'assets:in-transit' WHERE e.kind = 'payout' "
            "AND e.reference IS NOT NULL AND NOT EXISTS (SELECT 1 FROM entries a WHERE "
            "a.external_id >= e.reference || ':arrived' AND a.external_id < e.reference || "
            "':arrived;' AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.reverses = a.idx)) "
            "AND NOT EXISTS (SELECT 1 FROM entries b "
            "WHERE b.reference = e.reference AND b.kind = 'payout_reversal') "
            "GROUP BY e.idx, e.reference, e.day ORDER BY e.idx"
        )
        return [(index, name, date.fromisoformat(day), int(c)) for index, name, day, c in rows]

    def forget_texts(self, before: date) -> int:
        """Erase the texts and names in lines before a day; return how many lines."""
        return self._sql.run(
            "UPDATE bank_lines SET text = '', party = '', party_account = '', own_ref = '' "
            "WHERE day < :day AND (text <> '' OR party <> '' OR party_account <> '' "
            "OR own_ref <> '')",
            {"day": before.isoformat()},
        )


def _line(row: Sequence[Any]) -> BankLine:
    line_id, account, file, form, twin, is_proven, reason, *line = row
    line_read = LINES.read(line)
    return BankLine(line_id, account, file, form, line_read, reason, twin, bool(is_proven))


class BankRulesRepository(Repository):
    """Rules that book lines, remembered senders, and mappings of CSV files."""

    senders = SENDERS.lister("ORDER BY id, member_id")  # those of one sender together
    add_sender = SENDERS.adder()  # for one of the members
    remove_rule = remover("bank_rules", "id")
    remove_sender = remover("bank_senders", "id")
    remove_mapping = remover("bank_mappings", "name")

    def rules(self) -> list[Rule]:
        """Return the rules, oldest first."""
        rows = self._sql.all("SELECT id, document FROM bank_rules ORDER BY added_at, id")
        return [read_rule(rule_id, read_document(text)) for rule_id, text in rows]

    def add_rule(self, rule: Rule, *, at: datetime) -> None:
        """Add a rule."""
        self._insert("bank_rules", {"id": rule.id, "added_at": at, "document": rule.document()})

    def mappings(self) -> dict[str, Mapping[str, Any]]:
        """Return the mappings of CSV files by name."""
        rows = self._sql.all("SELECT name, document FROM bank_mappings ORDER BY name")
        return {name: read_document(text) for name, text in rows}

    def put_mapping(self, name: str, document: Mapping[str, Any]) -> None:
        """Add or replace a mapping."""
        self._put("bank_mappings", {"name": name}, {"document": document})
