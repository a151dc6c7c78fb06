"""Statements in a ZIP or another encoding, and files that are no statements."""

from datetime import date

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.time_zone import parse_time_zone
from jara.files.bank import reader
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.reader import read_statements
from jara.files.bank.writing import sample_mapping, write_camt
from jara.files.encodings import decoded
from jara.files.reading import FileReport
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.files.bank.written_statements import WRITERS, read, zipped

MAY = a_statement(a_line(1000, "GIFT ÉLOÏSE", day=4), a_line(-250, "FEE", day=5), opening=100)
JUNE = a_statement(a_line(700, "GIFT JÖRG", day=33), opening=850, last=MAY.last_day)


@pytest.mark.parametrize("form", WRITERS)
def test_the_statements_of_a_zip_are_read(form: str) -> None:
    """They are read in the order of their names, and each keeps the name of its file."""
    write = WRITERS[form]
    found = read(zipped(b=write([JUNE]), a=write([MAY]), readme=b"%PDF-1.7", **{"folder/c": b" "}))

    assert [one.file for one in found] == ["a", "b"]
    assert [[line.cents for line in one.lines] for one in found] == [[1000, -250], [700]]


def test_other_files_in_a_zip_are_listed() -> None:
    """Files for macOS are not; messages name the file inside."""
    report = FileReport()
    euro = write_camt([MAY]).replace(b'Ccy="USD">10.00', b'Ccy="EUR">10.00')
    read(zipped(a=euro, b=b"%PDF-1.7", **{"__MACOSX/a": b"x", ".DS_Store": b"x"}), report)

    assert [one.message for one in report.left_out] == ["b is a PDF; left out"]
    assert [one.message for one in report.rejected] == ["a: the amount is in EUR, not USD."]


def test_a_file_in_a_zip_is_read_as_it_is_alone() -> None:
    """Its instants are days in the organisation's zone, and a guessed encoding is printed."""
    mapping = CsvMapping(
        account="1000200030",
        date="Day",
        date_format="%Y-%m-%dT%H:%M:%S%z",
        amount="Sum",
        text=("Text",),
    )
    data = "Day;Sum;Text\n2026-01-01T02:00:00+0000;10.00;H\xe9bergeur\n".encode("cp1252")
    reports = [FileReport(zone=parse_time_zone("America/Toronto")) for _ in range(2)]
    alone, packed = (
        list(read_statements(one, "may", report, mappings={"m": mapping}))
        for one, report in zip((data, zipped(a=data)), reports, strict=True)
    )

    assert [one.lines[0].day for one in (*alone, *packed)] == [date(2025, 12, 31)] * 2
    assert ["Hébergeur" in report.notes[0] for report in reports] == [True, True]


def test_a_fault_inside_a_zip_is_named() -> None:
    """The message names the archive, the file and the line."""
    data = zipped(a=write_camt([MAY]).replace(b">10.00<", b">ten<"))

    with pytest.raises(InvalidInput, match="may/a, line 7: 'ten' is not an amount"):
        read(data)


def test_a_zip_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what the reason is and what to do."""
    whole = zipped(a=write_camt([MAY]))
    locked = bytearray(whole)
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    monkeypatch.setattr(reader, "BYTES_MAX", 1 << 20)
    refused = {
        "may is damaged": [
            whole[:-30],
            whole.replace(b"<", b">"),
            b"PK\x03\x04",
            whole[:60],
        ],
        "may holds another ZIP, in; unpack it first": [zipped(**{"in": whole})],
        "may holds more than 1 MiB; import it in parts": [zipped(a=b" " * 5_000_000)],
        "may is locked with a password": [bytes(locked)],
        "may holds more than 1,000 files": [zipped(**{str(n): b"" for n in range(1_001)})],
        "may is a document of Excel or Word": [zipped(**{"[Content_Types].xml": b"<Types/>"})],
        "may is a document of LibreOffice": [zipped(mimetype=b"application")],
    }
    broken = bytearray(whole)
    broken[45] ^= 255
    refused["may is damaged"].append(bytes(broken))
    for message, files in refused.items():
        for data in files:
            with pytest.raises(InvalidInput, match=message):
                read(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.7 text", "may is a PDF, not a statement; ask the bank for CAMT.053, MT940"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "may is a document of Excel or Word"),
        (b"\x1f\x8b\x08", "may is compressed with gzip; unpack it first"),
        (b"\n<!DOCTYPE html><html>", "may is a web page"),
        (b"<HTML><table>", "may is a web page"),
        (b"\x89PNG\r\n", "may is a picture"),
        (b"!Type:Bank\nD5/4'26\nT10.00\n^\n", "may is a file of QIF"),
        (write_camt([MAY]).replace(b"camt.053", b"pain.001"), "this is pain.001.001.08, not a st"),
        (write_camt([MAY]).replace(b"camt.053", b"camt.054"), "this is camt.054.001.08, not a st"),
    ],
)
def test_a_file_of_another_kind_is_named(data: bytes, message: str) -> None:
    """The message says what the file is and what to ask for."""
    with pytest.raises(InvalidInput, match=message):
        read(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("form", WRITERS)
def test_unicode_is_detected(form: str, encoding: str) -> None:
    """With a mark or without one, whatever the file declares."""
    own = {"camt.053": "utf-8", "ofx 2": "utf-8"}.get(form, "cp1252")
    data = WRITERS[form]([MAY]).decode(own).encode(encoding)
    report = FileReport()
    mappings = {"sample": sample_mapping(NUMBER)}
    named = "utf-8" if form == "csv" and encoding.startswith("utf-8") else None
    found = list(read_statements(data, "may", report, mappings=mappings, encoding=named))

    assert found[0].lines[0].text == "GIFT ÉLOÏSE"


@pytest.mark.parametrize("encoding", ["cp1252", "cp850"])
def test_the_encodings_of_windows_and_dos_are_told_apart(encoding: str) -> None:
    """By the signs beside letters, which are letters in one of them only."""
    text = WRITERS["mt940"]([JUNE]).decode("cp1252")

    assert read(text.encode(encoding))[0].lines[0].text == "GIFT JÖRG"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1250", "Łukasz Nowak"),
        ("cp1250", "Wąsik Jan"),
        ("cp1250", "Ewa MĄDRA"),
        ("iso8859_2", "Łukasz Nowak"),
        ("iso8859_2", "Ewa MĄDRA"),
        ("cp850", "Raúl Díaz"),
        ("cp850", "María"),
        ("cp850", "Zoé Lefèvre"),
        ("cp1252", "Zoé Lefèvre, 20 m² für £5"),
    ],
)
def test_a_name_of_one_word_tells_the_encoding(encoding: str, name: str) -> None:
    """DOS comes last: few files are in it, and its letters are those of other names elsewhere."""
    notes: list[str] = []

    assert decoded(name.encode(encoding), notes=notes) == name
    assert "which is a guess" in notes[0]


@pytest.mark.parametrize("form", WRITERS)
def test_an_encoding_can_be_named(form: str) -> None:
    """It counts more than what the file declares or the mapping says."""
    own = {"camt.053": "utf-8", "ofx 2": "utf-8"}.get(form, "cp1252")
    data = WRITERS[form]([JUNE]).decode(own).encode("cp437")
    mappings = {"sample": sample_mapping(NUMBER)}

    found = read_statements(data, "f", FileReport(), mappings=mappings, encoding="cp437")
    assert next(found).lines[0].text == "GIFT JÖRG"
    with pytest.raises(InvalidInput, match=r"f, line \d+: byte 0x99 is not ascii; name the file's"):
        list(read_statements(data, "f", FileReport(), mappings=mappings, encoding="ascii"))
    with pytest.raises(InvalidInput, match="'klingon' is not an encoding"):
        read_statements(data, "f", FileReport(), mappings=mappings, encoding="klingon")


def test_xml_in_another_encoding_than_it_declares_says_so() -> None:
    """The message names the option that helps."""
    data = write_camt([MAY]).decode().encode("cp1252")

    with pytest.raises(InvalidInput, match=r"line 8: the file is not XML .* with --encoding"):
        read(data)
