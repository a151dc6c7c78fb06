"""``jara ledger import`` and ``export``: all or nothing, each item once, one line per error."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell

HEADER = "entry,date,description,account,fund,amount,reference"
GOOD = [
    HEADER,
    "A1,2026-03-01,Rent,expenses:operations,other,10.00,",
    "A1,2026-03-01,Rent,assets:bank,other,-10.00,",
]


def write(shell: Shell, lines: list[str], *, ending: str = "\n", mark: bytes = b"") -> str:
    """Write a file into the working folder and return its name."""
    path = shell.folder / "books.csv"
    path.write_bytes(mark + (ending.join(lines) + ending).encode())
    return path.name


@pytest.mark.parametrize("form", ["csv", None])
@pytest.mark.parametrize(("ending", "mark"), [("\n", b""), ("\r\n", b"\xef\xbb\xbf")])
def test_a_csv_file_is_known_by_its_header(
    shell: Shell, form: str | None, ending: str, mark: bytes
) -> None:
    """A CSV file is recognised by its header, also with a byte-order mark and CRLF."""
    name = write(shell, GOOD, ending=ending, mark=mark)
    words = ["--format", form] if form else []

    outcome = shell.json("ledger", "import", name, *words)

    assert outcome == {"read": 1, "posted": 1, "skipped": 0, "waiting": [], "rejected": []}


def test_a_decimal_comma_needs_its_option(shell: Shell) -> None:
    """A decimal comma is accepted only with the option for it."""
    lines = [HEADER, 'A1,2026-03-01,Rent,expenses:operations,other,"1.234,50",']
    lines += ['A1,2026-03-01,Rent,assets:bank,other,"-1.234,50",']
    name = write(shell, lines)

    assert shell.run("ledger", "import", name)[0] == ExitCode.USAGE
    assert shell.json("ledger", "import", name, "--decimal", "comma")["posted"] == 1


def test_partial_posts_valid_rows_and_lists_the_others(shell: Shell) -> None:
    """`--partial` posts the valid lines and reports the rejected ones, up to a screenful."""
    bad = [f"B{number},2026-03-01,x,assets:bank,other,1.00," for number in range(25)]
    name = write(shell, [*GOOD, *bad])

    status, out, err = shell.run("ledger", "import", name, "--partial", "--json")

    document = json.loads(out)
    assert (status, document["read"], document["posted"], len(document["rejected"])) == (
        ExitCode.DONE,
        26,
        1,
        25,
    )
    assert f"{name}, line 4: " in err
    assert "... and 5 more." in err


def test_only_stripe_files_are_imported_together(shell: Shell) -> None:
    """Only Stripe reports can be imported several at a time."""
    name = write(shell, GOOD)

    status, _, err = shell.run("ledger", "import", name, name)

    assert (status, "Only Stripe reports" in err) == (ExitCode.USAGE, True)


class SlowPipe(io.RawIOBase):
    """A pipe whose writer changes the books before each piece it writes."""

    def __init__(self, data: bytes, act: Callable[[], None]) -> None:
        """Store the data and the action."""
        self._source = io.BytesIO(data)
        self._act = act

    def readable(self) -> bool:
        """Return true: the pipe is readable."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Return the next piece."""
        self._act()
        return self._source.readinto(buffer)


def test_others_write_while_a_slow_pipe_is_read(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books are locked while entries are posted, not while the import waits for input."""
    store = shell.context().store
    written: list[int] = []

    def write_meanwhile() -> None:
        with store.write() as work:
            work.meta.count_up("test.meanwhile")
        written.append(1)

    rows = [f"A{number}{line[2:]}" for number in range(2000) for line in GOOD[1:]]
    pipe = SlowPipe("\n".join([HEADER, *rows]).encode(), write_meanwhile)
    stdin = io.TextIOWrapper(io.BufferedReader(pipe))
    monkeypatch.setattr("sys.stdin", stdin)

    outcome = shell.json("ledger", "import", "-", "--format", "csv")
    store.close()

    assert outcome["posted"] == 2000
    assert len(written) > 1
