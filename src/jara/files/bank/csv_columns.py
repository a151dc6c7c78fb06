"""The columns of a bank's CSV that change the meaning of its rows.

A row may have failed, be of another account or in another currency, or hide a charge. A mapping
names such columns, or says that they do not matter; a file that it does not explain is refused.
"""

import re
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from jara.domain.bank.statement import account_number, is_same_account
from jara.domain.currency import DECIMALS, books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.lookup import plain_text
from jara.files.bank.csv_amount import DEBIT_WORDS, csv_cents, sign_column
from jara.files.bank.csv_convention import CsvRow
from jara.files.bank.csv_mapping import OPTIONAL, CsvMapping
from jara.files.bank.csv_table import CsvTable
from jara.files.reading import normal_name

_STATE_NAME = re.compile(
    r"\b(?:status|state|estado|statut|etat|zustand|stato|situacao|stav|info|tila|stan)\b"
)
_DONE = re.compile(
    r"\b(?:completed?|successful|success|succeeded|settled|posted|booked|cleared|processed|paid|"
    r"executed|done|ok|confirmed|received|sent|gebucht|ausgefuhrt|erledigt|abgeschlossen|"
    r"effectuee?|executee?|comptabilisee?|terminee?|reussie?|validee?|completad[oa]|"
    r"realizad[oa]|liquidad[oa]|contabilizad[oa]|concluid[oa]|efetuad[oa]|geboekt|voltooid|"
    r"uitgevoerd|contabilizzat[oa]|eseguit[oa]|zaksiegowan[oae]|bokford)\b"
)
_NOT_DONE = re.compile(
    r"\b(?:not|un\w+|fail(?:ed|ure)?|cancel(?:l?ed)?|declined|rejected|refused|revers(?:ed|al)|"
    r"reverted|returned|pending|processing|on hold|held|denied|expired|void(?:ed)?|blocked|"
    r"scheduled|created|waiting|incomplete|vorgemerkt|storniert|storno|abgelehnt|ausstehend|"
    r"offen|fehlgeschlagen|nicht|annulee?|echouee?|rejetee?|refusee?|en attente|en cours|"
    r"fallid[oa]|cancelad[oa]|rechazad[oa]|pendiente|devuelt[oa]|anulad[oa]|pendente|"
    r"recusad[oa]|falhou|estornad[oa]|mislukt|geannuleerd|geweigerd|in behandeling|annullat[oa]|"
    r"in sospeso|rifiutat[oa]|odrzucon[oae]|anulowan[oae]|oczekujac[ae])\b"
)
"""How banks say that a payment was made, or was not, in plain letters."""
_CURRENCY_NAME = re.compile(
    r"\b(?:currency|ccy|waehrung|wahrung|devise|moneda|valuta|munt|divisa|moeda|waluta)\b"
)
_OWN_ACCOUNT = re.compile(
    r"(?:(?:your|own|my) )?(?:account|acct)(?: (?:number|no|nr|id|name|type))?|auftragskonto|"
    r"iban auftragskonto|konto(?:nummer)?|(?:numero de )?(?:compte|cuenta)|rekening(?:nummer)?|"
    r"(?:first )?(?:bank )?card(?: number| no)?|product|produkt|produit|wallet|pocket"
)
FEE_NAME = re.compile(
    r"\b(?:fees?|charges?|commissions?|gebuhr(?:en)?|entgelt|frais|comision(?:es)?|kosten|"
    r"tarifa|commissioni|oplata|prowizja)\b"
)
"""The words by which a column of charges is known, in plain letters."""
_PAID = re.compile(
    r"thank you|payments? and credits|autopay payment|payment received|paiement recu|"
    r"paiement.{0,3} merci|zahlung erhalten|pago recibido"
)
"""How a card says that it was paid."""
_DIGITS = 8
"""Shorter numbers do not identify an account."""
_SHORT = 40
"""A state is no longer than this."""
_SHOWN = 4


class ColumnFault(NamedTuple):
    """A column that changes the meaning of rows: what it has, and the field that explains it."""

    what: str
    field: str
    values: tuple[str, ...]

    @property
    def is_list(self) -> bool:
        """Whether the field takes several values."""
        return self.field == "only"

    @property
    def message(self) -> str:
        """What to add."""
        option = f"--{self.field.replace('_', '-')}"
        return f"{self.what}: {' '.join(f'{option} {quote(one)}' for one in self.values)}."


def plain_column(name: str) -> str:
    """Return a column's name in plain letters without punctuation, to compare it with words."""
    return " ".join(re.sub(r"[\W_]+", " ", plain_text(name)).split())


def require_explained(table: CsvTable, mapping: CsvMapping, read: Sequence[CsvRow]) -> None:
    """Require that a mapping explains every column that changes the meaning of the rows.

    Raises:
        InvalidInput: it does not; the message has the option for each column.
    """
    rows, amounts = [row.cells for row in read], [row.amount or 0 for row in read]
    faults = [fault.message for fault in column_faults(table, mapping, rows)]
    if mapping.amount and not mapping.sign:
        faults += _sign_faults(table, mapping, rows, amounts)
        if mapping.inverted is None and _is_of_card(rows, amounts):
            faults.append(
                "A payment to a card is negative and other amounts are positive: --invert if money "
                "out has positive amounts, else --no-invert."
            )
    if faults:
        raise InvalidInput(
            f"{' '.join(faults)} Add this to the mapping; a column that does not "
            "matter is named with --ignore."
        )


def column_faults(
    table: CsvTable, mapping: CsvMapping, rows: Sequence[Sequence[str]]
) -> Iterator[ColumnFault]:
    """Yield what is wrong with each column that changes the meaning of rows and is not named."""
    named = {normal_name(one.removesuffix(OPTIONAL)) for one in mapping.named_columns}
    has_account = bool(mapping.account_column)
    for place, column in enumerate(table.header):
        if normal_name(column) in named or not column.strip():
            continue
        cells = [row[place].strip() for row in rows if place < len(row) and row[place].strip()]
        values = list(dict.fromkeys(cells))
        name = plain_column(column)
        if not mapping.has_currency_column and values and _is_currency(name, values):
            others = [one for one in values if one.upper() != books_currency()]
            if others:
                what = f"Column {column} has {_some(others)}"
                yield ColumnFault(what, "currency", (column,))
        elif (
            not has_account
            and _OWN_ACCOUNT.fullmatch(name)
            and (
                len(values) > 1
                or ("card" not in name and values and _is_other_account(values[0], mapping.account))
            )
        ):
            what = f"Column {column} has {_some(values)}"
            yield ColumnFault(what, "account_column", (column,))
        elif _tells_state(name, values):
            done = [one for one in values if _is_done(one)] or ["VALUE"]
            only = tuple(f"{column}={one}" for one in done[:_SHOWN])
            yield ColumnFault(f"Column {column} has {_some(values)}", "only", only)
        elif not mapping.fee and FEE_NAME.search(name) and _has_amount(cells, mapping.decimal):
            yield ColumnFault(f"Column {column} has charges", "fee", (column,))


def _is_currency(name: str, values: Sequence[str]) -> bool:
    is_named = _CURRENCY_NAME.search(name) is not None
    return all(one.upper() in DECIMALS for one in values) and (
        is_named or books_currency() in values
    )


def _is_other_account(text: str, number: str) -> bool:
    """Return whether a cell has the whole number of another account."""
    is_whole = sum(map(str.isdigit, text)) >= _DIGITS and not set("*Xx") & set(text)
    if not is_whole or len(number) < _DIGITS:
        return False
    return not is_same_account(account_number(text), account_number(number))


def _is_done(value: str) -> bool:
    plain = plain_text(value)
    return _DONE.search(plain) is not None and _NOT_DONE.search(plain) is None


def _tells_state(name: str, values: Sequence[str]) -> bool:
    """Return whether a column says that some rows are no payments."""
    if any(len(one) > _SHORT for one in values):
        return False
    done = [one for one in values if _is_done(one)]
    undone = [one for one in values if _NOT_DONE.search(plain_text(one))]
    if _STATE_NAME.search(name):
        return bool(undone) or (0 < len(done) < len(values))
    return bool(undone) and len(done) + len(undone) == len(values)


def _has_amount(cells: Sequence[str], decimal: str) -> bool:
    for cell in cells:
        try:
            if csv_cents(cell, decimal=decimal):
                return True
        except JaraError:
            continue
    return False


def _some(values: Sequence[str]) -> str:
    more = ", …" if len(values) > _SHOWN else ""
    return ", ".join(values[:_SHOWN]) + more


def _is_of_card(rows: Sequence[Sequence[str]], amounts: Sequence[int]) -> bool:
    """Return whether a file seems to be of a card, with purchases as positive amounts."""
    paid = [
        cents
        for row, cents in zip(rows, amounts, strict=True)
        if cents and any(_PAID.search(plain_text(cell)) for cell in row)
    ]
    return bool(paid) and max(paid) < 0 and max(amounts) > 0


def _sign_faults(
    table: CsvTable, mapping: CsvMapping, rows: Sequence[Sequence[str]], amounts: Sequence[int]
) -> Iterator[str]:
    """Yield what is wrong if a column says another direction than the amounts' signs."""
    ignored = {normal_name(one) for one in mapping.ignored}
    is_unsigned = min(amounts, default=0) >= 0
    for place, column in enumerate(table.header):
        if normal_name(column) in ignored:
            continue
        cells = [(row[place] if place < len(row) else "") for row in rows]
        sign = sign_column([column], [[cell] for cell in cells], letters=is_unsigned)
        if not sign:
            continue
        pairs = [
            (plain_text(cell) in DEBIT_WORDS, cents < 0)
            for cell, cents in zip(cells, amounts, strict=True)
            if cents and cell.strip()
        ]
        wrong = sum(says is not has for says, has in pairs)
        if wrong and not any(has for _, has in pairs):
            yield (
                f"Every amount is positive, but column {column} tells money out: "
                f"--sign {quote(sign)}."
            )
        elif wrong == len(pairs) and mapping.inverted is None:
            yield f"Column {column} says the opposite of each amount's sign: --invert."
        elif wrong:
            yield (
                f"Column {column} says another direction than the sign of {wrong} amounts: "
                f"--sign {quote(sign)}."
            )
