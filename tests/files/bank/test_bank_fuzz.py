"""Damaged statements are refused with a message."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.bank.statement import Statement
from jara.domain.errors import InvalidInput
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.files.bank.written_statements import WRITERS, read, zipped
from tests.sizes import size

MAY = a_statement(
    a_line(1000, "GIFT ADA", day=4, party="Ada", own_ref="R1", bank_ref="B1"),
    a_line(-250, "FEE", day=5),
    opening=100,
)
FORMS = {form: write([MAY]) for form, write in WRITERS.items()}
FORMS |= {"zip": zipped(may=FORMS["ofx"], also=FORMS["mt940"])}
PIECES = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"<", b">", b"</Ntry>", b"<Ntry>", b"<TxDtls>", b"<Bal>", b":61:", b":86:", b":60F:",
         b":20:", b"-}", b"<STMTTRN>", b"</STMTRS>", b"<LEDGERBAL>", b"<OFX>", b'"', b";", b"\n",
         b"\r", b"\0", b"USD", b"EUR", b"1e9", b"NaN", b"-", b"99999999999999", b"&lol;", b"<!",
         b"CHARSET:idna", b"PK\x01\x02", b"?31", b"<![CDATA[", b"<!--"]
    ),
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=size(40, 1500))
@given(data=st.data())
def test_damaged_files_are_read_or_refused(form: str, data: st.DataObject) -> None:
    """After bytes are removed, added or doubled, a file is read or is invalid input."""
    broken = FORMS[form]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken)))
        lost = data.draw(st.sampled_from([0, 0, 1, 5, 40]))
        broken = broken[:at] + data.draw(PIECES) + broken[at + lost :]
    found: list[Statement] = []
    with suppress(InvalidInput):
        found = read(broken)

    assert all(line.cents for one in found for line in one.lines)


@pytest.mark.parametrize("form", ["camt.053", "ofx 2"])
def test_a_bomb_of_entities_is_refused(form: str) -> None:
    """The file is refused before any entity is expanded."""
    bomb = b"<!DOCTYPE a [<!ENTITY x 'ha'><!ENTITY y '&x;&x;&x;'>]>"
    data = WRITERS[form]([MAY])
    at = data.index(b"<Document" if form == "camt.053" else b"<OFX>")

    with pytest.raises(InvalidInput, match="DTD or entities"):
        read(data[:at] + bomb + data[at:])


def test_deep_nesting_is_refused() -> None:
    """The paths of 50,000 open elements would need gigabytes."""
    data = WRITERS["camt.053"]([MAY])
    at = data.index(b"<Bal>")
    deep = b"<a>" * 50_000 + b"</a>" * 50_000

    with pytest.raises(InvalidInput, match=r"line \d+: elements are nested deeper than 100"):
        read(data[:at] + deep + data[at:])
