"""A stage for tests of the demonstration."""

from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from jara.domain.currency import books_currency
from jara.domain.language import ENGLISH, Language
from jara.files.content_files import read_content
from jara.payments.sandbox.gateway import SandboxGateway
from jara.services.context import Context, Rules
from jara.services.organisation import create_organisation
from jara.services.samples.field import CLAIMS, SamplePhoto
from jara.services.samples.plan import DemoFiles
from jara.services.samples.seeding import CONTENT_KINDS, SeedFiles
from jara.services.samples.stage import Stage, StoryClock, story_start
from tests.harness import COUNTRIES, DATA, make_context
from tests.services.giving.joiners import sandbox_of

PHOTO = "field/training.jpg"
END = datetime(2026, 11, 21, tzinfo=UTC)


def read_file(name: str) -> list[dict[str, object]]:
    """Read a file of data/ as the command line does."""
    return read_content((DATA / f"{name}.yaml").read_bytes(), name)


def seed_files() -> SeedFiles:
    """Return the documents of data/."""
    return SeedFiles(
        content={kind: read_file(kind) for kind in CONTENT_KINDS},
        proposals=read_file("proposals"),
        fixed_costs=read_file("fixed-costs"),
        partners=read_file("field"),
        photos={PHOTO: _drawn((DATA / PHOTO).read_bytes())},
    )


def _drawn(data: bytes) -> SamplePhoto:
    return SamplePhoto(f"{sha256(data).hexdigest()}.jpg", data)


def demo_files() -> DemoFiles:
    """Return the documents with the past votes, and the receipts of the claims."""
    seed = seed_files()
    receipts = {one.photo: _drawn(one.photo.encode()) for one in CLAIMS}
    seed = seed._replace(photos={**seed.photos, **receipts})
    return DemoFiles(seed, read_file("past-proposals"))


def make_stage(folder: Path, *, seed: str = "jara") -> Stage:
    """Return a stage with a new organisation on the first day of the story."""
    begins = story_start(demo_files(), END.date())
    context = make_context(
        folder,
        at=begins,
        rules=Rules(countries=COUNTRIES, languages=(ENGLISH, Language("fr"))),
        seed=seed,
    )
    clock = StoryClock(begins)
    sandbox = SandboxGateway(sandbox_of(context)._state, clock, context.entropy)
    moved: Context = replace(context, clock=clock, gateway=sandbox)
    create_organisation(moved, currency=books_currency())
    return Stage(moved, clock, sandbox, moved.hasher)
