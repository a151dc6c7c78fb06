"""``jara samples``: example files to try the imports with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.domain.errors import Conflict, InvalidInput
from jara.files.shipped import data_folder
from jara_cli.columns import Column, Kind
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag
from jara_cli.output import emit

app = typer.Typer(no_args_is_help=True)

_SUFFIXES = {".csv", ".journal", ".json", ".md"}


@app.callback()
def samples() -> None:
    """Example files to try the imports with."""


@app.command()
def copy(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help="Where to; it is created if missing.")
    ] = "samples",
    as_json: JsonFlag = False,
) -> None:
    """Copy two invented years of Stripe exports and bank files into a folder.

    A file that is there already and differs is never overwritten: then nothing is copied.

    \b
    Examples:
      jara samples copy
      jara samples copy /tmp/samples
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InvalidInput(f"'{folder}' is a file; name a folder.")
    contents = _read_samples()
    missing = [name for name in contents if not (target / name).exists()]
    for name in contents.keys() - missing:
        if (target / name).read_bytes() != contents[name]:
            raise Conflict(f"'{target / name}' exists and differs; nothing was copied.")
    target.mkdir(parents=True, exist_ok=True)
    for name in missing:
        write_output(str(target / name), contents[name])
    emit(
        [
            {"file": str(target / name), "bytes": len(data), "written": name in missing}
            for name, data in contents.items()
        ],
        as_json=as_json,
        columns=[
            Column("file", "File"),
            Column("bytes", "Bytes", Kind.COUNT),
            Column("written", "Written"),
        ],
    )


def _read_samples() -> dict[str, bytes]:
    """Return the content of each sample file that comes with Jara, by file name."""
    paths = sorted((data_folder() / "samples").iterdir())
    return {path.name: path.read_bytes() for path in paths if path.suffix in _SUFFIXES}
