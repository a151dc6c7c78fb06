"""Bank statements, and the entries that their lines are matched with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from jara.domain.bank.continuity import Span
from jara.domain.bank.identity import KnownLine
from jara.domain.bank.statement import Statement, StatementLine, squeezed
from jara.domain.lookup import choose_one
from jara.records.bank import BankAccount, BankLine, Match, OpenEntry
from jara.store.repositories.bank_imports import BankImports
from jara.store.sql.codecs import instant_text
from jara.store.sql.connection import Row

_LINE = (
    "l.id, l.account, s.file, s.form, l.line, l.day, l.cents, l.text, l.party, l.party_account, "
    "l.bank_ref, l.own_ref, l.is_reversal, COALESCE(r.reason, '')"
)
_KEPT = "JOIN bank_statements s ON s.id = l.statement AND s.undone_at IS NULL"
_LINES = f"SELECT {_LINE} FROM bank_lines l {_KEPT} LEFT JOIN bank_reasons r ON r.line = l.id"
_STANDS = "NOT EXISTS (SELECT 1 FROM entries v WHERE v.reverses = m.entry)"
"""The condition that the entry of a match ``m`` is not reversed."""
_COUNTS = (
    f"{_STANDS} AND NOT EXISTS (SELECT 1 FROM bank_lines x JOIN bank_statements u "
    "ON u.id = x.statement WHERE x.id = m.line AND u.undone_at IS NOT NULL)"
)
"""The condition that a match ``m`` counts: the import of its line is not undone either."""
_WAITS = f"NOT EXISTS (SELECT 1 FROM bank_matches m WHERE m.line = l.id AND {_STANDS})"
"""The condition that a line ``l`` is unmatched."""
_MOVED = "(SELECT SUM(p.cents) FROM postings p WHERE p.entry = e.idx AND p.account = a.ledger)"
"""The cents that the entry ``e`` moves on the account ``a``."""
_ADD_LINE = (
    "INSERT INTO bank_lines (id, account, statement, line, day, cents, key, text, party, "
    "party_account, bank_ref, own_ref, is_reversal) VALUES (:id, :account, :statement, :line, "
    ":day, :cents, :key, :text, :party, :party_account, :bank_ref, :own_ref, :is_reversal)"
)


class BankRepository(BankImports):
    """Bank statements, and the entries matched with their lines.

    A match counts while its entry is not reversed. Lines of an undone import stay stored but
    are ignored.
    """

    def accounts(self) -> list[BankAccount]:
        """Return the accounts at the bank, by number."""
        rows = self._sql.all("SELECT number, ledger FROM bank_accounts ORDER BY number")
        return [BankAccount(*row) for row in rows]

    def add_account(self, account: BankAccount, *, at: datetime) -> None:
        """Add an account."""
        self._sql.run(
            "INSERT INTO bank_accounts (number, ledger, added_at) VALUES (:number, :ledger, :at)",
            {"number": account.number, "ledger": account.ledger, "at": instant_text(at)},
        )

    def add_statement(
        self, statement_id: str, statement: Statement, *, file: str, imported: str, at: datetime
    ) -> None:
        """Add a statement without its lines; do nothing if it is stored already."""
        self._sql.run(
            "INSERT INTO bank_statements (id, account, file, form, first_day, last_day, "
            "opening_cents, closing_cents, import_id, imported_at) VALUES (:id, :account, :file, "
            ":form, :first, :last, :opening, :closing, :import, :at) ON CONFLICT (id) DO NOTHING",
            {
                "id": statement_id,
                "import": imported,
                "account": statement.account,
                "file": file,
                "form": statement.form,
                "first": statement.first_day.isoformat(),
                "last": statement.last_day.isoformat(),
                "opening": statement.opening_cents,
                "closing": statement.closing_cents,
                "at": instant_text(at),
            },
        )

    def spans(self, account: str) -> list[Span]:
        """Return the days and balances of an account's statements."""
        rows = self._sql.all(
            "SELECT first_day, last_day, opening_cents, closing_cents FROM bank_statements "
            "WHERE account = :account AND undone_at IS NULL",
            {"account": account},
        )
        return [
            Span(date.fromisoformat(first), date.fromisoformat(last), opening, closing)
            for first, last, opening, closing in rows
        ]

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

    def add_line(self, line_id: str, line: StatementLine, *, account: str, statement: str) -> None:
        """Add a line."""
        self._sql.append(
            _ADD_LINE,
            (
                line_id,
                account,
                statement,
                line.line,
                line.day.isoformat(),
                line.cents,
                line.key,
                line.text,
                line.party,
                line.party_account,
                line.bank_ref,
                line.own_ref,
                int(line.is_reversal),
            ),
        )

    def waiting(self, account: str) -> list[BankLine]:
        """Return the unmatched lines of an account, oldest first."""
        rows = self._sql.all(
            f"{_LINES} WHERE l.account = :account AND {_WAITS} ORDER BY l.day, l.statement, l.line",
            {"account": account},
        )
        return [_line(row) for row in rows]

    def count_waiting(self) -> int:
        """Return the number of unmatched lines of all accounts."""
        return int(self._sql.all(f"SELECT COUNT(*) FROM bank_lines l {_KEPT} WHERE {_WAITS}")[0][0])

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
        rows = self._sql.all(
            "SELECT entry FROM bank_matches WHERE line = :line ORDER BY entry", {"line": line_id}
        )
        return [row[0] for row in rows]

    def lines_of(self, entry: int) -> list[tuple[BankLine, bool]]:
        """Return the lines ever matched with an entry, and whether their import was undone."""
        rows = self._sql.all(
            f"SELECT {_LINE}, CASE WHEN s.undone_at IS NULL THEN 0 ELSE 1 END FROM bank_matches m "
            "JOIN bank_lines l ON l.id = m.line JOIN bank_statements s ON s.id = l.statement "
            "LEFT JOIN bank_reasons r ON r.line = l.id "
            "WHERE m.entry = :entry ORDER BY 15 DESC, s.imported_at, l.id",
            {"entry": entry},
        )
        return [(_line(row[:-1]), bool(row[-1])) for row in rows]

    def match(self, line_id: str, entry: int) -> None:
        """Match a line with an entry."""
        self._sql.append(
            "INSERT INTO bank_matches (entry, line) VALUES (:entry, :line)", (entry, line_id)
        )

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

    def open_entries(self, ledger: str, *, since: date) -> list[OpenEntry]:
        """Return the entries that move money on an account and have no line, oldest first."""
        rows = self._sql.all(
            "SELECT e.idx, e.id, e.day, e.kind, e.description, SUM(p.cents), e.reference, "
            "e.external_id, e.reverses, e.member_key "
            "FROM postings p JOIN entries e ON e.idx = p.entry WHERE p.account = :ledger "
            "AND p.day >= :since AND NOT EXISTS (SELECT 1 FROM bank_matches m "
            f"WHERE m.entry = e.idx AND {_COUNTS}) "
            "GROUP BY e.idx, e.id, e.day, e.kind, e.description, e.reference, e.external_id, "
            "e.reverses, e.member_key HAVING SUM(p.cents) <> 0 ORDER BY e.day, e.idx",
            {"ledger": ledger, "since": since.isoformat()},
        )
        return [
            OpenEntry(index, name, date.fromisoformat(day), kind, words, int(cents), *others)
            for index, name, day, kind, words, cents, *others in rows
        ]

    def matches_across(self, account: str, day: date) -> list[Match]:
        """Return the matches with one side up to a day and the other side after it."""
        rows = self._sql.all(
            f"SELECT l.id, e.idx, l.day, e.day, {_MOVED}, e.description FROM bank_matches m "
            "JOIN bank_lines l ON l.id = m.line JOIN entries e ON e.idx = m.entry "
            "JOIN bank_accounts a ON a.number = l.account "
            f"WHERE l.account = :account AND {_COUNTS} AND (l.day <= :day) <> (e.day <= :day) "
            "ORDER BY l.day, e.idx",
            {"account": account, "day": day.isoformat()},
        )
        return [
            Match(line, entry, date.fromisoformat(one), date.fromisoformat(other), int(c), words)
            for line, entry, one, other, c, words in rows
        ]

    def early_matches(self, account: str, first: date) -> int:
        """Return the sum of the matched entries from before a day."""
        row = self._sql.one(
            f"SELECT COALESCE(SUM({_MOVED}), 0) FROM bank_matches m "
            "JOIN bank_lines l ON l.id = m.line JOIN entries e ON e.idx = m.entry "
            "JOIN bank_accounts a ON a.number = l.account "
            f"WHERE l.account = :account AND e.day < :first AND {_COUNTS}",
            {"account": account, "first": first.isoformat()},
        )
        return 0 if row is None else int(row[0])

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


def _line(row: Row) -> BankLine:
    line_id, account, file, form, number, day, cents, *texts, is_reversal, reason = row
    text, party, other, bank_ref, own_ref = texts
    line = StatementLine(
        line=number,
        day=date.fromisoformat(day),
        cents=cents,
        text=text,
        party=party,
        party_account=other,
        bank_ref=bank_ref,
        own_ref=own_ref,
        is_reversal=bool(is_reversal),
    )
    return BankLine(line_id, account, file, form, line, reason)
