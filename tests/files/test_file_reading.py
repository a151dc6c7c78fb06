"""Text tables: decoded strictly, in bounded memory."""

from io import BytesIO

import pytest

from jara.domain.errors import InvalidInput
from jara.files.reading import LINE_BYTES_MAX, read_table


def test_byte_order_mark_crlf_and_blank_lines_are_no_error() -> None:
    """Artefacts of spreadsheet programs are ignored."""
    table = read_table(BytesIO(b'\xef\xbb\xbfa,b\r\n\r\n1,"x\r\ny"\r\n2,z'), "f.csv")

    assert table.header == ["a", "b"]
    assert list(table.rows) == [(3, ["1", "x\r\ny"]), (5, ["2", "z"])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f.csv is empty; its first line should name the columns."),
        (
            b"a,b\n1,\xff\n",
            "f.csv, line 2: byte 0xff is not UTF-8; save the file as UTF-8 and try again.",
        ),
        (b"a,b\n1,\0\n", "f.csv, line 2: the line contains a zero byte."),
        (
            b'a,b\n1,2\n1,"never closed\n2,3\n',
            "f.csv, line 3: the line is not CSV (unexpected end of data); check its quotes.",
        ),
        (b"a" * (LINE_BYTES_MAX + 1), "f.csv, line 1: the line is longer than 1 MiB."),
        (
            b'a,b\n1,"' + b"x\n" * 100_000,
            (
                "f.csv, line 2: the line is not CSV (field larger than field limit (131072)); "
                "check its quotes."
            ),
        ),
    ],
    ids=["empty", "not UTF-8", "zero byte", "open quote", "long line", "long cell"],
)
def test_files_broken_as_a_whole_are_refused_by_line(content: bytes, message: str) -> None:
    """A file with such an error is refused as a whole, with the line."""
    with pytest.raises(InvalidInput) as refusal:
        list(read_table(BytesIO(content), "f.csv").rows)

    assert refusal.value.message == message
