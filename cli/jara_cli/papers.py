"""Documents on the command line: reading files, the option of commands that post, writing them."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated

from jara.documents import Document
from jara.domain.papers import PaperKind
from jara.services.books.papers import PaperFile, read_document, with_documents
from jara.services.context import Context
from jara_cli.inputs import name_input, open_input, target_folder, write_output
from jara_cli.options import Options, option


@dataclass(frozen=True)
class PaperOptions(Options):
    """The documents of the entry that a command posts: ``--document``."""

    documents: Annotated[
        list[str] | None,
        option(
            "[KIND=]FILE",
            "Its invoice, or receipt=FILE, slip=FILE and so on; repeatable.",
            "--document",
        ),
    ] = None

    def stored(
        self, context: Context, receipt: str | None = None
    ) -> AbstractContextManager[Context]:
        """Open one transaction for the documents and what the command does.

        Raises:
            InvalidInput: a file cannot be a document.
        """
        named = [_name_kind(text) for text in self.documents or ()]
        if receipt is not None:
            named.append((PaperKind.RECEIPT, receipt))
        files = read_papers([source for _, source in named])
        pairs = [(file, kind) for file, (kind, _) in zip(files, named, strict=True)]
        return with_documents(context, pairs)


def _name_kind(text: str) -> tuple[PaperKind, str]:
    """Read ``slip=photo.jpg``; a document is an invoice if nothing else is said."""
    kind, _, source = text.partition("=")
    return (PaperKind(kind), source) if kind in set(PaperKind) else (PaperKind.INVOICE, text)


def read_papers(sources: Sequence[str]) -> list[PaperFile]:
    """Read documents: a PDF stays as it is, a photo is redrawn; ``-`` is standard input.

    Raises:
        InvalidInput: one is in another format, damaged, too large, or runs something.
    """
    from jara.files.media import MEDIA_BYTES_MAX, read_media  # noqa: PLC0415 - slow to load

    files = []
    for source in sources:
        with open_input(source) as stream:
            media = read_media(stream.read(MEDIA_BYTES_MAX + 1), name_input(source))
        files.append(PaperFile(media.media_type, media.data))
    return files


def write_documents(context: Context, out: str, rows: Iterable[Document]) -> None:
    """Write documents into a folder, only for its owner; each row gets the name of its file."""
    folder = target_folder(out)
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        stored, data = read_document(context, row["sha256"])
        if data is not None:
            row["file"] = str(folder / f"{row['kind']}-{stored.file_name}")
            write_output(row["file"], data, private=True)
