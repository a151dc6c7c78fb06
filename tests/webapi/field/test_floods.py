"""What a partner's link cannot do, however often it is used: with the limits as they are set."""

import tracemalloc
from pathlib import Path

import pytest

from jara.domain.field_report import PIECE_BYTES_MAX, REPORT_BYTES_MAX
from tests.places import rows_of
from tests.sizes import size
from tests.webapi.calls import CALLS, Known
from tests.webapi.desk import Desk, open_desk
from tests.webapi.field.field_world import FieldPhoto, Phone, open_phone, report_body

PER_LINK, PER_NETWORK = size(50, 2000, full=2000), 30
"""The limits as docs/security.md states them; an ordinary run has a lower one for each link."""
REQUESTS = PER_LINK + size(100, 8_000, full=8_000)
GUESSES = size(60, 10_000, full=10_000)
ANSWER_BYTES_MAX = 600
MEMORY_MAX = 1 << 20


@pytest.fixture(scope="module")
def code(desk: Desk) -> str:
    """The code of a partner's link."""
    return open_phone(desk).code


@pytest.mark.slow
def test_the_limit_of_a_link_stops_a_flood(place: Path) -> None:
    """The limit of a link holds, answers stay short, and nothing piles up."""
    own = open_desk(place, limit_field_link=f"{PER_LINK}/h")
    phone = open_phone(own)
    rows = rows_of(own.application.database)
    answers = [_answer(phone) for _ in range(PER_LINK)]
    tracemalloc.start()
    answers += [_answer(phone) for _ in range(REQUESTS - PER_LINK)]
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    statuses = [status for status, _ in answers]
    assert statuses == [200] * PER_LINK + [429] * (REQUESTS - PER_LINK)
    assert max(length for _, length in answers) < ANSWER_BYTES_MAX
    assert grown < MEMORY_MAX
    assert rows_of(own.application.database) == rows


def _answer(phone: Phone) -> tuple[int, int]:
    answer = phone.page()
    return answer.status_code, len(answer.content)


@pytest.mark.slow
def test_the_limit_of_a_network_stops_guesses(own: Desk) -> None:
    """Each guess is another link; the network stops at its limit, with a row for each guess."""
    phone = open_phone(own)
    before = rows_of(own.application.database)
    statuses = [Phone(own, f"guess{number:040}").page().status_code for number in range(GUESSES)]
    after = rows_of(own.application.database)
    more = {table: len(after[table]) - len(before[table]) for table in after}

    assert statuses == [404] * PER_NETWORK + [429] * (GUESSES - PER_NETWORK)
    assert {table: count for table, count in more.items() if count} == {"limit_uses": PER_NETWORK}
    assert phone.send(report_body()).status_code == 200


def test_a_photo_takes_no_more_room_than_it_has_bytes(own: Desk) -> None:
    """Pieces that overlap or leave gaps do not pile up in the database."""
    phone, photo = open_phone(own), FieldPhoto(bytes(REPORT_BYTES_MAX))
    phone.send(report_body(photo))
    for start in range(200):
        phone.piece(photo, start, body=bytes(PIECE_BYTES_MAX))
    for start in range(PIECE_BYTES_MAX * 3, PIECE_BYTES_MAX * 4, 100):
        phone.piece(photo, start, body=bytes(PIECE_BYTES_MAX))
    with own.application.database.transaction(write=False) as sql:
        stored = sum(len(row[0]) for row in sql.all("SELECT data FROM field_pieces"))

    assert stored <= photo.announced["size"]
    (received,) = phone.page().json["reports"][0]["photos"]
    assert received["received"] == stored


@pytest.mark.parametrize(
    "known",
    [call for call in CALLS if call.access in {"more", "member"}],
    ids=lambda call: f"{call.method} {call.path}",
)
def test_a_link_does_not_sign_in(desk: Desk, code: str, known: Known) -> None:
    """Wherever a member's token counts, the code of a link opens nothing."""
    for headers in ({"Authorization": f"Bearer {code}"}, {"token": code}):
        answer = desk.call(
            known.method, known.address, known.body, query_string=known.query, headers=headers
        )

        assert answer.status_code == 401
