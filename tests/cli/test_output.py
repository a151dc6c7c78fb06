"""Output of commands: one JSON document, or a table that data cannot manipulate."""

import io
import json
import sys
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.documents import json_text
from jara_cli.columns import Column, Kind
from jara_cli.inputs import write_output
from jara_cli.output import WIDE, counted, emit, fold, note, show_line, show_progress, wants_plain
from jara_cli.rich_output import fit_widths

COLUMNS = [
    Column("account", "Account"),
    Column("on", "Day", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
    Column("count", "Entries", Kind.COUNT),
    Column("share", "Share", Kind.PERCENT),
]
ROW = {
    "account": "assets:bank",
    "on": date(2026, 11, 20),
    "cents": -145700,
    "count": 1250,
    "share": 79.9,
}


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return true: a person is watching."""
        return True


def show_on_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int, rows: list[dict[str, object]]
) -> str:
    """Draw a table on a terminal of the given width."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    emit(rows, as_json=False, columns=COLUMNS, total={"account": "Total", "cents": 0})
    return stream.getvalue()


def test_json_is_one_document_in_the_order_given(capsys: pytest.CaptureFixture[str]) -> None:
    """Keys keep their order and text its letters; dates are ISO 8601 and times UTC."""
    document = {
        "name": "Ọlá",
        "at": datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
        "day": date(2026, 11, 20),
        "cents": 1001,
    }

    emit(document, as_json=True, columns=[])

    out = capsys.readouterr().out
    assert out == (
        '{\n  "name": "Ọlá",\n  "at": "2026-11-20T09:30:00Z",\n'
        '  "day": "2026-11-20",\n  "cents": 1001\n}\n'
    )


def test_a_table_shows_instants_to_the_minute(capsys: pytest.CaptureFixture[str]) -> None:
    """A table shows times in UTC without seconds; full ISO 8601 is for programs."""
    at = datetime(2026, 11, 20, 10, 30, 59, tzinfo=timezone(timedelta(hours=1)))

    emit([{"at": at}], as_json=False, columns=[Column("at", "At", Kind.DATE)])

    assert capsys.readouterr().out.splitlines()[-1] == "2026-11-20 09:30"


@pytest.mark.parametrize(
    ("sign", "written"),
    [
        ("\x1b", "\\u001b"),
        ("\x7f", "\\u007f"),
        ("\x9b", "\\u009b"),
        ("\x85", "\\u0085"),
        ("\u202e", "\\u202e"),
        ("\u2066", "\\u2066"),
        ("\u2028", "\\u2028"),
        ("\ufeff", "\\ufeff"),
        ("\udc9b", "\\udc9b"),
        ("\U000e0041", "\\udb40\\udc41"),
    ],
)
def test_json_drives_no_terminal(
    sign: str, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a terminal takes for an order is escaped, and read back as it was."""
    emit({f"k{sign}": f"a{sign}b"}, as_json=True, columns=[])

    out = capsys.readouterr().out
    assert sign not in out
    assert out == f'{{\n  "k{written}": "a{written}b"\n}}\n'
    assert json.loads(out) == {f"k{sign}": f"a{sign}b"}


@given(st.text())
def test_any_text_in_json_is_printable(text: str) -> None:
    """Nothing but lines and printable characters is written, and no text is lost."""
    written = json_text({"text": text}, indent=2)

    assert json.loads(written) == {"text": text}
    hidden = [
        sign for sign in written if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]
    assert set(hidden) <= set("\n\u200c\u200d")


def test_a_file_shown_on_a_terminal_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report or an export is whole in a pipe, and escaped where somebody looks at it."""
    data = "Ọlá\x1b[2J\x9b31m\u202e\r\n\tend\n".encode()
    shown, piped = BinaryStream(is_terminal=True), BinaryStream(is_terminal=False)
    for stream in (shown, piped):
        monkeypatch.setattr(sys, "stdout", stream)
        write_output("-", data)

    assert piped.written == data
    assert shown.written.decode() == "Ọlá\\x1b[2J\\x9b31m\\u202e\r\n\tend\n"


class BinaryStream(io.TextIOWrapper):
    """A standard output that keeps its bytes."""

    def __init__(self, *, is_terminal: bool) -> None:
        """Start empty."""
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding="utf-8")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._is_terminal

    @property
    def written(self) -> bytes:
        """What was written."""
        return self._bytes.getvalue()


def test_json_refuses_unknown_types(capsys: pytest.CaptureFixture[str]) -> None:
    """A value without a JSON form raises an error and never becomes a Python repr."""
    with pytest.raises(TypeError, match="set is not a record"):
        emit({"x": {1}}, as_json=True, columns=[])
    with pytest.raises(TypeError, match="str has no rows"):
        emit("text", as_json=False, columns=COLUMNS)

    assert capsys.readouterr().out == ""


def test_a_table_aligns_figures_at_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    """Amounts and counts are aligned right; a total stands under a rule."""
    small = {"account": "equity", "on": None, "cents": 5, "count": 1, "share": 0.1}

    emit([ROW, small], as_json=False, columns=COLUMNS, total={"account": "Total", "cents": -145695})

    assert capsys.readouterr().out == (
        "Account      Day             Amount  Entries   Share\n"
        "-----------  ----------  ----------  -------  ------\n"
        "assets:bank  2026-11-20  -$1,457.00    1,250  79.9 %\n"
        "equity                        $0.05        1   0.1 %\n"
        "-----------  ----------  ----------  -------  ------\n"
        "Total                    -$1,456.95\n"
    )


def test_an_empty_list_says_so_beside_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty result is reported on standard error; in JSON it is an empty list."""
    emit([], as_json=False, columns=COLUMNS)
    emit([], as_json=True, columns=COLUMNS)

    assert capsys.readouterr() == ("[]\n", "Nothing to show.\n")


def test_piped_tables_cut_nothing_off(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe, every text of a table is complete and on one line."""
    long = "water " * 100

    emit([ROW | {"account": long}], as_json=False, columns=COLUMNS)

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert long.strip() in lines[2]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain Ọlá 水 👩🏾‍🌾", "plain Ọlá 水 👩🏾‍🌾"),
        ("\x1b[2J\x07", "\\x1b[2J\\x07"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("a\nb\tc\u00a0d\r", "a b c d "),
        ("\x9b31m\udcff", "\\x9b31m\\udcff"),
        ("[red]x[/red]", "[red]x[/red]"),
    ],
)
def test_control_characters_take_no_effect(text: str, shown: str) -> None:
    """Control characters in names cannot move the cursor or reverse the text."""
    assert show_line(text) == shown


@given(st.text())
def test_a_shown_text_is_one_printable_line(text: str) -> None:
    """Any text is printed as one line of printable characters."""
    shown = show_line(text)

    assert all(sign.isprintable() or sign in "\u200c\u200d" for sign in shown)


def test_wide_characters_and_accents_keep_columns_aligned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A combining accent has width 0 and a Chinese character width 2."""
    columns = [Column("name", "Name"), Column("n", "N", Kind.COUNT)]
    rows: list[dict[str, object]] = [
        {"name": name, "n": 1} for name in ("水水", "O\u0323la", "abcd")
    ]

    emit(rows, as_json=False, columns=columns)

    assert capsys.readouterr().out.splitlines()[2:] == ["水水  1", "O\u0323la   1", "abcd  1"]


def test_a_terminal_gets_a_table_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long text ends in '…', figures stay complete, and markup is printed literally."""
    shown = show_on_terminal(monkeypatch, 80, [ROW | {"account": f"[red]{'water' * 20}"}])

    assert "[red]water" in shown
    assert "…" in shown
    assert "-$1,457.00" in shown
    assert len(shown.splitlines()) == 5  # heading, line, row, line, total


def test_a_wide_table_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """``--wide`` shortens nothing and leaves nothing out."""
    before = WIDE.set(True)
    try:
        shown = show_on_terminal(monkeypatch, 80, [ROW | {"account": "water " * 40}])
    finally:
        WIDE.reset(before)

    assert ("water " * 40).strip() in shown


def test_a_sentence_breaks_between_words() -> None:
    """A sentence keeps room for its longest word; only words over 30 characters are split."""
    columns = [Column("text", "Text"), Column("why", "Why", Kind.SENTENCE)]
    cells = [["a text " * 10, "Keep only sub_1Double0000000042 in Stripe."], ["", "No."]]

    assert fit_widths(columns, cells, 36) == {0: 13, 1: 21}
    assert fit_widths(columns, [["a text " * 10, "x" * 70]], 46) == {0: 14, 1: 30}


def test_columns_are_left_out_by_rank() -> None:
    """The highest rank goes first, and among equals the last; ids keep a unique prefix."""
    columns = [
        Column("id", "Id", Kind.ID, rank=2),
        Column("email", "Email"),
        Column("since", "Since", Kind.DATE, rank=1),
        Column("cents", "Amount", Kind.CENTS),
    ]
    cells = [
        ["0192edd1-c280-7526", "ama.mensah@example.org", "2026-11-20", "$1,457.00"],
        ["0192edd1-c281-7526", "ben@example.org", "2026-11-20", "$7.00"],
    ]

    assert fit_widths(columns, cells, None) == {0: 18, 1: 22, 2: 10, 3: 9}
    assert fit_widths(columns, cells, 52) == {0: 14, 1: 13, 2: 10, 3: 9}
    assert fit_widths(columns, cells, 50) == {1: 22, 2: 10, 3: 9}
    assert fit_widths(columns, cells, 28) == {1: 17, 3: 9}
    assert fit_widths(columns, cells, 4) == {1: 12}


def test_no_color_leaves_a_terminal_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``NO_COLOR`` a terminal gets no colour."""
    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b[3" not in show_on_terminal(monkeypatch, 100, [ROW])


def test_notes_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Messages go to standard error, apart from the data."""
    note("12 entries\x1b posted.")

    assert capsys.readouterr() == ("", "12 entries\\x1b posted.\n")


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A progress bar is drawn only on a terminal without ``NO_COLOR``."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with show_progress("Reading [rows]", total=2) as advance:
            advance(1)
            advance(1)
        assert drawn == ("Reading [rows]" in stream.getvalue())
    monkeypatch.setenv("NO_COLOR", "1")

    assert wants_plain(Terminal())


def test_counted_items_advance_the_bar() -> None:
    """The bar advances in steps and by the rest at the end; each item is passed on."""
    steps: list[int] = []

    assert list(counted(range(5), steps.append, at_once=2)) == list(range(5))
    assert steps == [2, 2, 1]


def test_long_lines_break_between_words_at_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal, a long value continues below its start; in a file it stays on one line."""
    monkeypatch.setenv("COLUMNS", "45")
    monkeypatch.delenv("NO_COLOR", raising=False)
    said = "Posting     $600.00  expenses:projects:boat-repair (committed)"

    assert [line.removesuffix(" (committed)") for line in fold(said, Terminal(), indent=12)][
        :2
    ] == ["Posting     $600.00", f"{' ' * 12}expenses:projects:boat-repair"]
    assert fold(said, io.StringIO(), indent=12) == [said]
