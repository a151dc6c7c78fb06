"""Reads files of promises: for each member an amount a month, and perhaps how they will pay."""

from typing import BinaryIO, NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import parse_promise
from jara.domain.giving.payment_way import PaymentWay
from jara.files.people.forms import ALIASES, plain_name, values_of
from jara.files.people.reader import header_of
from jara.files.reading import read_table, unused_columns, width_message
from jara.services.payments.promising import PromiseRow

_COLUMNS = {
    "member": ("member", "membre", "id", "memberid", *ALIASES["email"], *ALIASES["name"]),
    "promise": (*ALIASES["promise"], "amount", "montant", "amountamonth", "monthlyamount"),
    "way": ALIASES["way"],
}
_PIECE_BYTES = 1 << 20


class PromiseFile(NamedTuple):
    """The promises of a file."""

    rows: list[PromiseRow]
    unused: list[str]  # columns that nothing reads


def read_promises(stream: BinaryIO, name: str, *, way: PaymentWay) -> PromiseFile:
    """Read every promise of a seekable file in UTF-8, also the wrong ones, with what is wrong.

    `way` is how those will pay whose row says nothing else.

    Raises:
        InvalidInput: the file is broken as a whole, or has no column of members or amounts.
    """
    stream.seek(0)
    delimiter, skip = header_of(stream.read(_PIECE_BYTES), _COLUMNS["member"])
    stream.seek(0)
    table = read_table(stream, name, delimiter=delimiter, skip=skip)
    plain = [plain_name(column) for column in table.header]
    places = {
        field: tuple(one for one in names if one in plain) for field, names in _COLUMNS.items()
    }
    if not places["member"] or not places["promise"]:
        raise InvalidInput(
            f"{name} needs a column of members (Member, Email) and one of amounts (Amount); it "
            f"has: {', '.join(table.header)}."
        )
    used = {one for names in places.values() for one in names}
    unused = unused_columns(table.header, used, plain=plain_name)
    rows: list[PromiseRow] = []
    for line, row in table.rows:
        if not any(map(str.strip, row)):
            continue
        if len(row) != len(plain):
            rows.append(PromiseRow(line, "", None, width_message(len(row), len(plain))))
            continue
        values = values_of(dict(zip(plain, row, strict=True)), places)
        rows.append(_read(line, values["member"].strip(), values["promise"], values["way"], way))
    return PromiseFile(rows, unused)


def _read(line: int, member: str, dollars: str, way: str, default: PaymentWay) -> PromiseRow:
    try:
        promised = parse_promise(dollars, way, default)
    except InvalidInput as error:
        return PromiseRow(line, member, None, error.message)
    fault = "" if member and promised else f"There is no {'amount' if member else 'member'}."
    return PromiseRow(line, member, promised, fault)
