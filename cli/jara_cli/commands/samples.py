"""``jara samples``: sample content for a sandbox, and files to try the imports with."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from jara.documents import Document
from jara.domain.currency import books_currency
from jara.domain.dates import parse_year
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.files.bank import writing
from jara.files.content_files import read_content
from jara.files.media import read_field_photo
from jara.files.shipped import data_folder
from jara.services.bank.importing import put_mapping
from jara.services.context import Context
from jara.services.samples.bank_year import (
    ACCOUNT,
    bank_year,
    overlap_alone,
    prepare_payers,
    prepare_usual_payers,
    without_overlap,
)
from jara.services.samples.field import CLAIMS, SamplePhoto
from jara.services.samples.plan import DemoFiles
from jara.services.samples.seeding import (
    CONTENT_KINDS,
    Removed,
    Seeded,
    SeedFiles,
    remove_samples,
    seed_content,
)
from jara_cli.columns import Column, Kind
from jara_cli.inputs import target_folder, write_output
from jara_cli.options import Yes, argument, confirm, option
from jara_cli.verbs import verb

app = typer.Typer(no_args_is_help=True)

_CODE = re.compile(rb"(?<= )USD(?=\s)")
_CODE_OF_STRIPE = re.compile(rb'(?<=[,"])usd(?=[,"])')
_SUFFIXES = {".csv", ".journal", ".json", ".md"}


Source = Annotated[str | None, option("DIR", "Folder with files like those in data/.", "--from")]
_LOADED = [
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


@verb(app, *_LOADED)
def load(context: Context, source: Source = None) -> list[Seeded]:
    """Load sample content, marked as sample, into a sandbox organisation.

    It contains no members and no money. A real organisation gets its content with
    `jara projects import` and the like.

    Running it again adds only what is missing. The proposal that is open for a vote ends
    30 days after loading.

    Examples:
      jara samples load
      jara samples load --from my-content
    """
    return seed_content(context, read_seed_files(source))


@verb(app, *_REMOVED)
def remove(context: Context, source: Source = None, yes: Yes = False) -> list[Removed]:
    """Remove all sample content from the website and from new reports.

    It works in a real organisation too. What you changed or used is hidden, the rest is
    deleted. Sample votes that are open are withdrawn.

    Example: jara samples remove --yes
    """
    confirm("Remove all sample content, and withdraw the sample votes?", yes=yes)
    return remove_samples(context, read_seed_files(source).fixed_costs)


@verb(
    app, Column("file", "File"), Column("bytes", "Bytes", Kind.COUNT), Column("written", "Written")
)
def copy(
    folder: Annotated[str, argument("[FOLDER]", "Target folder; created if missing.")] = "samples",
) -> list[Document]:
    """Copy two invented years of Stripe exports and bank files into a folder.

    They are in the currency of the books. If a file already exists with other content, nothing
    is copied or overwritten.

    Examples:
      jara samples copy
      jara samples copy /tmp/samples
    """
    target = target_folder(folder)
    contents = _read_samples()
    missing = [name for name in contents if not (target / name).exists()]
    for name in contents.keys() - missing:
        if (target / name).read_bytes() != contents[name]:
            raise Conflict(f"'{target / name}' exists and differs; nothing was copied.")
    target.mkdir(parents=True, exist_ok=True)
    for name in missing:
        write_output(str(target / name), contents[name])
    return [
        {"file": str(target / name), "bytes": len(data), "written": name in missing}
        for name, data in contents.items()
    ]


@verb(app, Column("file", "File"), Column("bytes", "Bytes", Kind.COUNT), name="bank")
def bank_command(
    context: Context,
    folder: Annotated[
        str, argument("[FOLDER]", "Target folder; created if missing.")
    ] = "statements",
    year: Annotated[str | None, option("YEAR", "Default: last year.")] = None,
    payers: Annotated[
        int | None,
        option(
            "N", "First let N members pay by transfer; default: up to 8, if none does yet.", min=0
        ),
    ] = None,
) -> list[Document]:
    """Write a year of this sandbox organisation's bank statements in each format.

    They contain the bank movements in the books, members' transfers, charges, and the usual
    errors of bank files: truncated references, a reversed line, a returned transfer, days that
    occur twice. To have transfers, some members without a pledge promise 10 a month.

    Examples:
      jara samples bank
      jara bank rules add expenses:fees:bank --money out \\
          --contains "ACCOUNT FEE" --why "The bank's monthly fee"
      jara bank import statements/bank.camt.xml --new-account assets:bank
    """
    chosen_year = parse_year(year or "last-year", today=context.today()).first.year
    if chosen_year >= context.today().year:
        raise InvalidInput(
            f"{chosen_year} is not over yet: a statement has no lines of future days."
        )
    if payers is None:
        prepare_usual_payers(context)
    elif payers:
        prepare_payers(context, payers)
    statements = bank_year(context, chosen_year)
    put_mapping(context, "samples", writing.sample_mapping(ACCOUNT).document())
    files = {
        "bank.camt.xml": writing.write_camt(statements),
        "bank.mt940": writing.write_mt940(statements),
        "bank.ofx": writing.write_ofx(statements),
        "bank.xml.ofx": writing.write_ofx(statements, version=2),
        "bank.csv": writing.write_csv(without_overlap(statements)),
        "bank-overlap.csv": writing.write_csv(overlap_alone(statements)),
        **{
            f"bank-euro.{end}": data for end, data in writing.write_with_euro(statements[0]).items()
        },
    }
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_output(str(target / name), data)
    return [{"file": str(target / name), "bytes": len(data)} for name, data in files.items()]


def _read_samples() -> dict[str, bytes]:
    """Return the sample files shipped with Jara: content by file name."""
    paths = sorted((data_folder() / "samples").iterdir())
    return {path.name: _in_our_currency(path) for path in paths if path.suffix in _SUFFIXES}


def _in_our_currency(path: Path) -> bytes:
    """Return a sample file, whose amounts are US dollars, with the currency of the books."""
    upper = books_currency().encode()
    data = _CODE.sub(upper, path.read_bytes())
    return _CODE_OF_STRIPE.sub(upper.lower(), data)


def read_seed_files(folder: str | None = None) -> SeedFiles:
    """Read the seed files of a folder, or those shipped with Jara.

    Raises:
        NotFound: the folder does not exist, or contains none of the files.
        InvalidInput: a file is not a list of documents.
    """
    place = data_folder() if folder is None else Path(folder)
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
    seed, place = read_seed_files(), data_folder()
    receipts = {one.photo: _read_photo(place / "field" / one.photo) for one in CLAIMS}
    seed = seed._replace(photos={**seed.photos, **receipts})
    return DemoFiles(seed, _read(place / "past-proposals.yaml"))


def _read_photos(place: Path, partners: list[dict[str, Any]]) -> dict[str, SamplePhoto]:
    """Read the photos of reports that wait, drawn anew as those of phones are."""
    names = [
        name
        for partner in partners
        for report in partner.get("reports", ())
        for name in report.get("photos", ())
    ]
    return {name: _read_photo(place / name) for name in names}


def _read_photo(path: Path) -> SamplePhoto:
    photo = read_field_photo(path.read_bytes(), path.name)
    return SamplePhoto(photo.name, photo.data)


def _read(path: Path) -> list[dict[str, Any]]:
    return read_content(path.read_bytes(), path.name)
