"""``jara seed``: sample content for a new website."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from jara.domain.errors import NotFound
from jara.files.content_files import read_content
from jara.files.media import read_field_photo
from jara.files.shipped import data_folder
from jara.services.context import Context
from jara.services.samples.field import SamplePhoto
from jara.services.samples.plan import DemoFiles
from jara.services.samples.seeding import CONTENT_KINDS, SeedFiles, remove_samples, seed_content
from jara_cli.columns import Column, Kind
from jara_cli.options import Yes, confirm
from jara_cli.verbs import Answer, verb

app = typer.Typer()

_SEEDED = [
    Column("kind", "Kind"),
    Column("added", "Added", Kind.COUNT),
    Column("changed", "Changed", Kind.COUNT),
    Column("unchanged", "Unchanged", Kind.COUNT),
]
_REMOVED = [
    Column("kind", "Kind"),
    Column("removed", "Removed", Kind.COUNT),
    Column("kept", "Kept: changed or decided", Kind.COUNT),
]


@verb(app, name="seed")
def command(
    context: Context,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="DIR", help="Folder with files like those in data/."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all sample content instead.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Load sample content, marked as sample, into a sandbox organisation.

    It contains no members and no money. A real organisation gets its content with
    `jara projects import` and the like.

    Running it again adds only what is missing. The proposal that is open for a vote ends
    30 days after loading.

    With --remove everything marked as sample disappears from the website and from new
    reports, in a real organisation too. What you changed or used is hidden, the rest is
    deleted. Sample votes that are open are withdrawn.

    \b
    Examples:
      jara seed
      jara seed --remove --yes
      jara seed --from my-content
    """
    files = read_seed_files(None if source is None else Path(source))
    if remove:
        confirm("Remove all sample content, and withdraw the sample votes?", yes=yes)
        return Answer(remove_samples(context, files.fixed_costs), columns=_REMOVED)
    return Answer(seed_content(context, files), columns=_SEEDED)


def read_seed_files(folder: Path | None = None) -> SeedFiles:
    """Read the seed files of a folder, or those shipped with Jara.

    Raises:
        NotFound: the folder does not exist, or contains none of the files.
        InvalidInput: a file is not a list of documents.
    """
    place = folder or data_folder()
    documents = {
        name: _read(path)
        for name in (*CONTENT_KINDS, "proposals", "fixed-costs", "field")
        if (path := place / f"{name}.yaml").is_file()
    }
    if not documents:
        raise NotFound(f"The folder '{place}' contains no seed files, such as projects.yaml.")
    partners = documents.pop("field", [])
    return SeedFiles(
        partners=partners,
        photos=_read_photos(place, partners),
        proposals=documents.pop("proposals", []),
        fixed_costs=documents.pop("fixed-costs", []),
        content=documents,
    )


def read_demo_files() -> DemoFiles:
    """Read the files of the demo: seed files and past votes."""
    return DemoFiles(read_seed_files(), _read(data_folder() / "past-proposals.yaml"))


def _read_photos(place: Path, partners: list[dict[str, Any]]) -> dict[str, SamplePhoto]:
    """Read the photos of reports that wait, drawn anew as those of phones are."""
    names = [
        name
        for partner in partners
        for report in partner.get("reports", ())
        for name in report.get("photos", ())
    ]
    photos = {name: read_field_photo((place / name).read_bytes(), name) for name in names}
    return {name: SamplePhoto(photo.name, photo.data) for name, photo in photos.items()}


def _read(path: Path) -> list[dict[str, Any]]:
    return read_content(path.read_bytes(), path.name)
