"""Preview images are drawn once and kept, a few wait, and nothing else is slowed down."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.files import drawing_turns
from jara.files.drawing_turns import AT_ONCE, WAITING, DrawingTurns
from jara.files.preview_image import Preview
from jara.files.preview_program import PaintingProgram
from jara_webapi.pages import drawn_images
from jara_webapi.pages.drawn_images import DrawnImages
from tests.sizes import PATIENCE_SECONDS
from tests.webapi.pages.site_world import open_site


class SlowPainter:
    """Draws when it is let; counts what it drew, and how many at once."""

    def __init__(self) -> None:
        """Start closed."""
        self.files = {"/art/mark.svg": b"<svg/>"}
        self.begun, self.may_draw = threading.Event(), threading.Event()
        self.drawn: list[str] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def paint(self, preview: Preview) -> bytes:
        """Draw an image."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self.begun.set()
        assert self.may_draw.wait(PATIENCE_SECONDS)
        with self._lock:
            self._now -= 1
            self.drawn.append(preview.title)
        return preview.title.encode()


@pytest.fixture
def painter() -> Iterator[SlowPainter]:
    """A painter that is let go in the end."""
    made = SlowPainter()
    yield made
    made.may_draw.set()


def images_in(painter: SlowPainter, folder: Path) -> DrawnImages:
    """Return the images of a process."""
    return DrawnImages(painter, folder, DrawingTurns(folder))


def preview(number: int) -> Preview:
    """Return one of many images."""
    return Preview(f"Title {number}", "words", "/art/mark.svg", "Jara")


def test_a_flood_of_addresses_waits_in_a_short_queue(tmp_path: Path, painter: SlowPainter) -> None:
    """Of 40 requests at once, one draws, two wait, and the others are refused at once."""
    images = images_in(painter, tmp_path / "previews")
    answers: list[bytes] = []
    refused: list[str] = []
    all_asked = threading.Barrier(40 - AT_ONCE - WAITING + 1)

    def ask(number: int) -> None:
        try:
            answers.append(images.get(preview(number)).data)
        except Unavailable as error:
            refused.append(error.message)
            all_asked.wait(PATIENCE_SECONDS)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    all_asked.wait(PATIENCE_SECONDS)
    painter.may_draw.set()
    for thread in threads:
        thread.join()

    assert len(answers) == AT_ONCE + WAITING
    assert len(refused) == 40 - AT_ONCE - WAITING
    assert set(refused) == {"Many images are being drawn right now; try again in a moment."}
    assert painter.most == AT_ONCE


def test_processes_draw_one_after_the_other(tmp_path: Path, painter: SlowPainter) -> None:
    """Two server processes with one folder draw one image at a time, and each only once."""
    painter.may_draw.set()
    processes = [images_in(painter, tmp_path / "previews") for _ in range(3)]
    threads = [
        threading.Thread(target=one.get, args=(preview(number),))
        for one in processes
        for number in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert painter.most == 1
    assert sorted(painter.drawn) == ["Title 0", "Title 1"]


def test_an_image_is_drawn_once_also_after_a_restart(tmp_path: Path, painter: SlowPainter) -> None:
    """What is on disk is read; new drawings of the site make new images."""
    painter.may_draw.set()
    folder = tmp_path / "previews"
    first = images_in(painter, folder).get(preview(1))
    second = images_in(painter, folder).get(preview(1))
    painter.files = {"/art/mark.svg": b"<svg><g/></svg>"}
    images_in(painter, folder).get(preview(1))

    assert (first.data, first.etag) == (second.data, second.etag)
    assert painter.drawn == ["Title 1", "Title 1"]
    assert {path.suffix for path in folder.iterdir()} == {".png", ""}


def test_the_oldest_images_make_room(
    tmp_path: Path, painter: SlowPainter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder does not grow without end."""
    monkeypatch.setattr(drawn_images, "FILES_MAX", 3)
    painter.may_draw.set()
    images = images_in(painter, tmp_path)
    for number in range(10):
        images.get(preview(number))

    assert len(list(tmp_path.glob("*.png"))) == 3


def test_a_visitor_chooses_few_images_an_hour(
    tmp_path: Path, painter: SlowPainter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond them the site's own image is shown; images of which there are few are drawn."""
    monkeypatch.setattr(drawn_images, "INSTEAD_AFTER", 2)
    painter.may_draw.set()
    images = images_in(painter, tmp_path)
    seen = [images.get(preview(number), preview(100)).data for number in (1, 2, 1, 3, 4)]
    seen.append(images.get(preview(5)).data)

    assert seen == [b"Title 1", b"Title 2", b"Title 1", b"Title 100", b"Title 100", b"Title 5"]


def test_without_a_place_on_disk_an_image_is_still_drawn(
    tmp_path: Path, painter: SlowPainter
) -> None:
    """A folder that cannot be made costs time, not images."""
    (tmp_path / "file").write_text("")
    painter.may_draw.set()

    assert images_in(painter, tmp_path / "file" / "x").get(preview(1)).data == b"Title 1"


def test_a_failure_gives_its_place_back(
    tmp_path: Path, painter: SlowPainter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An image that cannot be drawn is refused each time, and blocks no other."""

    def fail(_: Preview) -> bytes:
        raise Unavailable("The image could not be drawn; try again later.")

    monkeypatch.setattr(painter, "paint", fail)
    images = images_in(painter, tmp_path)
    for _ in range(10):
        with pytest.raises(Unavailable, match="could not be drawn"):
            images.get(preview(1))


def test_a_visitor_is_asked_to_come_again(
    place: Path, painter: SlowPainter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While images are drawn, others get 503 with a time, and calls of the API are answered."""
    monkeypatch.setattr(drawing_turns, "WAITING", 0)
    monkeypatch.setattr(PaintingProgram, "paint", lambda _, one: painter.paint(one))
    site = open_site(place)
    first = threading.Thread(target=site.get, args=("/previews/projects/school.png",))
    first.start()
    assert painter.begun.wait(PATIENCE_SECONDS)
    refused = site.get("/previews/proposals/bees.png")
    config = site.desk.get("/config")
    painter.may_draw.set()
    first.join()

    assert (refused.status_code, config.status_code) == (503, 200)
    assert int(refused.headers["retry-after"]) > 0
    assert site.get("/previews/proposals/bees.png").status_code == 200
