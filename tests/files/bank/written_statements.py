"""Statements in each format, for the tests of the bank."""

import io
import zipfile
from collections.abc import Callable, Sequence
from functools import partial

from jara.domain.bank.statement import Statement
from jara.files.bank.reader import read_statements
from jara.files.bank.writing import sample_mapping, write_camt, write_csv, write_mt940, write_ofx
from jara.files.reading import FileReport
from tests.domain.bank.bank_lines import NUMBER

WRITERS: dict[str, Callable[[Sequence[Statement]], bytes]] = {
    "camt.053": write_camt,
    "mt940": write_mt940,
    "ofx": write_ofx,
    "ofx 2": partial(write_ofx, version=2),
    "csv": write_csv,
}


def read(data: bytes, report: FileReport | None = None) -> list[Statement]:
    """Read a file as the command line does."""
    mappings = {"sample": sample_mapping(NUMBER)}
    return list(read_statements(data, "may", report or FileReport(), mappings=mappings))


def zipped(**files: bytes) -> bytes:
    """Return a ZIP of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()
