"""A project with a partner whose phone sends reports, through the web API."""

import hashlib
import io
from functools import partial
from typing import Any, NamedTuple

from falcon import testing
from PIL import Image

from jara.domain.field_report import PIECE_BYTES_MAX
from jara.domain.language import Language
from jara.files.media import keep_photo
from jara.records.content import ContentItem
from jara.services.content import add_item
from jara.services.field.partners import NewLink, add_partner
from jara.services.field.publishing import Edited, publish_report
from tests.webapi.desk import Desk

KEY = "phone-made-key-0001"
GPS = 0x8825
PROJECT = {
    "id": "wells",
    "slug": "wells",
    "title": "Clean wells",
    "status": "In Progress",
    "category": "water",
    "measures": [{"id": "homes", "name": "Homes with water", "target": 400, "by": "2026-12-31"}],
    "milestones": [
        {"id": "drill", "title": "Drilling", "date": "2026-11-30", "costCents": 5000},
        {"id": "pump", "title": "The pump", "date": "2026-12-31", "costCents": 5000},
    ],
}


class FieldPhoto(NamedTuple):
    """A photo as a phone sends it."""

    data: bytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of its bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def announced(self) -> dict[str, Any]:
        """How a report announces it."""
        return {"sha256": self.sha256, "size": len(self.data)}


def field_photo(colour: int = 90, *, size: int = 640, kind: str = "JPEG") -> FieldPhoto:
    """Return a photo with noise, so that it has several pieces, and with its place."""
    image = Image.effect_noise((size, size * 3 // 4), colour).convert("RGB")
    exif = Image.Exif()
    exif.get_ifd(GPS)[1] = "6.45N 3.39E"
    out = io.BytesIO()
    image.save(out, kind, exif=exif, quality=60)
    return FieldPhoto(out.getvalue())


def add_project(desk: Desk, **changes: Any) -> ContentItem:
    """Add a project to the organisation."""
    context = desk.application.context
    item = add_item(context, "projects", {**PROJECT, **changes}, published=True)
    assert isinstance(item, ContentItem)
    return item


def give_link(desk: Desk, name: str = "Maji Safi", project: str = "wells") -> NewLink:
    """Add a partner; return the new link."""
    context = desk.application.context
    return add_partner(context, name, project=project, language=Language("fr"))


def code_of(link: NewLink) -> str:
    """Return the code in a link."""
    return link.address.partition("#")[2]


def report_body(*photos: FieldPhoto, **changes: Any) -> dict[str, Any]:
    """Return a report as a phone sends it."""
    return {
        "title": "Water at 62 metres",
        "text": "The drill reached water.\n\nEverybody came to see it.",
        "photos": [one.announced for one in photos],
        **({"consent": "yes"} if photos else {}),
        **changes,
    }


class Phone:
    """A phone with a link."""

    def __init__(self, desk: Desk, code: str) -> None:
        self.desk = desk
        self.code = code

    def call(self, method: str, path: str = "", **more: Any) -> testing.Result:
        """Make a call with the link's code."""
        headers = {"Authorization": f"Bearer {self.code}", **more.pop("headers", {})}
        address = f"/api/field{path}"
        return self.desk.client.simulate_request(method, address, headers=headers, **more)

    def page(self) -> testing.Result:
        """Read what the link opens."""
        return self.call("GET")

    def send(self, body: dict[str, Any], key: str = KEY) -> testing.Result:
        """Send a report without its photos."""
        return self.call("PUT", f"/reports/{key}", json=body)

    def piece(
        self, photo: FieldPhoto, start: int = 0, key: str = KEY, **more: Any
    ) -> testing.Result:
        """Send a piece of a photo."""
        data = photo.data[start : start + PIECE_BYTES_MAX]
        path = f"/reports/{key}/photos/{photo.sha256}"
        return self.call("PUT", path, **{"body": data, "query_string": f"start={start}", **more})

    def send_photo(self, photo: FieldPhoto, key: str = KEY) -> testing.Result:
        """Send all pieces of a photo; return the last answer."""
        for start in range(0, len(photo.data), PIECE_BYTES_MAX):
            answer = self.piece(photo, start, key)
        return answer

    def send_all(self, *photos: FieldPhoto, key: str = KEY, **changes: Any) -> testing.Result:
        """Send a report with its photos; return the last answer."""
        answer = self.send(report_body(*photos, **changes), key)
        for photo in photos:
            answer = self.send_photo(photo, key)
        return answer


def open_phone(desk: Desk, **project: Any) -> Phone:
    """Add a project with a partner; return the partner's phone."""
    add_project(desk, **project)
    return Phone(desk, code_of(give_link(desk)))


def publish(desk: Desk, report: str = "field_", edited: Edited | None = None) -> ContentItem:
    """Publish a report as `jara field publish` does."""
    keep = partial(keep_photo, desk.application.settings.media_dir)
    return publish_report(desk.application.context, report, edited or Edited(), keep=keep)
