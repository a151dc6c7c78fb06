"""A report becomes public only by an operator, with its photos as evidence."""

from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import Language
from jara.services.content import edit_item
from jara.services.field.publishing import Edited, list_reports, refuse_report, show_report
from tests.webapi.desk import Desk
from tests.webapi.field.field_world import PROJECT, field_photo, open_phone, publish, report_body

HTML = "<img src=x onerror=alert(1)>&\"'</p><script>alert(1)</script>"


def project_of(desk: Desk) -> dict[str, Any]:
    """Return the project's page as visitors get it."""
    document: dict[str, Any] = desk.get("/projects/wells").json
    return document


def test_publishing_makes_an_update_and_evidence(own: Desk) -> None:
    """The update has text, photos and place; the milestone has the photos with their hashes."""
    phone, photo = open_phone(own), field_photo()
    phone.send_all(photo, milestone="drill", latitude=-1.292, longitude=36.822)
    update = publish(own)
    (shown,) = project_of(own)["updates"]

    assert {key: shown.get(key) for key in ("title", "author", "date", "content", "place")} == {
        "title": "Water at 62 metres",
        "author": "Maji Safi",
        "date": "2026-11-20",
        "content": "<p>The drill reached water.</p><p>Everybody came to see it.</p>",
        "place": "-1.29, 36.82",
    }
    (address,) = shown["images"]
    drill = project_of(own)["milestones"][0]
    served = own.client.simulate_get(address)
    assert drill["evidence"] == [
        {"path": address, "sha256": sha256(served.content).hexdigest(), "isImage": True}
    ]
    assert Image.open(BytesIO(served.content)).size == (640, 480)
    assert "completed" not in drill
    (row,) = phone.page().json["reports"]
    assert row["state"] == "published"
    view = show_report(own.application.context, "field_")
    assert view.report.update_id == update.id


def test_a_published_report_keeps_the_original_text(own: Desk) -> None:
    """An operator edits title, text and day; the report keeps its own."""
    phone = open_phone(own)
    phone.send(report_body())
    day = own.application.context.today().replace(day=18)
    update = publish(own, edited=Edited(title="Water!", text="Shorter.", day=day))
    view = show_report(own.application.context, "field_")

    assert (update.doc["title"], update.doc["content"], update.doc["date"]) == (
        "Water!",
        "<p>Shorter.</p>",
        "2026-11-18",
    )
    assert (view.report.title, view.report.body.partition("\n")[0]) == (
        "Water at 62 metres",
        "The drill reached water.",
    )
    assert view.published == dict(update.doc)


@pytest.mark.parametrize(("chosen", "language"), [(None, "fr"), (Language("en"), "en")])
def test_an_update_is_in_the_language_of_its_partner(
    own: Desk, chosen: Language | None, language: str
) -> None:
    """Unless an operator names another, as for a text of their own."""
    phone = open_phone(own)
    phone.send(report_body())
    publish(own, edited=Edited(language=chosen))

    assert [one["language"] for one in project_of(own)["updates"]] == [language]


def test_the_operator_may_complete_the_milestone_as_well(own: Desk) -> None:
    """Only on request, for it unlocks the next tranche."""
    phone = open_phone(own)
    phone.send(report_body(milestone="drill"))
    publish(own, edited=Edited(completes=True))

    assert project_of(own)["milestones"][0]["completedOn"] == "2026-11-20"
    assert project_of(own)["updates"][0]["milestone"] == "drill"
    with own.application.context.store.read() as work:
        now = own.application.context.now()
        news = work.news.between(now - timedelta(days=1), now + timedelta(days=1))
    assert [item.kind for item in news] == ["milestone"]


def test_photos_without_consent_are_never_published(own: Desk) -> None:
    """A no to the question counts for every way of publishing."""
    phone, photo = open_phone(own), field_photo()
    phone.send_all(photo, consent="no", milestone="drill")
    publish(own)

    assert "images" not in project_of(own)["updates"][0]
    assert project_of(own)["milestones"][0]["evidence"] == []


def test_a_report_is_decided_once(own: Desk) -> None:
    """What is published or refused stays so."""
    phone = open_phone(own)
    phone.send(report_body())
    publish(own)

    with pytest.raises(Conflict, match="published already as the update 'wells-"):
        publish(own)
    with pytest.raises(Conflict, match="published already"):
        refuse_report(own.application.context, "field_", reason="Late.")
    assert len(project_of(own)["updates"]) == 1


def test_html_in_every_field_stays_text(own: Desk) -> None:
    """What a partner writes is never markup on the site."""
    phone = open_phone(own)
    phone.send(report_body(title=HTML, text=HTML))
    publish(own)
    (shown,) = project_of(own)["updates"]

    assert shown["title"] == HTML
    assert "<script" not in shown["content"]
    assert "<img" not in shown["content"]
    assert "onerror=alert(1)&gt;" in shown["content"]


def test_the_photos_are_deleted_from_the_database_once_published(own: Desk) -> None:
    """The media folder has them; the report keeps their names."""
    phone, photo = open_phone(own), field_photo()
    phone.send_all(photo)
    publish(own)
    (stored,) = show_report(own.application.context, "field_").photos

    assert stored.data is None
    assert (own.application.settings.media_dir / stored.name).is_file()


def test_an_update_is_not_dated_later_than_today(own: Desk) -> None:
    """The mistake is named, and the report waits on."""
    phone = open_phone(own)
    phone.send(report_body())
    tomorrow = own.application.context.today() + timedelta(days=1)

    with pytest.raises(InvalidInput, match="cannot be dated 2026-11-21"):
        publish(own, edited=Edited(day=tomorrow))
    assert project_of(own)["updates"] == []
    assert len(list_reports(own.application.context, undecided_only=True)) == 1


def test_a_refusal_has_a_reason(own: Desk) -> None:
    """The partner reads it, so blanks are none."""
    phone = open_phone(own)
    phone.send(report_body())

    with pytest.raises(InvalidInput, match="Say why"):
        refuse_report(own.application.context, "field_", reason=" ")
    assert phone.page().json["reports"][0]["state"] == "waiting"


def test_a_measure_that_the_project_lost_is_left_out(own: Desk) -> None:
    """The report is published with the values that the project still asks for."""
    goats = {"id": "goats", "name": "Goats", "target": 9, "by": "2026-12-31"}
    homes = PROJECT["measures"]
    phone = open_phone(own, measures=[goats, *homes])
    values = [{"measure": "goats", "value": "7"}, {"measure": "homes", "value": "412"}]
    phone.send(report_body(numbers=values))
    edit_item(own.application.context, "projects", "wells", {"measures": homes})
    publish(own)

    page = project_of(own)
    assert [(one["id"], one["actual"]) for one in page["measures"]] == [("homes", 412)]
    assert len(page["updates"]) == 1
