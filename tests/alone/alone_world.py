"""An organisation with operators' keys and limits, and one operator who acts alone in a copy."""

import io
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from jara.bootstrap import Application, build_from_environ
from jara.domain.control.state import Limits
from jara.domain.giving.payment_way import PaymentWay
from jara.records.operations import Approval, Command
from jara.services.context import Context
from jara.services.field.claimants import add_purpose, give_link
from jara.services.operations.control import set_limits
from jara.services.payments.ways import set_way
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_due_votes
from jara.services.ways_in import set_donate_link
from jara_cli.main import execute
from tests.fakes.clock import FakeClock
from tests.fakes.operators import TestSigner, acting, approve_as, enrol
from tests.harness import NOON
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, vote
from tests.services.news.news_world import add_reader
from tests.webapi.desk import Desk
from tests.webapi.field.claims_world import FOOD, ClaimPhone
from tests.webapi.field.field_world import code_of

LIMIT_CENTS = 10_000
GOAL_CENTS = 437_100
READERS = 30
PASSED, OPEN = "prop_reef", "prop_well"
OPERATORS = {
    "ada": "admin",
    "cyd": "approver",
    "ben": "bookkeeper",
    "eve": "editor",
    "aud": "auditor",
    "sam": "scheduler",
}
"""One operator of each role."""
ITEMS = {
    "projects": "title: Wells, status: Planning, category: water",
    "grants": "name: Books, project: A library, category: education, amountCents: 5000",
    "donations": "title: Roof, code: GH, amountCents: 5000",
    "updates": "title: Begun, project: wells, author: Asha, date: 2026-11-01, content: Dug.",
    "events": "title: Meeting, date: 2026-12-01",
    "team": "name: Asha, role: Treasurer, group: trustees",
    "faqs": "question: Why, answer: Because.",
    "roadmap": "title: Launch, status: Complete",
    "regions": "name: Africa, status: Active",
    "content": "figure: $1457, label: disbursed",
}
"""An item of each kind of content, by its command."""
MALLORY = "mallory@example.net"
"""A mailbox of the operator who acts alone."""
OWN_SETTINGS = {"JARA_SITE_URL": "https://mallory.example", "JARA_CONTACT_EMAIL": MALLORY}
"""Variables with which the operator who acts alone starts commands."""


def _signer(_settings: object, _secrets: object, describe: Callable[[], Command], _: object) -> Any:
    """Return what signs commands with the key of the operator whom the environment names."""
    signer = TestSigner(os.environ["JARA_OPERATOR"])
    return _Described(signer, describe)


class _Described:
    """A signer that knows the command only when it is asked."""

    def __init__(self, signer: TestSigner, describe: Callable[[], Command]) -> None:
        self._describe = describe
        self.sign = signer.sign

    @property
    def command(self) -> Command:
        return self._describe()


class AloneWorld:
    """A terminal in the folder of one organisation."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, clock: FakeClock) -> None:
        """Work in a folder."""
        self.folder = folder
        self.clock = clock
        patch.chdir(folder)
        patch.setenv("JARA_SIGNER_DIR", str(folder / "signer"))
        patch.setenv("JARA_BOUNCE_ADDRESS", "bounces+{id}@jara.example")
        patch.setattr("jara.bootstrap.SystemClock", lambda: clock)
        patch.setattr("jara.bootstrap._signer", _signer)
        self._patch = patch

    def run(self, operator: str, words: Sequence[str]) -> tuple[int, str]:
        """Run a command as an operator; return the status and what it printed."""
        self._patch.setenv("JARA_OPERATOR", operator)
        self._patch.setattr("sys.stdin", io.StringIO("correct horse\n"))
        data = io.BytesIO()
        with io.TextIOWrapper(data, "utf-8", write_through=True) as out:
            with redirect_stdout(out), redirect_stderr(out):
                status = execute(list(words))
            return status, data.getvalue().decode()

    def application(self) -> Application:
        """Open the organisation."""
        here = {"JARA_DATABASE_URL": str(self.folder / "jara.db")}
        return build_from_environ({**here, "JARA_SIGNER_DIR": str(self.folder / "signer")})

    def context(self) -> Context:
        """Return the context of the organisation."""
        return self.application().context


def make_world(folder: Path, patch: pytest.MonkeyPatch) -> AloneWorld:
    """Make the organisation: members, money, a passed vote, an open one, keys and limits."""
    world = AloneWorld(folder, patch, FakeClock(NOON))
    assert world.run("ada", ["init"])[0] == 0
    assert world.run("ada", ["ledger", "close-year", "2025", "--yes"])[0] == 0
    context = world.context()
    context = replace(context, operator="ada")
    members = [add_member(context, f"member{number}", card=f"card{number}") for number in range(6)]
    for number in range(READERS):
        add_reader(context, f"reader{number}@example.org")
    grant = "--debit assets:bank --credit income:grants --kind grant --amount 9000 --fund"
    _write_files(folder / "files")
    lines = ["--account", "US12345678", "--date", "Day", "--amount", "Sum", "--text", "Text"]
    spent = (
        "--debit expenses:operations --credit assets:bank --fund other --kind expense --why rent"
    )
    items = [[noun, "import", f"files/{noun}.yaml"] for noun in ITEMS]
    for words in (
        ["ledger", "post", *grant.split(), "projects"],
        ["ledger", "post", *grant.split(), "other"],
        ["ledger", "post", *spent.split(), "--amount", "50"],
        ["bank", "mappings", "add", "ours", *lines],
        ["bank", "import", "files/lines.csv", "--new-account", "assets:bank"],
        ["members", "import", "files/people.csv"],
        ["ledger", "fixed-costs", "add", "Rent", "40"],
        ["proposals", "new", "files/proposal.yaml"],
        *items,
    ):
        status, out = world.run("ada", words)
        assert status == 0, (words, out)
    open_vote(
        context,
        id=PASSED,
        slug="reef",
        title="Reef",
        fundingGoalCents=GOAL_CENTS,
        endDate="2026-11-21",
    )
    for member in members:
        vote(context, member, proposal=PASSED)
    world.clock.advance(days=3)
    close_due_votes(context)
    fund_proposal(context, PASSED)
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="IBAN DE89")
    set_donate_link(context, "https://jara.example/give")
    _claim(world, context)
    open_vote(context, id=OPEN, slug="well", title="Well", endDate="2026-11-30")
    for member in members[:4]:
        vote(context, member, proposal=OPEN)
    enrol(context, **OPERATORS)
    limits = Limits(LIMIT_CENTS, LIMIT_CENTS, 2, LIMIT_CENTS)
    waiting = set_limits(acting(context, "ada"), limits, why="Voted")
    assert isinstance(waiting, Approval)
    approve_as(context, waiting, "cyd")
    context.store.close()
    world.clock.advance(days=1)
    return world


def _claim(world: AloneWorld, context: Context) -> None:
    """Let a volunteer claim what is over the limit, and twice what is below it."""
    add_purpose(context, FOOD, "expenses:operations", None)
    code = code_of(give_link(context, "Kofi Addo"))
    phone = ClaimPhone(Desk(world.application(), world.clock), code)
    for number, amount in enumerate(("150", "60", "60")):
        phone.claim(f"phone-made-key-{number:04}", amount=amount, shop=f"{number}", again=True)


def copy_world(world: AloneWorld, folder: Path, patch: pytest.MonkeyPatch) -> AloneWorld:
    """Copy the organisation into a new folder, and work there."""
    shutil.copytree(world.folder, folder)
    for name, value in OWN_SETTINGS.items():
        patch.setenv(name, value)
    return AloneWorld(folder, patch, FakeClock(world.clock.now()))


_HEAD = "entry,date,description,account,fund,amount,reference\n"


def _entries(*rows: str) -> str:
    return _HEAD + "".join(f"{row},\n" for row in rows)


def _write_files(folder: Path) -> None:
    """Write the files that commands may be given."""
    folder.mkdir()
    texts = {
        "small.csv": _entries(
            "s1,2026-11-24,Paper,expenses:operations,other,60.00",
            "s1,2026-11-24,Paper,assets:bank,other,-60.00",
        ),
        "large.csv": _entries(
            "l1,2026-11-24,Rent,expenses:operations,other,900.00",
            "l1,2026-11-24,Rent,assets:bank,other,-900.00",
        ),
        "moved.csv": _entries(
            "m1,2026-11-24,Moved,assets:bank,staff,900.00",
            "m1,2026-11-24,Moved,equity:transfers,staff,-900.00",
            "m1,2026-11-24,Moved,assets:bank,projects,-900.00",
            "m1,2026-11-24,Moved,equity:transfers,projects,900.00",
        ),
        "people.csv": f"Email,Name,Country\n{MALLORY},Mal Ory,Ghana\n",
        "lines.csv": "Day,Sum,Text\n2026-11-24,-60.00,SHOP\n2026-11-24,-900.00,SHOP\n",
        "terms.md": "# Terms\n\nOf {{ organisation }}.\n",
        "news.md": "# Our account has changed\n\nPlease pay to DE75512108001245126199",
        "change.yaml": "title: Another title\nendDate: 2026-11-27\n",
        "goal.yaml": "title: A car for the director\nsummary: Changed.\n",
        "french.yaml": "fr: {title: Une voiture}\n",
        "proposal.yaml": "\n".join(
            f"{name}: {value}"
            for name, value in {**PROPOSAL, "id": "prop_new", "slug": "new"}.items()
            if isinstance(value, str)
        )
        + "\nfundingGoal: 5000.00\n",
        **{f"{noun}.yaml": f"- {{id: {noun}-1, {values}}}\n" for noun, values in ITEMS.items()},
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for name in ("mallory", "sam"):
        (folder / f"{name}.pub").write_text(f"{TestSigner(name).key.text()} {name}\n", "utf-8")
    Image.new("RGB", (4, 4)).save(folder / "photo.png", "PNG")
