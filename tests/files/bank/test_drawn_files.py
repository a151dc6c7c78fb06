"""Files with a known truth: each is read rightly or refused with a reason, none wrongly."""

import pytest

from jara.domain.errors import InvalidInput
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport
from tests.files.bank.drawn_files import Drawn, Truth
from tests.files.bank.drawn_statements import draw
from tests.files.bank.typed_advice import typed
from tests.sizes import IS_FULL

FILES = 2000 if IS_FULL else 60
CHARGES_ALONE = 708
"""A file whose only column with an amount in each row is that of charges."""


def read(drawn: Drawn) -> tuple[list[Truth], FileReport]:
    """Return the lines that are read."""
    report = FileReport(zone=drawn.zone)
    mappings = {} if drawn.mapping is None else {"m": drawn.mapping}
    found = read_statements(
        drawn.data,
        "f",
        report,
        mappings=mappings,
        inverted=drawn.inverted,
        charges=drawn.charges,
    )
    read_lines = [
        Truth(
            one.day,
            one.cents,
            one.fee_cents,
            _without_name(one.text),
            one.is_reversal,
            statement.account,
        )
        for statement in found
        for one in statement.lines
    ]
    return read_lines, report


def _without_name(text: str) -> str:
    """Return the text from the words that are drawn, without what the bank adds."""
    starts = [
        at for word in ("Gift", "Host", "Monthly", "Rent", "Cheque") if (at := text.find(word)) >= 0
    ]
    words = text[min(starts, default=0) :].split()
    end = next((at for at, word in enumerate(words) if word.isdigit() and word != "17"), len(words))
    return " ".join(words[: end + 1])


def faults(drawn: Drawn) -> list[str]:
    """Return what is wrong with the lines that are read.

    Raises:
        InvalidInput: the file is refused.
    """
    lines, report = read(drawn)
    true, wrong = list(drawn.truth), []
    for line in lines:
        if line in true:
            true.remove(line)
        else:
            wrong.append(f"{line} is not true")
    return wrong + ([f"{true} is missing"] if true and not report.rejected else [])


@pytest.mark.parametrize("piece", range(4))
def test_no_file_is_read_wrongly(piece: int) -> None:
    """What is read is true; a file that leaves nothing to guess is read."""
    wrong, refused = [], 0
    numbers = range(piece, FILES, 4)
    for number in numbers:
        drawn = draw(number)
        try:
            wrong += [(number, drawn.name, fault) for fault in faults(drawn)]
        except InvalidInput as error:
            refused += 1
            if drawn.is_told:
                wrong.append((number, drawn.name, error.message))

    assert wrong == []
    assert refused < len(numbers) * 0.7


def test_advice_typed_as_printed_books_right_or_is_refused() -> None:
    """Where the file does not say which sign is money out, nobody can tell but the operator."""
    wrong, right = [], 0
    numbers = [number for number in range(0, FILES * 2, 4) if draw(number).tells_direction]
    for number in {*numbers, CHARGES_ALONE}:
        drawn = draw(number)
        with pytest.raises(InvalidInput) as asked:
            read(drawn._replace(mapping=None))
        message = asked.value.message.replace("FORMAT", f"'{drawn.day_form}'")
        try:
            found = faults(drawn._replace(mapping=typed(message)))
        except InvalidInput:
            continue
        right += not found
        wrong += [(number, fault, message) for fault in found]

    assert wrong == []
    assert right > len(numbers) * 0.3
