"""Files beside the database: which ones it refers to, and whether they are there."""

import re
from collections.abc import Iterable, Iterator
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from jara.domain.content.fields import MEDIA_PATH
from jara.domain.texts import count_of, listing
from jara.services.context import Context

_ADDRESS = re.compile(rf"{MEDIA_PATH}([0-9a-f]{{64}}\.[a-z]{{3,4}})", re.ASCII)
_DOCUMENT = ".pdf"
_NAMED_MAX = 3


class StoredFiles(NamedTuple):
    """The files of one kind that the database refers to."""

    kind: str  # pictures, which are photos and the logo, or documents
    referred: int  # how many the database refers to
    missing: tuple[str, ...]  # the names of those that are not in the folder
    damaged: tuple[str, ...]  # the names of those whose content is another one

    @property
    def bad(self) -> tuple[str, ...]:
        """The names of those that are missing or damaged."""
        return (*self.missing, *self.damaged)


class FolderSize(NamedTuple):
    """How many files a folder has, and their bytes."""

    files: int
    bytes: int


def compare_files(context: Context, folder: Path, *, is_read: bool = False) -> list[StoredFiles]:
    """Compare the media folder with what pages, proposals, entries and the logo refer to.

    With `is_read` the files are read too: their names are the SHA-256 of their bytes.
    """
    with context.store.read() as work:
        texts = work.inspection.texts_with_files()
        names = {name for text in texts for name in _ADDRESS.findall(text)}
        names |= {one.file_name for one in work.papers.public()}
    documents = {name for name in names if name.endswith(_DOCUMENT)}
    return [
        _compare(kind, sorted(own), folder, is_read=is_read)
        for kind, own in (("picture", names - documents), ("document", documents))
    ]


def _compare(kind: str, names: Iterable[str], folder: Path, *, is_read: bool) -> StoredFiles:
    there = {name: (folder / name).is_file() for name in names}
    damaged = [name for name, is_there in there.items() if is_there and is_read]
    return StoredFiles(
        kind,
        len(there),
        tuple(name for name, is_there in there.items() if not is_there),
        tuple(name for name in damaged if not _is_whole(folder / name)),
    )


def _is_whole(file: Path) -> bool:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest() == file.name.partition(".")[0]


def describe_files(kinds: Iterable[StoredFiles]) -> str:
    """Return how many files of each kind are there, such as "3 pictures and 1 document"."""
    return listing([count_of(one.referred, one.kind) for one in kinds])


def describe_faults(kinds: Iterable[StoredFiles], folder: Path) -> Iterator[str]:
    """Yield a sentence for each kind of which files are missing or damaged."""
    for one in kinds:
        for names, state in ((one.missing, "Missing"), (one.damaged, "Damaged")):
            if names:
                listed = ", ".join(f"{name[:12]}…{name[64:]}" for name in names[:_NAMED_MAX])
                more = ", …" if len(names) > _NAMED_MAX else ""
                yield (
                    f"{state} in {folder}: {len(names)} of {count_of(one.referred, one.kind)} that "
                    f"the database refers to ({listed}{more}). Copy them from the old machine's "
                    "folder, or from its copy."
                )


def folder_size(place: Path) -> FolderSize:
    """Return the size of a folder with all below it, or of a file; 0 if there is none."""
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    return FolderSize(len(files), sum(one.stat().st_size for one in files))
