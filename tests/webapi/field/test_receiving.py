"""Reports from the field arrive once, whole, and are read by nobody else."""

import json
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from jara.domain.field_report import PHOTOS_MAX, PIECE_BYTES_MAX, REPORT_BYTES_MAX, WAITING_MAX
from jara.services.field.partners import make_link, revoke_links
from jara.services.field.publishing import list_reports, refuse_report, show_report
from jara.store.copying import TABLES
from tests.services.stored_rows import rows_of
from tests.webapi.desk import Desk, later, noon_of, refused
from tests.webapi.field.field_world import (
    KEY,
    FieldPhoto,
    Phone,
    add_project,
    code_of,
    field_photo,
    give_link,
    open_phone,
    publish,
    report_body,
)


def only_report(desk: Desk) -> Any:
    """Return the only report, as operators see it."""
    context = desk.application.context
    (row,) = list_reports(context, undecided_only=False)
    return show_report(context, row.id)


def test_the_page_shows_the_project_and_its_open_milestones(own: Desk) -> None:
    """A link opens its project, in the partner's language."""
    phone = open_phone(own)

    assert phone.page().json == {
        "partner": "Maji Safi",
        "language": "fr",
        "project": "wells",
        "projectTitle": "Clean wells",
        "lastDay": "2027-11-20",
        "milestones": [
            {"id": "drill", "title": "Drilling", "dueOn": "2026-11-30"},
            {"id": "pump", "title": "The pump", "dueOn": "2026-12-31"},
        ],
        "measures": [{"id": "homes", "name": "Homes with water", "unit": ""}],
        "reports": [],
        "claims": None,
    }
    assert phone.page().headers["cache-control"] == "no-store"


def test_a_report_waits_once_its_photos_are_here(own: Desk) -> None:
    """Text and photos arrive piece by piece; then the report waits."""
    phone, photo = open_phone(own), field_photo()
    sent = phone.send(report_body(photo, milestone="drill")).json

    assert (sent["state"], sent["photos"]) == (
        "arriving",
        [{"sha256": photo.sha256, "size": len(photo.data), "received": 0, "fault": ""}],
    )
    assert phone.piece(photo).json["photos"][0]["received"] == PIECE_BYTES_MAX
    done = phone.send_photo(photo).json
    assert (done["state"], done["photos"][0]["received"]) == ("waiting", len(photo.data))
    view = only_report(own)
    assert (view.report.milestone, view.report.body.partition("\n")[0]) == (
        "drill",
        "The drill reached water.",
    )
    assert phone.page().json["reports"] == [done]


def test_a_report_sent_twice_arrives_once(own: Desk) -> None:
    """Repeated requests, in any order and through a new link, change nothing."""
    phone, photo = open_phone(own), field_photo()
    first = phone.send_all(photo)
    again = phone.send_all(photo)
    context = own.application.context
    other = Phone(own, code_of(make_link(context, "Maji")))
    elsewhere = other.send_all(photo)

    assert first.json == again.json == elsewhere.json
    assert len(list_reports(context, undecided_only=False)) == 1


def test_another_report_with_the_same_key_is_refused(own: Desk) -> None:
    """A key belongs to one report, so that no text is lost silently."""
    phone = open_phone(own)
    phone.send(report_body())

    assert refused(phone.send(report_body(title="Something else"))) == (409, "report_differs")
    assert only_report(own).report.title == "Water at 62 metres"


def test_a_changed_photo_begins_again(own: Desk) -> None:
    """Bytes that a network changed do not become a photo."""
    phone, photo = open_phone(own), field_photo()
    phone.send(report_body(photo))
    phone.piece(photo, 0, body=b"x" * PIECE_BYTES_MAX)
    for start in range(PIECE_BYTES_MAX, len(photo.data), PIECE_BYTES_MAX):
        answer = phone.piece(photo, start)

    assert (answer.json["state"], answer.json["photos"][0]["received"]) == ("arriving", 0)
    assert phone.send_photo(photo).json["state"] == "waiting"


def test_stored_photos_have_no_metadata(own: Desk) -> None:
    """A photo is drawn anew, named by the hash of what is stored."""
    phone, photo = open_phone(own), field_photo()
    phone.send_all(photo)
    (stored,) = only_report(own).photos
    image = Image.open(BytesIO(stored.data))

    assert dict(image.getexif()) == {}
    assert stored.name == f"{stored.sha256}.jpg"


HEIC = b"\0\0\0\x18ftypheic" + bytes(64)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"%PDF-1.7 not a picture", "neither JPEG, PNG nor WebP"),
        (b"<html><script>alert(1)</script>", "neither JPEG, PNG nor WebP"),
        (HEIC, "HEIC"),
        (("1", (9000, 9000)), "9000 by 9000 pixels"),
        (("L", (7304, 5478)), "7304 by 5478 pixels"),
        (field_photo().data[:2000], "damaged"),
        (b"\xff\xd8\xff" + bytes(500), "damaged"),
        (b"GIF89a" + bytes(500), "neither JPEG, PNG nor WebP"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "neither JPEG, PNG nor WebP"),
    ],
)
def test_files_that_are_no_photos_are_named(
    own: Desk, data: bytes | tuple[str, tuple[int, int]], sentence: str
) -> None:
    """The report goes on without such a file, and says so; a picture may be too large."""
    if isinstance(data, tuple):
        file = BytesIO()
        Image.new(*data).save(file, "PNG")
        data = file.getvalue()
    phone, false, photo = open_phone(own), FieldPhoto(data), field_photo()
    phone.send(report_body(false, photo))
    phone.send_photo(false)
    answer = phone.send_photo(photo).json

    assert answer["state"] == "waiting"
    assert sentence in answer["photos"][0]["fault"]
    assert answer["photos"][1]["fault"] == ""


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": "   "}, "title"),
        ({"title": "x" * 121}, "title"),
        ({"text": ""}, "text"),
        ({"text": "x" * 6001}, "text"),
        ({"milestone": "no-such"}, "milestone"),
        ({"consent": "perhaps"}, "consent"),
        ({"latitude": 91.0, "longitude": 0.0}, "latitude"),
        ({"writtenAt": "yesterday"}, "writtenAt"),
        ({"writtenAt": 1.5}, "writtenAt"),
        ({"numbers": [{"measure": "homes", "value": "many"}]}, "numbers"),
        ({"numbers": [{"measure": "goats", "value": "1"}]}, "numbers"),
        ({"numbers": [{"measure": "homes", "value": "1"}] * 2}, "numbers"),
        ({"photos": [{"sha256": "0" * 64, "size": 9}]}, "consent"),
        ({"photos": [{"sha256": "0" * 64, "size": 9}] * 2, "consent": "yes"}, "photos"),
        ({"photos": [{"sha256": "0" * 64, "size": 0}], "consent": "yes"}, "photos"),
        (
            {"photos": [{"sha256": "0" * 64, "size": REPORT_BYTES_MAX + 1}], "consent": "yes"},
            "photos",
        ),
        (
            {
                "photos": [{"sha256": f"{n:064}", "size": 9} for n in range(PHOTOS_MAX + 1)],
                "consent": "yes",
            },
            "photos",
        ),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_wrong_value_is_refused_by_its_name(
    desk: Desk, changes: dict[str, Any], field: str
) -> None:
    """The answer names the field, and nothing is stored."""
    answer = _shared_phone(desk).send(report_body(**changes))

    assert refused(answer) == (422, "invalid_input")
    assert list(answer.json["fields"]) == [field]
    assert list_reports(desk.application.context, undecided_only=False) == []


_PHONES: dict[int, Phone] = {}


def _shared_phone(desk: Desk) -> Phone:
    if id(desk) not in _PHONES:
        _PHONES[id(desk)] = open_phone(desk)
    return _PHONES[id(desk)]


def test_a_place_is_kept_to_a_kilometre(own: Desk) -> None:
    """Nobody can find a house by it."""
    phone = open_phone(own)
    phone.send(report_body(latitude=-1.292066, longitude=36.821945))

    assert only_report(own).report.place == "-1.29, 36.82"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (noon_of(18), "2026-11-18"),
        (noon_of(20) + timedelta(hours=8), "2026-11-20"),
        (noon_of(20) + timedelta(days=2000), "2026-11-20"),
        (datetime(1970, 1, 1, tzinfo=UTC), "2026-11-20"),
        (datetime(1969, 3, 4, tzinfo=UTC), "2026-11-20"),
        (-(2**53), "2026-11-20"),
        (2**53, "2026-11-20"),
        (None, "2026-11-20"),
    ],
)
def test_a_wrong_clock_does_not_count(own: Desk, told: datetime | int | None, kept: str) -> None:
    """A phone's clock that cannot be right is replaced by the server's."""
    phone = open_phone(own)
    second = int(told.timestamp()) if isinstance(told, datetime) else told
    phone.send(report_body(writtenAt=second))

    assert f"{only_report(own).report.written_at:%Y-%m-%d}" == kept


def test_bytes_after_a_photo_are_dropped(own: Desk) -> None:
    """The stored file has the pixels only, whatever follows them or stands among them."""
    hidden = b"<script>alert(1)</script>"
    photo = FieldPhoto(field_photo().data + hidden)
    phone = open_phone(own)
    phone.send_all(photo)
    (stored,) = only_report(own).photos

    assert (stored.fault, hidden in stored.data) == ("", False)


def test_control_characters_become_spaces(own: Desk) -> None:
    """What a phone pasted can be published as it is: one line, and plain paragraphs."""
    phone = open_phone(own)
    answer = phone.send(
        report_body(title="Water\x01 at\n62\x1b m", text="One\x07.\r\n\n\tTwo\x85.")
    )
    report = only_report(own).report

    assert answer.status_code == 200
    assert (report.title, report.body) == ("Water at 62 m", "One .\n\n\tTwo .")
    publish(own)
    (shown,) = own.get("/projects/wells").json["updates"]
    assert (shown["title"], shown["content"]) == ("Water at 62 m", "<p>One .</p><p>Two .</p>")


def test_links_end_are_revoked_and_cannot_be_guessed(own: Desk) -> None:
    """Each refusal has its name; what is wrong with the link is said."""
    phone = open_phone(own)
    phone.send(report_body())
    stranger = Phone(own, phone.code[:-1] + ("B" if phone.code.endswith("A") else "A"))
    for call in (
        stranger.page,
        lambda: stranger.send(report_body()),
        lambda: stranger.piece(field_photo()),
    ):
        assert refused(call()) == (404, "link_unknown")
    later(own, days=366)
    assert refused(phone.page()) == (403, "link_expired")
    assert refused(phone.send(report_body(), "another-phone-key-2")) == (403, "link_expired")
    renewed = Phone(own, code_of(make_link(own.application.context, "Maji")))
    assert len(renewed.page().json["reports"]) == 1
    revoke_links(own.application.context, "Maji")
    assert refused(renewed.page()) == (403, "link_revoked")
    assert refused(renewed.send(report_body())) == (403, "link_revoked")
    assert refused(renewed.piece(field_photo())) == (403, "link_revoked")


def test_a_link_opens_its_own_reports_only(own: Desk) -> None:
    """Neither another project of the same partner nor another partner is readable."""
    roof = {"id": "roof-of-wells", "title": "Roof", "date": "2026-12-31", "costCents": 1}
    phone, photo = open_phone(own, milestones=[roof]), field_photo()
    phone.send(report_body(photo))
    add_project(own, id="school", slug="school", title="A school")
    context = own.application.context
    others = [
        Phone(own, code_of(make_link(context, "Maji", project="school"))),
        Phone(own, code_of(give_link(own, "Shule Bora", "wells"))),
    ]
    for other in others:
        assert other.page().json["reports"] == []
        assert refused(other.piece(photo)) == (404, "not_found")
        if other.page().json["project"] == "school":
            foreign = other.send(report_body(milestone="roof-of-wells"))
            assert list(foreign.json["fields"]) == ["milestone"]
        assert other.send(report_body(title="Mine")).json["title"] == "Mine"
    titles = [one.title for one in list_reports(context, undecided_only=True)]
    assert sorted(titles) == ["Mine", "Mine", "Water at 62 metres"]


def test_nothing_of_a_waiting_report_is_public(own: Desk) -> None:
    """No page, no address and no cache changes before an operator publishes it."""
    phone, photo = open_phone(own), field_photo()
    before = own.get("/projects/wells").json
    phone.send_all(photo, milestone="drill")
    (stored,) = only_report(own).photos
    media = own.client.simulate_get(f"/media/{stored.name}")
    feed = own.get("/feed.xml").text

    assert own.get("/projects/wells").json == before
    assert media.status_code == 404
    assert "62 metres" not in feed


def test_a_refusal_reaches_the_partner_with_its_reason(own: Desk) -> None:
    """The photos are deleted, the reason is shown."""
    phone, photo = open_phone(own), field_photo()
    phone.send_all(photo)
    refuse_report(own.application.context, "field_", reason="Another village.")
    (shown,) = phone.page().json["reports"]

    assert (shown["state"], shown["reason"]) == ("refused", "Another village.")
    assert [one.data for one in only_report(own).photos] == [None]
    assert phone.send_all(photo).json["state"] == "refused"


def test_so_many_reports_wait_and_no_more(own: Desk) -> None:
    """A full tray is said, and the report stays on the phone until there is room."""
    phone = open_phone(own)
    for number in range(WAITING_MAX):
        phone.send(report_body(), f"phone-made-key-{number:04}")
    more = "phone-made-key-more"
    assert refused(phone.send(report_body(), more)) == (409, "too_many_waiting")
    context = own.application.context
    refuse_report(context, list_reports(context, undecided_only=True)[0].id, reason="Empty.")
    assert phone.send(report_body(), more).status_code == 200


@pytest.mark.parametrize("key", ["short", "has space in the key", "x" * 65, "<script>alert(1)"])
def test_a_key_has_plain_characters(own: Desk, key: str) -> None:
    """A key is the phone's own; anything else is refused."""
    answer = open_phone(own).send(report_body(), key)

    assert answer.status_code in {404, 422}


@pytest.mark.parametrize(
    ("start", "data", "status"),
    [(0, b"", 422), (10**9, b"x", 422), (-1, b"x", 422), (0, b"x" * (PIECE_BYTES_MAX + 1), 413)],
)
def test_pieces_fit_into_their_photo(own: Desk, start: int, data: bytes, status: int) -> None:
    """Too long, negative or empty pieces are refused."""
    phone, photo = open_phone(own), field_photo()
    phone.send(report_body(photo))

    assert phone.piece(photo, start, body=data).status_code == status


def test_a_photo_that_was_not_announced_is_refused(own: Desk) -> None:
    """A link stores nothing but the photos of its reports."""
    phone, photo = open_phone(own), field_photo()
    assert refused(phone.piece(photo)) == (404, "not_found")
    phone.send(report_body())
    assert refused(phone.piece(photo)) == (404, "not_found")


def test_the_code_of_a_link_is_stored_nowhere(own: Desk) -> None:
    """The database has only its hash."""
    phone = open_phone(own)
    phone.send_all(field_photo())
    context = own.application.context
    rows = [str(row) for table in TABLES for row in rows_of(context, table)]

    assert rows
    assert not [row for row in rows if phone.code in row]
    assert KEY in json.dumps(rows)
