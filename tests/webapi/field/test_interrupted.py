"""Sends that are cut at any point, from two windows: nothing is lost, nothing is doubled."""

import threading
from pathlib import Path
from random import Random

from jara.domain.errors import Busy
from jara.domain.field_report import PIECE_BYTES_MAX, ReportState
from jara.files.drawing_turns import AT_ONCE, WAITING
from jara.services.field.arriving import Redraw, SentReport, receive_piece
from jara.services.field.partners import Caller
from jara.services.field.publishing import list_reports, refuse_report, show_report
from tests.places import so_many
from tests.sizes import IS_FULL, PATIENCE_SECONDS, size
from tests.webapi.desk import Desk, open_desk
from tests.webapi.field.field_world import (
    KEY,
    FieldPhoto,
    Phone,
    field_photo,
    open_phone,
    report_body,
)

SENDS = size(60, 2000, full=1000)


class CutPhone:
    """A phone whose requests, or the answers to them, are lost most of the time."""

    def __init__(self, phone: Phone, chance: Random) -> None:
        self.phone = phone
        self.chance = chance

    def step(self, key: str, title: str, photo: FieldPhoto) -> bool:
        """Send what the phone believes is missing; return whether it learnt that all is there."""
        if self.chance.random() < 0.3:
            return False  # the request was lost
        sent = self.phone.send(report_body(photo, title=title), key).json
        if self.chance.random() < 0.3:
            return False  # the answer was lost
        at = sent["photos"][0]["received"]
        while sent["state"] == "arriving":
            if self.chance.random() < 0.3:
                return False
            sent = self.phone.piece(photo, at, key).json
            if self.chance.random() < 0.3:
                return False
            at = sent["photos"][0]["received"]
        return True


def test_interrupted_sends_lose_and_double_nothing(place: Path) -> None:
    """Each report arrives once with its photo, whatever was cut and sent again."""
    chance = Random(44)
    photos = [field_photo(colour, size=200) for colour in (40, 60, 80)]
    assert all(len(photo.data) < 4 * PIECE_BYTES_MAX for photo in photos)
    own = open_desk(place, limit_field_link="1000000/h")
    phone = open_phone(own)
    windows = [CutPhone(phone, chance) for _ in range(2)]
    context = own.application.context
    sends = SENDS if IS_FULL else so_many(SENDS, place)
    for number in range(sends):
        key, photo = f"phone-made-key-{number:05}", chance.choice(photos)
        while not chance.choice(windows).step(key, f"Report {number}", photo):
            pass
        arrived = list_reports(context, undecided_only=True)
        assert [(one.title, one.photos, one.state) for one in arrived] == [
            (f"Report {number}", 1, "waiting")
        ]
        (kept,) = show_report(context, arrived[0].id).photos
        assert (kept.fault, len(kept.data or b"") > 0) == ("", True)
        refuse_report(context, arrived[0].id, reason="Read.")

    titles = [one.title for one in list_reports(context, undecided_only=False)]
    assert sorted(titles) == sorted(f"Report {number}" for number in range(sends))


def send_whole(own: Desk, phone: Phone, photo: FieldPhoto, redraw: Redraw) -> SentReport:
    """Send a photo as one piece, which is drawn by a function of the test."""
    return receive_piece(
        own.application.context,
        own.application.limits,
        Caller(phone.code, "192.0.2.1"),
        KEY,
        photo.sha256,
        start=0,
        data=photo.data,
        redraw=redraw,
        turn=own.application.drawing_turns.take,
    )


def test_a_report_that_is_refused_while_its_photo_is_drawn_stays_refused(own: Desk) -> None:
    """Drawing takes a moment; the photo that comes out of it is not stored any more."""
    phone, photo = open_phone(own), field_photo(size=60)
    phone.send(report_body(photo))
    context = own.application.context

    def refuse_meanwhile(data: bytes) -> tuple[str, bytes]:
        refuse_report(context, "field_", reason="Sent twice.")
        return "drawn.jpg", data

    answer = send_whole(own, phone, photo, refuse_meanwhile)
    photos = show_report(context, "field_").photos

    assert (answer.state, answer.reason) == (ReportState.REFUSED, "Sent twice.")
    assert [(one.name, one.data) for one in photos] == [("", None)]


def test_the_last_piece_sent_many_times_is_drawn_once(own: Desk) -> None:
    """A large photo takes 200 MB while it is drawn: a few requests wait, the others come again."""
    phone, photo = open_phone(own), field_photo(size=60)
    phone.send(report_body(photo))
    drawn, refused = [], []
    all_asked = threading.Event()

    def redraw(data: bytes) -> tuple[str, bytes]:
        assert all_asked.wait(PATIENCE_SECONDS)
        drawn.append(data)
        return "drawn.jpg", data

    def send() -> None:
        try:
            send_whole(own, phone, photo, redraw)
        except Busy:
            refused.append(KEY)
            if len(refused) == len(threads) - AT_ONCE - WAITING:
                all_asked.set()

    threads = [threading.Thread(target=send) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert drawn == [photo.data]
    assert len(refused) == 16 - AT_ONCE - WAITING


def test_a_photo_that_waits_for_its_turn_is_asked_for_again(own: Desk) -> None:
    """The phone sends the last byte again, and so gets the photo drawn."""
    phone, photo = open_phone(own), field_photo(size=60)
    phone.send(report_body(photo))
    places = own.application.drawing_turns._turns._places
    for _ in range(AT_ONCE + WAITING):
        places.acquire()
    busy = phone.piece(photo)
    places.release(AT_ONCE + WAITING)

    again = phone.send(report_body(photo)).json
    last = phone.piece(photo, start=again["photos"][0]["received"]).json

    assert (busy.status_code, busy.headers["retry-after"] != "") == (503, True)
    assert again["photos"][0]["received"] == len(photo.data) - 1
    assert last["state"] == "waiting"
