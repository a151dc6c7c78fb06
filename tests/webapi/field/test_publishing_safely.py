"""Publishing a report gives up nothing that the partner sent, and shows nothing too early."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.files.media import keep_photo
from jara.services.content import edit_item
from jara.services.field.publishing import (
    Edited,
    list_reports,
    publish_report,
    refuse_report,
    show_report,
)
from jara.services.operations.start_page import read_start_page
from tests.fakes.clock import FakeClock
from tests.webapi.desk import Desk
from tests.webapi.field.field_world import field_photo, open_phone, publish, report_body
from tests.webapi.field.test_publishing import project_of


def media_of(desk: Desk) -> list[Path]:
    """Return the files that the website serves."""
    folder = desk.application.settings.media_dir
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_report_that_was_not_published_has_no_public_photo(own: Desk) -> None:
    """A mistake of the operator is found before any photo is stored."""
    open_phone(own).send_all(field_photo())

    with pytest.raises(InvalidInput, match="no milestone to complete"):
        publish(own, edited=Edited(completes=True))
    assert media_of(own) == []
    assert project_of(own)["updates"] == []
    assert list_reports(own.application.context, undecided_only=True)


@pytest.mark.parametrize("change", [{"name": "../escaped.jpg"}, {"data": b"another picture"}])
def test_a_photo_that_another_program_changed_goes_nowhere(
    own: Desk, change: dict[str, object]
) -> None:
    """A row, as in a backup, chooses no path, and no other picture has the name of this one."""
    open_phone(own).send_all(field_photo())
    context = own.application.context
    (row,) = list_reports(context, undecided_only=True)
    with context.store.write() as work:
        for name in change:
            work.sql.run(f"UPDATE field_photos SET {name} = :{name}", change)  # noqa: S608 - ours

    uses: list[Callable[[], object]] = [
        lambda: show_report(context, row.id),
        lambda: publish(own),
    ]
    for use in uses:
        with pytest.raises(Unavailable, match="Another program changed a photo"):
            use()
    assert media_of(own) == []


def test_photos_are_taken_back_if_one_cannot_be_stored(own: Desk) -> None:
    """A photo that the website served before stays."""
    phone, before = open_phone(own), field_photo(size=160)
    phone.send_all(before, key="a" * 32)
    publish(own)
    (served,) = media_of(own)
    phone.send_all(before, field_photo(size=161), field_photo(size=162), key="b" * 32)
    stored: list[str] = []

    def keep(name: str, data: bytes) -> Callable[[], None]:
        if len(stored) == 2:
            raise Unavailable("The disk is full.")
        stored.append(name)
        return keep_photo(own.application.settings.media_dir, name, data)

    report = _id_of(own, "b" * 32)
    with pytest.raises(Unavailable, match="full"):
        publish_report(own.application.context, report, Edited(), keep=keep)
    assert media_of(own) == [served]
    assert len(stored) == 2
    assert show_report(own.application.context, report).report.update_id is None


def test_a_report_waits_for_its_photos(own: Desk) -> None:
    """Without them it is published only as the operator says, and the phone hears of it."""
    phone, photo, late = open_phone(own), field_photo(), field_photo(70)
    phone.send(report_body(photo, late))
    phone.send_photo(photo)

    with pytest.raises(Conflict, match="Still on the phone: 1 of 2 photos"):
        publish(own)
    publish(own, edited=Edited(without_missing=True))
    assert [len(one["images"]) for one in project_of(own)["updates"]] == [1]
    (row,) = phone.page().json["reports"]
    assert [one["fault"] for one in row["photos"]] == [
        "",
        "The report was decided before this photo had arrived.",
    ]


def test_a_milestone_that_the_project_lost_is_left_out(own: Desk) -> None:
    """The operator is told; the report keeps what the partner wrote."""
    phone = open_phone(own)
    phone.send_all(field_photo(), milestone="drill")
    pump = {"id": "pump", "title": "The pump", "date": "2026-12-31", "costCents": 5000}
    edit_item(own.application.context, "projects", "wells", {"milestones": [pump]})

    assert show_report(own.application.context, "field_").lost == ("milestone 'drill'",)
    publish(own)
    (update,) = project_of(own)["updates"]
    assert update.get("milestone") is None
    assert show_report(own.application.context, "field_").report.milestone == "drill"


def test_an_operator_corrects_milestone_and_numbers(own: Desk) -> None:
    """What is published is what they say, whatever the partner chose."""
    phone = open_phone(own)
    numbers = [{"measure": "homes", "value": "4120"}]
    phone.send(report_body(milestone="drill", numbers=numbers))
    with pytest.raises(NotFound):
        publish(own, edited=Edited(milestone="roof"))
    with pytest.raises(NotFound):
        publish(own, edited=Edited(numbers={"goats": "3"}))

    publish(own, edited=Edited(milestone="pump", numbers={"homes": "412"}, completes=True))
    page = project_of(own)
    assert [one["actual"] for one in page["measures"]] == [412]
    assert [one.get("completed") for one in page["milestones"]] == [None, True]


def test_an_operator_publishes_no_number(own: Desk) -> None:
    """The text is published alone, and tells of no milestone."""
    phone = open_phone(own)
    numbers = [{"measure": "homes", "value": "4120"}]
    phone.send(report_body(milestone="drill", numbers=numbers))
    publish(own, edited=Edited(milestone="", without_numbers=True))

    page = project_of(own)
    assert [one["actual"] for one in page["measures"]] == [None]
    assert page["updates"][0].get("milestone") is None


def test_reports_with_missing_photos_are_counted_after_three_days(own: Desk) -> None:
    """Until then a phone may be on its way."""
    phone = open_phone(own)
    phone.send(report_body(field_photo()))
    context = own.application.context
    days = [timedelta(days=3), timedelta(days=3, seconds=1)]

    def waiting() -> list[list[str]]:
        later = (replace(context, clock=FakeClock(context.now() + one)) for one in days)
        pages = [read_start_page(one) for one in later]
        return [[one.what for one in page.waiting if "photos" in one.what] for page in pages]

    assert waiting() == [[], ["1 report from the field with missing photos"]]
    refuse_report(context, "field_", reason="Sent again.")
    assert waiting() == [[], []]


def test_counts_of_reports_are_not_negative(own: Desk) -> None:
    """Unless the measure itself begins or ends below zero."""
    degrees = {"id": "degrees", "name": "In the fridge", "target": -2, "by": "2026-12-31"}
    homes = {"id": "homes", "name": "Homes with water", "target": 400, "by": "2026-12-31"}
    phone = open_phone(own, measures=[degrees, homes])

    def send(measure: str) -> int:
        body = report_body(numbers=[{"measure": measure, "value": "-5"}])
        return phone.send(body, key=measure * 4).status_code

    assert (send("homes"), send("degrees")) == (422, 200)
    shown = phone.page().json["reports"]
    assert len(shown) == 1


def _id_of(desk: Desk, key: str) -> str:
    with desk.application.context.store.read() as work:
        reports = work.field.reports(undecided_only=False)
        return next(one.id for one in reports if one.key == key)
