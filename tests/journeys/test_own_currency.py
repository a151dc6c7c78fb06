"""The demo in another currency: join, pay, vote, import, report, export, check the bundle."""

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from email import message_from_bytes, policy
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from falcon import testing

from jara import jara_verify
from jara.bootstrap import build
from jara.config.settings import Settings
from jara.domain.currency import use_currency
from jara_cli.main import execute
from jara_webapi.app import create_app
from tests.sizes import some
from tests.webapi.desk import registration

SYMBOLS = {"CAD": "CA$", "EUR": "€"}
FOREIGN_SIGNS = {"CAD": re.compile(r"(?<!CA)\$|€"), "EUR": re.compile(r"\$")}
DATABASE = "jara-demo/jara.db"
BEAN_ERRORS = """
import sys
from beancount import loader
entries, errors, options = loader.load_file(sys.argv[1])
print(len(entries) > 100, [str(error) for error in errors], options["operating_currency"])
"""


@dataclass
class Demo:
    """A folder with the demo in one currency, and how to run commands on it."""

    currency: str
    folder: Path

    def run(self, *words: str) -> tuple[int, str, str]:
        """Run a command on the demo; return status, output and errors."""
        out, err = TextIOWrapper(BytesIO(), "utf-8"), StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(self.folder)
            patch.setenv("JARA_DATABASE_URL", DATABASE)
            patch.setenv("JARA_OPERATOR", "demo")
            status = execute(list(words))
            out.seek(0)
            return status, out.read(), err.getvalue()

    def done(self, *words: str) -> str:
        """Run a command that must succeed; return its standard output."""
        status, out, err = self.run(*words)
        assert status == 0, err
        return out

    def json(self, *words: str) -> Any:
        """Run a command that must succeed; return its document."""
        return json.loads(self.done(*words, "--json"))


@pytest.fixture(scope="module", params=some(["EUR", "CAD"], 2))
def demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Demo]:
    """The demo in a currency, with invented statements and payers without a card."""
    made = Demo(request.param, tmp_path_factory.mktemp(request.param))
    made.done("demo", "--currency", made.currency, "--members", "6", "--no-serve")
    made.done("samples", "bank")
    yield made
    use_currency("USD")


def client_of(demo: Demo) -> testing.TestClient:
    """Return the web API of the demo."""
    settings = Settings(database_url=str(demo.folder / DATABASE), operator="demo")
    return testing.TestClient(create_app(build(settings)))


def text_of(email: Path) -> str:
    """Return the text of an email."""
    body = message_from_bytes(email.read_bytes(), policy=policy.default).get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text


def test_a_member_joins_pays_and_votes(demo: Demo) -> None:
    """The API names the currency; messages about the amount have its sign."""
    client = client_of(demo)
    form = registration(email="own@example.org")
    abroad = registration(email="abroad@example.org", country="Ghana")
    config = client.simulate_get("/api/config").json

    refused = client.simulate_post("/api/register", json={**form, "contribution": "4"})
    joined, _ = (client.simulate_post("/api/register", json=one) for one in (form, abroad))
    token = {"token": joined.json["token"]}
    open_vote = client.simulate_get("/api/user/get-proposals").json[0]["id"]
    ballot = {"id": open_vote, "voteType": "upvote"}
    voted = client.simulate_post("/api/user/votes", json=ballot, headers=token)
    raised = client.simulate_put(
        "/api/user/update-subscription", json={"subscriptionAmount": 20}, headers=token
    )

    symbol, home = SYMBOLS[demo.currency], SYMBOLS[demo.currency].removeprefix("CA")
    assert config["currency"] == demo.currency.lower()
    assert f"{symbol}4 a month is too little; the smallest pledge is {symbol}5." in refused.text
    assert (joined.status_code, voted.status_code) == (201, 200)
    assert f" {home}20" in raised.json["message"]
    demo.done("mail", "send")
    emails = [*(demo.folder / "jara-demo/jara.mail").iterdir()]
    to_canada, to_ghana = (
        "".join(text_of(one) for one in emails if f"To: {member}".encode() in one.read_bytes())
        + demo.done("report", "statement", member)
        for member in (form["email"], abroad["email"])
    )
    assert f"{symbol}10" in to_ghana
    assert FOREIGN_SIGNS[demo.currency].search(to_ghana) is None
    assert (f" {home}10" in to_canada, "CA$" in to_canada) == (True, False)


@pytest.mark.parametrize("name", ["bank.camt.xml", "bank.mt940", "bank.ofx", "bank.xml.ofx"])
def test_statements_of_the_currency_are_read(demo: Demo, name: str) -> None:
    """An account in it is imported in each format; one in US dollars is refused by one rule."""
    file = demo.folder / "statements" / name
    other = demo.folder / f"usd-{name}"
    other.write_bytes(file.read_bytes().replace(demo.currency.encode(), b"USD"))

    demo.done("bank", "import", str(file), "--new-account", "assets:bank")
    refused = demo.run("bank", "import", str(other), "--new-account", "assets:bank")

    assert refused[0] == 2
    assert f"is in USD; the books are in {demo.currency}" in refused[2]


@pytest.mark.parametrize("report", ["impact", "voting", "funds"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_reports_have_one_currency(demo: Demo, report: str, language: str) -> None:
    """No sign of another currency is in a report, but the Canadian thresholds in euro books."""
    text = demo.done("report", report, "--year", "last-year", "--language", language)
    signs = FOREIGN_SIGNS[demo.currency]
    if report == "funds" and demo.currency == "EUR":
        text = re.sub(r"CA\$[0-9.,]+|[0-9.,\s]+\s\$", "", text)

    assert report == "voting" or language == "fr" or SYMBOLS[demo.currency] in text
    assert language == "fr" or signs.search(text) is None
    assert "$ US" not in text
    assert "US dollar" not in text


def test_other_programs_read_the_books(demo: Demo, tmp_path: Path) -> None:
    """The exports name the commodity; hledger and Beancount accept them, and so does Jara."""
    journal, bean = tmp_path / "books.journal", tmp_path / "books.beancount"
    demo.done("ledger", "export", "--format", "journal", "--out", str(journal))
    demo.done("ledger", "export", "--format", "beancount", "--out", str(bean))
    rows = list(csv.DictReader(StringIO(demo.done("ledger", "export", "--format", "csv"))))

    assert f"commodity 1000.00 {demo.currency}\n" in journal.read_text()
    assert " USD" not in journal.read_text()
    assert " USD" not in bean.read_text()
    assert len(rows) > 100
    if hledger := shutil.which("hledger"):
        command = [hledger, "-f", str(journal), "check", "--strict"]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    pytest.importorskip("beancount")
    told = subprocess.run(
        [sys.executable, "-c", BEAN_ERRORS, str(bean)], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == f"True [] ['{demo.currency}']"


def test_the_bundle_is_good_and_names_the_currency(
    demo: Demo, capsys: pytest.CaptureFixture[str]
) -> None:
    """`ledger verify` and the program that needs nothing of Jara agree."""
    demo.done("ledger", "verify")
    demo.done("proofs", "bundle", "bundle.tar")

    status = jara_verify.main([str(demo.folder / "bundle.tar")])
    told = capsys.readouterr().out

    assert status == 0
    assert f"currency: {demo.currency}" in told


def test_exports_name_the_currency(demo: Demo) -> None:
    """The data package says what its cents are of; a member's statement has the sign."""
    demo.done("export", "datapackage", "open-data")
    package = json.loads((demo.folder / "open-data" / "datapackage.json").read_text())
    statement = demo.done("report", "statement", "ama.mensah@example.org", "--year", "last-year")

    assert f"whole cents of {demo.currency}" in package["description"]
    assert SYMBOLS[demo.currency] in statement
    assert FOREIGN_SIGNS[demo.currency].search(statement) is None


def test_the_samples_of_the_provider_are_in_it(demo: Demo) -> None:
    """Exports of Stripe in the currency are read; in US dollars they are refused by name."""
    demo.done("samples", "copy", "samples")
    demo.done("ledger", "import", "samples/payouts_itemized.csv", "--dry-run")
    shipped = Path(__file__).parents[2] / "data" / "samples" / "payouts_itemized.csv"
    refused = demo.run("ledger", "import", str(shipped), "--dry-run")

    assert f"kept only in '{demo.currency.lower()}'" in refused[1] + refused[2]


def test_a_payout_in_us_dollars_is_one_in_another_currency(demo: Demo, tmp_path: Path) -> None:
    """For these books US dollars are foreign, and their own currency is not."""
    demo = Demo(demo.currency, shutil.copytree(demo.folder, tmp_path / "copy"))
    base = ("projects", "pay", "clean-water-boreholes", "1", "--rate-source", "slip", "--yes")
    own = demo.run(*base, "--foreign", f"{demo.currency} 5")
    usd = demo.run(*base, "--foreign", "USD 1.10")

    assert f"'{demo.currency} 5' is in {demo.currency}, as the books are" in own[2]
    assert "as the books are" not in usd[2]
