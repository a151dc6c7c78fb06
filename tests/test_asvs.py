"""docs/asvs.md: complete, and what it names exists; and the rows that no other test shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from falcon import testing

from jara.services.authority import active_operators
from jara_webapi.app import create_app
from jara_webapi.pages.website import Website
from tests.harness import make_organisation
from tests.pages.commands import list_commands
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "asvs.md"
PYTHON = sorted(
    path
    for folder in ("src/jara", "cli/jara_cli", "webapi/jara_webapi")
    for path in (ROOT / folder).rglob("*.py")
)
SCRIPTS = sorted(
    path
    for path in (ROOT / "webui" / "src").rglob("*.ts*")
    if ".test." not in path.name and "testing" not in path.parts
)
_LEVEL_1 = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1,
    "15.3": 1,
}  # fmt: skip
LEVEL_1 = {f"{section}.{n}" for section, count in _LEVEL_1.items() for n in range(1, count + 1)}
"""In version 5.0.0 the rows of level 1 are the first ones of their sections."""


def rows() -> dict[str, tuple[str, str]]:
    """Return what stands in the third and fourth column of each row, by its number."""
    found = {}
    for line in PAGE.read_text("utf-8").splitlines():
        if match := re.match(r"\| (\d+\.\d+\.\d+) \|", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found[match[1]] = (cells[2], cells[3])
    return found


def test_every_row_of_level_1_is_there() -> None:
    """Seventy numbers, none missing and none made up."""
    assert len(LEVEL_1) == 70
    assert set(rows()) == LEVEL_1


@pytest.mark.parametrize("number", sorted(LEVEL_1))
def test_what_shows_a_row_exists(number: str) -> None:
    """A row without a test says in words that there is nothing to show, or what to run."""
    done, shown = rows()[number]
    names = re.findall(r"`([^`]+)`", shown)

    assert names or done.startswith(("there are none", "Jara is no", "the same", "`pip list"))
    assert [] == [name for name in names if not exists(name)]


def exists(name: str) -> bool:
    """Tell whether a command, a file, or a test in a file is there."""
    if name.startswith("jara "):
        return name in {path for path, _ in list_commands()}
    path, _, test = name.partition("::")
    if not (ROOT / path).is_file():
        return False
    return not test or f"def {test}(" in (ROOT / path).read_text("utf-8")


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Walk over the whole program."""
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield path, node


def imports() -> Iterator[tuple[Path, str]]:
    """Name every module that the program imports, and where."""
    for path, node in nodes():
        if isinstance(node, ast.Import):
            yield from ((path, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield path, node.module


def test_no_program_is_made_of_text() -> None:
    """Neither Python nor TypeScript evaluates text, and nothing starts a shell."""
    called = {
        (path.name, node.func.id)
        for path, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    text = "".join(path.read_text("utf-8") for path in SCRIPTS)

    assert not {name for _, name in called} & {"eval", "exec", "compile", "__import__"}
    assert "subprocess" not in {name for _, name in imports()}
    assert not re.search(r"os\.(system|popen)", "".join(p.read_text("utf-8") for p in PYTHON))
    assert not re.search(r"\beval\(|new Function\(|document\.write", text)


def test_no_xml_and_no_pickle_is_read() -> None:
    """What comes from outside is JSON, CSV, TOML or YAML of plain values."""
    unpickling = {path.name for path, name in imports() if name in {"pickle", "marshal", "shelve"}}
    xml = {name for _, name in imports() if name.startswith(("xml", "lxml"))}
    source = "".join(path.read_text("utf-8") for path in PYTHON)

    assert unpickling == {"time_order.py"}  # the sorter's own spilled rows, in a nameless file
    assert xml == {"xml.sax.saxutils"}  # which writes
    assert re.findall(r"yaml\.\w*load\w*\(.*", source) == [
        "yaml.load(text, Loader=_ContentLoader)  # noqa: S506 - a safe loader, see below"
    ]
    assert "(yaml.SafeLoader)" in (ROOT / "src/jara/files/content_files.py").read_text("utf-8")


def test_html_is_put_into_the_page_in_one_place() -> None:
    """Beside our own drawings there is one place; everything else is text to React."""
    places = {path.name for path in SCRIPTS if "dangerouslySetInnerHTML" in path.read_text("utf-8")}

    assert {"rich-html.tsx", "svg-art.tsx"} == places
    assert not any("innerHTML =" in path.read_text("utf-8") for path in SCRIPTS)


def test_there_are_no_cookies() -> None:
    """Neither the server sets one nor the page."""
    source = "".join(path.read_text("utf-8") for path in [*PYTHON, *SCRIPTS])

    assert not re.search(r"set_cookie|Set-Cookie|document\.cookie", source)


def test_password_fields_are_masked_and_open_to_password_managers() -> None:
    """Each says to the browser what it is, and none stops pasting."""
    wrong = []
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        if re.search(r"autoComplete(=|: )\"(current|new)-password\"", text):
            wrong += [] if re.search(r"type(=|: )\"password\"", text) else [path.name]
        wrong += [path.name] if "onPaste" in text else []

    assert [] == wrong


def test_no_weak_hash_and_no_cipher_is_used() -> None:
    """SHA-256 and what is built on it; nothing is encrypted, so nothing is encrypted badly."""
    source = "".join(path.read_text("utf-8") for path in PYTHON)

    assert not re.search(r"\b(md5|sha1)\b", source)
    assert "primitives.ciphers" not in source


def test_the_proxy_speaks_tls_alone() -> None:
    """New versions alone, and plain HTTP leads to them."""
    text = (ROOT / "docs" / "deploy" / "nginx.conf").read_text("utf-8")

    assert ["TLSv1.2 TLSv1.3"] == re.findall(r"ssl_protocols ([^;]+);", text)
    assert "return 301 https://" in text


def test_a_new_organisation_has_nobody(tmp_path: Path) -> None:
    """No member and no operator comes with the program."""
    context = make_organisation(tmp_path)
    with context.store.read() as work:
        assert [] == list(work.members.all())
        assert {} == active_operators(work)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """The web API of an organisation."""
    return open_desk(tmp_path)


def test_an_uploaded_file_runs_nothing(desk: Desk) -> None:
    """A browser that opens it directly takes it for what it is, and loads nothing for it."""
    folder = desk.application.settings.media_dir
    folder.mkdir()
    name = f"{'a' * 64}.pdf"
    (folder / name).write_bytes(b"%PDF-1.7 <script>alert(1)</script>")
    headers = desk.client.simulate_get(f"/media/{name}").headers

    assert "application/pdf" == headers["content-type"]
    assert "nosniff" == headers["x-content-type-options"]
    assert "default-src 'none'" in headers["content-security-policy"]


def test_hidden_files_are_not_served(desk: Desk, tmp_path: Path) -> None:
    """Not even those that somebody left in the folder of the website."""
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    (site / ".git" / "config").write_text("[remote]")
    (site / ".env").write_text("KEY=1")
    (site / "index.html").write_text("app")
    (site / "404.html").write_text("none")
    client = testing.TestClient(create_app(desk.application, website=Website(site)))

    assert 200 == client.simulate_get("/").status_code
    for path in ("/.git/config", "/.env", "/.git/"):
        assert 404 == client.simulate_get(path).status_code


def test_no_get_writes(desk: Desk) -> None:
    """Whoever is made to open an address changes nothing."""
    token = desk.join()
    before = dump(desk)
    for call in CALLS:
        if call.method == "GET":
            desk.get(call.address, token=token, query_string=call.query)

    assert before == dump(desk)


def dump(desk: Desk) -> list[Any]:
    """Return every row of the database."""
    with desk.application.database.transaction(write=False) as sql:
        names = sql.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [sql.all(f"SELECT * FROM {name}") for (name,) in names]  # noqa: S608 - names of our own tables
