"""docs/asvs.md is complete and names existing tests; some rows are tested only here."""

from __future__ import annotations

import ast
import io
import json
import logging
import re
import ssl
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from falcon import testing
from gunicorn.http.errors import LimitRequestHeaders
from yaml.constructor import SafeConstructor

from jara.domain.giving.member import SITE_WORDS
from jara.files.content_files import _ContentLoader
from jara.security.keys import SystemEntropy
from jara.services.authority import active_operators
from jara.services.mailed_codes import CODE_BYTES
from jara.services.ports.payments import ProviderUnavailable
from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import JsonLines, log_to
from jara_webapi.middleware.security_headers import POLICY
from jara_webapi.pages.website import Website
from jara_webapi.server.deadline_worker import answer_to_malformed
from tests.harness import make_organisation
from tests.pages.commands import list_commands
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "asvs.md"
SECURITY = ROOT / "docs" / "security.md"
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
"""In version 5.0.0 the rows of level 1 come first in their sections."""

_LEVEL_2 = {
    "1.1": 2, "1.2": 4, "1.3": 9, "1.4": 3, "1.5": 1, "2.1": 2, "2.2": 1, "2.3": 3, "2.4": 1,
    "3.3": 3, "3.4": 4, "3.5": 2, "3.7": 2, "4.1": 2, "4.2": 1, "4.3": 2, "4.4": 3, "5.1": 1,
    "5.2": 1, "5.4": 3, "6.1": 2, "6.2": 4, "6.3": 2, "6.4": 2, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.3": 2, "7.4": 3, "7.5": 2, "7.6": 2, "8.1": 1, "8.2": 1, "8.4": 1, "9.2": 3,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 6, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2,
    "11.2": 3, "11.3": 1, "11.4": 3, "11.5": 1, "11.6": 1, "12.1": 2, "12.3": 4, "13.1": 1,
    "13.2": 5, "13.3": 2, "13.4": 4, "14.1": 2, "14.2": 3, "14.3": 2, "15.1": 2, "15.2": 2,
    "15.3": 6, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip
LEVEL_2 = {
    f"{section}.{_LEVEL_1.get(section, 0) + n}"
    for section, count in _LEVEL_2.items()
    for n in range(1, count + 1)
}
"""Rows of level 2 follow, then those of level 3, if there are any."""


def rows() -> dict[str, tuple[str, str]]:
    """Return the third and fourth column of each row, by number."""
    found = {}
    for line in PAGE.read_text("utf-8").splitlines():
        if match := re.match(r"\| (\d+\.\d+\.\d+) \|", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found[match[1]] = (cells[2], cells[3])
    return found


def test_every_row_is_there() -> None:
    """The page has 70 rows of level 1 and 183 of level 2, none missing and none invented."""
    assert (len(LEVEL_1), len(LEVEL_2)) == (70, 183)
    assert set(rows()) == LEVEL_1 | LEVEL_2


def standing(done: str) -> str:
    """Return the state of a row from its third column."""
    for word in ("not met", "partly"):
        if f"**{word}**" in done:
            return word
    return "n/a" if done.startswith("does not apply: ") or done == "the same" else "met"


def test_the_page_says_how_many_rows_are_met() -> None:
    """The sentences at the start agree with the tables."""
    stands = {number: standing(done) for number, (done, _) in rows().items()}
    count = Counter(stands.values())
    text = PAGE.read_text("utf-8")
    figures = (
        f"Of the {len(stands)} rows {count['met']} are met, {count['partly']} partly met, "
        f"{count['not met']} **not met**, and {count['n/a']} do not apply."
    )
    missing = ", ".join(number for number, stand in stands.items() if stand == "not met")

    assert figures in text
    assert f"Not met are {missing};" in text


def test_each_row_names_an_existing_test() -> None:
    """A row without a test explains why, or names a command."""
    for number, (done, shown) in rows().items():
        names = re.findall(r"`([^`]+)`", shown)

        has_no_test = standing(done) in {"n/a", "not met"} or done.startswith("`pip list")
        assert names or has_no_test, number
        assert [name for name in names if not exists(name)] == [], number


def exists(name: str) -> bool:
    """Return whether a command, a file, or a test in a file exists."""
    if name.startswith("jara "):
        return name in {path for path, _ in list_commands()}
    path, _, test = name.partition("::")
    if not (ROOT / path).is_file():
        return False
    return not test or f"def {test}(" in (ROOT / path).read_text("utf-8")


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Return the imports, calls and functions of the whole program."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call, ast.FunctionDef)
    return [
        (path, node)
        for path in PYTHON
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, kinds)
    ]


def imports() -> Iterator[tuple[Path, str]]:
    """Yield each imported module with the importing file."""
    for path, node in nodes():
        if isinstance(node, ast.Import):
            yield from ((path, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield path, node.module


def test_no_program_is_made_of_text() -> None:
    """Neither Python nor TypeScript evaluates text, and no code starts a shell."""
    called = {
        (path.name, node.func.id)
        for path, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    text = "".join(path.read_text("utf-8") for path in SCRIPTS)

    assert not {name for _, name in called} & {"eval", "exec", "compile", "__import__"}
    source = "".join(path.read_text("utf-8") for path in PYTHON)
    # Our own module paints images; what it paints comes from standard input.
    assert {path.name for path, name in imports() if name == "subprocess"} == {"preview_program.py"}
    assert source.count("subprocess.run(") == source.count('[sys.executable, "-m", __name__],') == 1
    assert not re.search(r"os\.(system|popen)|shell=|Popen", source)
    assert not re.search(r"\beval\(|new Function\(|document\.write", text)


def test_no_xml_and_no_pickle_is_read() -> None:
    """External data are JSON, CSV, TOML, YAML of plain values, or XML parsed by defusedxml."""
    unpickling = {path.name for path, name in imports() if name in {"pickle", "marshal", "shelve"}}
    xml = {name for _, name in imports() if name.startswith(("xml", "lxml"))}
    source = "".join(path.read_text("utf-8") for path in PYTHON)

    assert unpickling == {"reader.py"}  # the sorter's own temporary rows, in an unnamed file
    # The first writes. The others use only errors, elements and the writer: defusedxml
    # parses banks' files and logos.
    assert xml == {"xml.sax.saxutils", "xml.parsers.expat", "xml.etree.ElementTree"}
    assert re.findall("etree.ElementTree import (.*)", source) == ["Element, ParseError"]
    assert source.count("fromstring(") == 1  # for a logo, which may have a DTD but no entity
    assert "from defusedxml.ElementTree import fromstring\n" in source
    assert "expat import ExpatError\n" in source
    assert source.count("DefusedXMLParser(forbid_dtd=True") == source.count("XMLParser(") == 1
    assert re.findall(r"yaml\.\w*load\w*\(.*", source) == [
        "yaml.load(text, Loader=_ContentLoader)  # noqa: S506 - a safe loader, see below"
    ]
    assert issubclass(_ContentLoader, SafeConstructor)


def test_html_is_put_into_the_page_in_one_place() -> None:
    """One place inserts HTML, apart from Jara's own drawings; React escapes all other text."""
    places = {path.name for path in SCRIPTS if "dangerouslySetInnerHTML" in path.read_text("utf-8")}

    assert places == {"rich-html.tsx", "svg-art.tsx"}
    assert not any("innerHTML =" in path.read_text("utf-8") for path in SCRIPTS)


def test_the_only_cookie_holds_a_language() -> None:
    """One place in the server sets it, and no script sets one."""
    setting = re.compile(r"set_cookie|Set-Cookie|document\.cookie")
    places = [path for path in [*PYTHON, *SCRIPTS] if setting.search(path.read_text("utf-8"))]

    assert [path.name for path in places] == ["site_files.py"]


def test_password_fields_are_masked_and_open_to_password_managers() -> None:
    """Each field has its autocomplete type, and none prevents pasting."""
    wrong = []
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        if re.search(r"autoComplete(=|: )\"(current|new)-password\"", text):
            wrong += [] if re.search(r"type(=|: )\"password\"", text) else [path.name]
        wrong += [path.name] if "onPaste" in text else []

    assert wrong == []


def test_no_weak_hash_and_no_cipher_is_used() -> None:
    """Hashes are SHA-256 or based on it; encryption uses age, and AES-256-GCM inside a row."""
    source = "".join(path.read_text("utf-8") for path in PYTHON)

    assert not re.search(r"\b(md5|sha1)\b", source)
    assert source.count("aead.") == source.count("aead.AESGCM(") == 1
    assert set(re.findall(r"primitives\.ciphers(.*)", source)) == {" import aead"}


def test_the_proxy_speaks_tls_alone() -> None:
    """Only recent TLS versions are accepted, and plain HTTP redirects to them."""
    text = (ROOT / "docs" / "deploy" / "nginx.conf").read_text("utf-8")

    assert re.findall(r"ssl_protocols ([^;]+);", text) == ["TLSv1.2 TLSv1.3"]
    assert "return 301 https://" in text


def test_a_new_organisation_has_nobody(tmp_path: Path) -> None:
    """A new organisation has no members and no operators."""
    context = make_organisation(tmp_path)
    with context.store.read() as work:
        assert list(work.members.all()) == []
        assert active_operators(work) == {}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """The web API of an organisation."""
    return open_desk(tmp_path)


def test_an_uploaded_file_runs_nothing(desk: Desk) -> None:
    """Opened directly, a file is shown as its type and loads nothing."""
    folder = desk.application.settings.media_dir
    folder.mkdir()
    name = f"{'a' * 64}.pdf"
    (folder / name).write_bytes(b"%PDF-1.7 <script>alert(1)</script>")
    headers = desk.client.simulate_get(f"/media/{name}").headers

    assert headers["content-type"] == "application/pdf"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-disposition"] == f'inline; filename="{name}"'
    assert "default-src 'none'" in headers["content-security-policy"]


def test_hidden_files_are_not_served(desk: Desk, tmp_path: Path) -> None:
    """Hidden files in the website's folder are not served."""
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    (site / ".git" / "config").write_text("[remote]")
    (site / ".env").write_text("KEY=1")
    (site / "index.html").write_text("app")
    (site / "404.html").write_text("none")
    client = testing.TestClient(create_app(desk.application, website=Website(site)))

    assert client.simulate_get("/").status_code == 200
    for path in ("/.git/config", "/.env", "/.git/"):
        assert client.simulate_get(path).status_code == 404


def test_no_get_writes(desk: Desk) -> None:
    """A GET request changes nothing, so a link cannot either; wrong links are counted."""
    token = desk.join()
    before = dump(desk)
    for call in CALLS:
        if call.method == "GET":
            desk.get(call.address, token=token, query_string=call.query)

    assert dump(desk) == before


def dump(desk: Desk) -> list[Any]:
    """Return every row of the database."""
    with desk.application.database.transaction(write=False) as sql:
        names = sql.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [sql.all(f"SELECT * FROM {name}") for (name,) in names if name != "limit_uses"]  # noqa: S608 - names of our own tables


def test_patterns_and_formats_are_constants() -> None:
    """Input never becomes a regular expression, a format or a template."""
    patterns, formats = set(), set()
    for path, node in nodes():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner, name = node.func.value, node.func.attr
        if isinstance(owner, ast.Name) and owner.id == "re" and name != "escape":
            if not isinstance(node.args[0], ast.Constant | ast.JoinedStr):
                patterns.add(path.name)
        elif name in {"format", "format_map"} and not isinstance(owner, ast.Constant):
            formats.add((path.name, ast.unparse(owner)))
    source = "".join(path.read_text("utf-8") for path in PYTHON)

    # From files and constants of the package.
    assert patterns == {
        "content_files.py",
        "csv_advice.py",
        "field.py",
        "scenes.py",
        "signals.py",
    }
    assert formats == {
        ("electors.py", "condition"),  # constants of its callers
        ("payment_account.py", "_CONFIRMED"),
        ("formats.py", "self._moment"),  # from a file of the package
        ("texts.py", "template"),  # of our code, or from a file of the package
        ("templating.py", "link"),  # from the writer itself, see its callers
        ("events.py", "_REFUSED"),
    }
    assert "Template(" not in re.sub(r"\w+Template\(", "", source)
    assert source.count("from_string(") == 1  # legal texts of an operator, in a sandbox
    sandbox = (ROOT / "src/jara/services/legal/templates.py").read_text("utf-8")
    assert "SandboxedEnvironment" in sandbox
    assert ".from_string(" in sandbox


def test_few_modules_open_connections() -> None:
    """Only Stripe, mail server, database, SSH agent and witnesses are contacted."""
    ways = re.compile(
        r"(socket|ssl|smtplib|ftplib|imaplib|asyncio|xmlrpc|http\.client|urllib\.request|urllib3|"
        r"requests|httpx|psycopg|psycopg_pool)(\..*)?"
    )

    assert {(path.name, name) for path, name in imports() if ways.fullmatch(name)} == {
        ("senders.py", "smtplib"),
        ("senders.py", "ssl"),
        ("pool.py", "psycopg"),
        ("pool.py", "psycopg.conninfo"),
        ("pool.py", "psycopg.rows"),
        ("pool.py", "psycopg_pool"),
        ("connection.py", "psycopg"),
        ("connection.py", "psycopg.rows"),
        ("connection.py", "psycopg.types.numeric"),
        ("signing.py", "socket"),
        ("fetching.py", "http.client"),
        ("fetching.py", "ssl"),
        ("deadline_worker.py", "socket"),  # this one accepts connections
        ("serve.py", "socket"),  # this one checks whether a port is free
    }


STRICT = ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")


def test_every_answer_has_the_policy(desk: Desk) -> None:
    """Requests refused before the application get it too."""
    malformed = answer_to_malformed(LimitRequestHeaders("too many")).decode()
    policies = [malformed]
    for path in ("/healthz", "/metrics", "/robots.txt", "/media/none", "/api/config", "/api/none"):
        headers = desk.client.simulate_get(path).headers
        policies.append(headers["content-security-policy"])
        assert headers["x-content-type-options"] == "nosniff"

    assert "X-Content-Type-Options: nosniff\r\n" in malformed
    assert all(part in policy for part in STRICT for policy in policies)


def test_an_unchanged_answer_keeps_its_policy(tmp_path: Path, desk: Desk) -> None:
    """Otherwise nginx would add the policy of its own errors to a 304."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("app")
    client = testing.TestClient(create_app(desk.application, website=Website(tmp_path / "site")))

    for path in ("/api/config", "/"):
        first = client.simulate_get(path).headers
        again = client.simulate_get(path, headers={"If-None-Match": first["etag"]})
        assert again.status_code == 304
        assert first["content-security-policy"] == again.headers["content-security-policy"]
        assert again.headers["x-content-type-options"] == "nosniff"


def test_the_policy_names_this_site_and_stripe_alone() -> None:
    """The policy allows no tracker, foreign font or other script."""
    hosts = set(re.findall(r"https?://\S+?(?=[; ]|$)", POLICY))

    assert hosts
    assert all(re.fullmatch(r"https://([a-z*]+\.)*stripe\.com", host) for host in hosts)


def nginx() -> str:
    """Return the nginx configuration."""
    return (ROOT / "docs" / "deploy" / "nginx.conf").read_text("utf-8")


def test_nginx_s_own_errors_have_headers() -> None:
    """Its configuration adds them only where Jara's answer has none."""
    own = re.search(r'content_security_policy \$own_policy \{\s+"" "([^"]+)"', nginx())

    assert own
    assert all(part in own[1] for part in STRICT)
    assert "add_header Content-Security-Policy $own_policy always;" in nginx()
    assert "add_header X-Content-Type-Options $own_nosniff always;" in nginx()


def test_the_proxy_has_strong_ciphers_alone() -> None:
    """Ciphers have forward secrecy and authentication, the strongest first."""
    (ciphers,) = re.findall(r"ssl_ciphers ([^;]+);", nginx())
    names = ciphers.split(":")

    assert all(re.fullmatch(r"ECDHE-.*(GCM|CHACHA20)-.*", name) for name in names)
    assert all("AES128" not in name for name in names[:4])
    assert "ssl_prefer_server_ciphers on;" in nginx()
    assert ssl.create_default_context().set_ciphers(ciphers) is None  # type: ignore[func-returns-value] # it raises for unknown names


def test_the_api_is_not_redirected_to_tls() -> None:
    """A client without TLS gets an error and notices it."""
    plain = nginx().split("listen 443")[0]

    assert re.search(r"location /api/ \{\s+return 403;", plain)


def test_the_site_listens_to_no_messages() -> None:
    """The site handles no messages from other windows; a channel reaches its own origin alone."""
    text = "".join(path.read_text("utf-8") for path in SCRIPTS)
    ways = r"(\w+)\.(?:addEventListener\(\s*\"message\"|onmessage|postMessage\()"

    assert set(re.findall(ways, text)) == {"channel"}
    assert len(re.findall(r"const channel = new BroadcastChannel\(", text)) == 1
    assert not re.search(r"(?<!\.)\b(?:onmessage|postMessage\()", text)


def test_no_key_from_outside_is_assigned() -> None:
    """Computed keys in scripts are only indices and fund names."""
    text = "".join(path.read_text("utf-8") for path in SCRIPTS)

    assert not re.search(r"Object\.assign|__proto__", text)
    assert set(re.findall(r"\b(?!(?:const|let) )(\w+\[[\w.]+\]) = ", text)) == {
        "counts[index]",
        "shares[line.fund]",
        "parts[fund]",
    }


def test_words_of_the_site_are_documented() -> None:
    """The password rule lists each of them."""
    (rule,) = re.findall(r"words of this site \(([^)]+)\)", SECURITY.read_text("utf-8"))

    assert rule.split(", ") == list(SITE_WORDS)


def test_secrets_come_from_the_operating_system() -> None:
    """Secrets have at least 128 bits, and never come from the module `random`."""
    entropy = (ROOT / "src/jara/security/keys.py").read_text("utf-8")

    assert "return secrets.token_bytes(size)" in entropy
    assert len(SystemEntropy().token(32)) == 32
    assert CODE_BYTES * 8 == 192
    assert {
        path.name for path, name in imports() if name == "random" and "samples" not in path.parts
    } == {"request_metrics.py"}


def test_cryptography_is_done_by_libraries() -> None:
    """Only the verifier, which runs without Jara, implements curve arithmetic itself."""
    own = {
        path.name
        for path, node in nodes()
        if isinstance(node, ast.FunctionDef) and re.search(r"(ed25519|curve|aes|chacha)", node.name)
    }

    assert own == {"jara_verify.py"}


def test_folders_are_not_listed(tmp_path: Path, desk: Desk) -> None:
    """A folder is answered with 404."""
    (tmp_path / "site" / "assets").mkdir(parents=True)
    for name in ("assets/one.js", "index.html", "404.html"):
        (tmp_path / "site" / name).write_text(name)
    client = testing.TestClient(create_app(desk.application, website=Website(tmp_path / "site")))

    for path in ("/assets", "/assets/", "/media", "/media/"):
        answer = client.simulate_get(path)
        assert (answer.status_code, "one.js" in answer.text) == (404, False)


def test_trace_is_refused(tmp_path: Path, desk: Desk) -> None:
    """Calls, pages and all other paths refuse TRACE."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("app")
    client = testing.TestClient(create_app(desk.application, website=Website(tmp_path / "site")))

    for path in ("/api/config", "/", "/healthz"):
        assert client.simulate_request("TRACE", path).status_code == 405


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines of the log and close it."""
    logging.getLogger("jara.web").handlers.clear()
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_refusals_are_in_the_log(desk: Desk) -> None:
    """Every sign-in attempt, refused token and refused value is logged."""
    log_to(stream := io.StringIO())
    desk.post("/user/login", {"email": "ama@example.org", "password": "not this one"})
    forged = {"id": "AA", "clientData": "AA", "authenticatorData": "AA", "signature": "AA"}
    desk.post("/user/login/passkey", forged)
    desk.get("/user/get-profile", token="forged")
    desk.post("/newsletter", {"email": 1})

    assert [(line["route"], line["status"]) for line in logged(stream)] == [
        ("/api/user/login", 401),
        ("/api/user/login/passkey", 422),
        ("/api/user/get-profile", 401),
        ("/api/newsletter", 422),
    ]


def test_a_failure_outside_is_logged_by_its_class(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the error's class is logged, because the message may name a person."""

    def failing(_context: object) -> None:
        raise ProviderUnavailable("ama@example.org") from ssl.SSLError("bad certificate")

    monkeypatch.setattr("jara_webapi.resources.reports.site_figures", failing)
    log_to(stream := io.StringIO())
    answer = desk.get("/user/all-users", query_string="n=failing")
    line, _ = logged(stream)

    assert answer.status_code == 502
    assert "ama" not in stream.getvalue()
    assert (line["code"], line["causes"]) == ("payment_provider_failed", ["SSLError"])
    assert answer.headers["x-request-id"] == line["request"]


def test_a_line_of_the_log_is_one_line() -> None:
    """A log entry is one line for any content, with the time in UTC."""
    text = 'x\r\n{"time": "2026"}\u2028\x1b[2J'
    line = JsonLines().format(logging.makeLogRecord({"msg": text, "created": 0.0}))

    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert (json.loads(line)["message"], json.loads(line)["time"]) == (text, "1970-01-01T00:00:00Z")


def test_there_is_one_handler_of_logs() -> None:
    """The only log is standard error, so no other file needs protection."""
    handling = re.compile(r"\b(?!Null|add)\w+Handler\(|basicConfig|handlers\[")

    assert {path.name for path in PYTHON if handling.search(path.read_text("utf-8"))} == {
        "request_metrics.py"
    }
