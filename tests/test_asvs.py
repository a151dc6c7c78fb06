"""docs/asvs.md is complete and names existing tests; some rows are tested only here."""

import ast
import re
import ssl
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

from yaml.constructor import SafeConstructor

from jara.domain.giving.member import SITE_WORDS
from jara.files.content_files import _ContentLoader
from jara.security.keys import SystemEntropy
from jara.services.authority import active_operators
from jara.services.mailed_codes import CODE_BYTES
from tests.harness import make_organisation
from tests.pages.commands import list_commands
from tests.product_code import MODULES, ROOT, nodes
from tests.webapi.test_strict_answers import STRICT

PAGE = ROOT / "docs" / "asvs.md"
SECURITY = ROOT / "docs" / "security.md"
PYTHON = [ROOT / name for name in MODULES]
SOURCE = "".join(MODULES.values())
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


def imports() -> Iterator[tuple[PurePath, str]]:
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
    # Our own module paints images; what it paints comes from standard input.
    assert {path.name for path, name in imports() if name == "subprocess"} == {"preview_program.py"}
    assert SOURCE.count("subprocess.run(") == SOURCE.count('[sys.executable, "-m", __name__],') == 1
    assert not re.search(r"os\.(system|popen)|shell=|Popen", SOURCE)
    assert not re.search(r"\beval\(|new Function\(|document\.write", text)


def test_no_xml_and_no_pickle_is_read() -> None:
    """External data are JSON, CSV, TOML, YAML of plain values, or XML parsed by defusedxml."""
    unpickling = {path.name for path, name in imports() if name in {"pickle", "marshal", "shelve"}}
    xml = {name for _, name in imports() if name.startswith(("xml", "lxml"))}

    assert unpickling == {"reader.py"}  # the sorter's own temporary rows, in an unnamed file
    # The first writes. The others use only errors, elements and the writer: defusedxml
    # parses banks' files and logos.
    assert xml == {"xml.sax.saxutils", "xml.parsers.expat", "xml.etree.ElementTree"}
    assert re.findall("etree.ElementTree import (.*)", SOURCE) == ["Element, ParseError"]
    assert SOURCE.count("fromstring(") == 1  # for a logo, which may have a DTD but no entity
    assert "from defusedxml.ElementTree import fromstring\n" in SOURCE
    assert "expat import ExpatError\n" in SOURCE
    assert SOURCE.count("DefusedXMLParser(forbid_dtd=True") == SOURCE.count("XMLParser(") == 1
    assert re.findall(r"yaml\.\w*load\w*\(.*", SOURCE) == [
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
    assert not re.search(r"\b(md5|sha1)\b", SOURCE)
    assert SOURCE.count("aead.") == SOURCE.count("aead.AESGCM(") == 1
    assert set(re.findall(r"primitives\.ciphers(.*)", SOURCE)) == {" import aead"}


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

    # From files and constants of the package.
    assert patterns == {
        "content_files.py",
        "csv_advice.py",
        "field.py",
        "pdf.py",
        "scenes.py",
        "signals.py",
    }
    assert formats == {
        ("__init__.py", "_UNTOLD"),  # of `jara payments`
        ("accounts.py", "_BARE"),  # of `jara members`, as the next one
        ("accounts.py", "_HELD"),
        ("mail.py", "_WITHDRAWN_BY"),
        ("electors.py", "condition"),  # constants of its callers
        ("entries.py", "template"),  # of two constants above it
        ("payment_account.py", "_CONFIRMED"),
        ("formats.py", "self._moment"),  # from a file of the package
        ("texts.py", "template"),  # of our code, or from a file of the package
        ("templating.py", "link"),  # from the writer itself, see its callers
        ("events.py", "_REFUSED"),
    }
    assert "Template(" not in re.sub(r"\w+Template\(", "", SOURCE)
    assert SOURCE.count("from_string(") == 1  # legal texts of an operator, in a sandbox
    sandbox = (ROOT / "src/jara/services/legal/reading.py").read_text("utf-8")
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


def test_there_is_one_handler_of_logs() -> None:
    """The only log is standard error, so no other file needs protection."""
    handling = re.compile(r"\b(?!Null|add)\w+Handler\(|basicConfig|handlers\[")

    assert {path.name for path in PYTHON if handling.search(path.read_text("utf-8"))} == {
        "request_metrics.py"
    }
