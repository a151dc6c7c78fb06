"""``jara organisation`` and ``jara legal``: its own name, and its own texts."""

from email import message_from_bytes, policy

import pytest

from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES, SOCIAL
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell

pytestmark = pytest.mark.usefixtures("stopped_clock")

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path d="M0 0h9"/></svg>'
WORDS = (
    *("--name", "Åse, Circle"),
    *("--legal-name", "Baobab Inc."),
    *("--address", "12 Harbour Road"),
)


def test_values_can_be_set_and_unset(jara: GivingShell) -> None:
    """`show` marks the organisation's own values; `unset` accepts both spellings."""
    (jara.folder / "logo.svg").write_text(DRAWING)
    jara.done("organisation", "set", *WORDS, "--colour", "#7A1F3D", "--logo", "logo.svg")
    shown = jara.json("organisation", "show")
    (stored,) = (jara.folder / "jara.media").iterdir()

    assert (shown["name"], shown["legalName"]) == ("Åse, Circle", "Baobab Inc.")
    assert (shown["colour"], shown["logo"]) == ("#7a1f3d", f"/media/{stored.name}")
    assert shown["own"] == ["name", "legalName", "address", "colour", "logo"]

    left = jara.json("organisation", "unset", "legal-name", "legalName", "colour", "logo", "name")

    assert (left["name"], left["colour"], left["logo"], left["own"]) == (
        "Jara",
        "",
        "",
        ["address"],
    )


def test_a_wrong_value_is_refused_with_a_reason(jara: GivingShell) -> None:
    """The error names the contrast ratio, the part or the file."""
    (jara.folder / "logo.gif").write_bytes(b"GIF89a")
    for words, says in (
        (("set", "--colour", "#ffb61e"), "1.75:1 with white text"),
        (("set", "--logo", "logo.gif"), "logo.gif is neither SVG nor PNG"),
        (("set",), "Say what to set"),
        (("unset", "slogan"), "'slogan' cannot be set"),
    ):
        status, _, err = jara.run("organisation", *words)
        assert (status, says in err) == (ExitCode.USAGE, True), err

    assert jara.run("organisation", "set", "--logo", "none.svg")[0] == ExitCode.NOT_FOUND


def test_emails_are_sent_in_the_organisation_s_name(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From, footer and contact use the name; the sender's address stays the setting's."""
    monkeypatch.setenv("JARA_MAIL_FROM", "Jara <mail@jara.example>")
    person = ("--firstname", "Efua", "--lastname", "Addo", "--country", "gh")
    jara.done("members", "invite", *person, "--email", "efua@example.org")
    before = jara.done("mail", "preview", "receipt")
    jara.done("organisation", "set", *WORDS, "--contact", "hello@ase.example")
    jara.done("mail", "send")
    email = next((jara.folder / "jara.mail").glob("*.eml"))
    message = message_from_bytes(email.read_bytes(), policy=policy.default)
    (sender,) = message["From"].addresses
    body = message.get_body(("plain",))
    assert body is not None
    footer = body.get_content().replace("\r", "").partition("-- \n")[2].splitlines()

    assert "-- \nJara\nhttp" in before
    assert (sender.display_name, sender.addr_spec) == ("Åse, Circle", "mail@jara.example")
    assert footer[:3] == ["Åse, Circle", "Baobab Inc.", "12 Harbour Road"]
    assert "Questions: hello@ase.example" in footer
    assert "Jara" not in body.get_content()


def test_every_declared_value_has_an_option_and_is_shown(jara: GivingShell) -> None:
    """The options follow from the declaration; `own` names what is set here."""
    texts = {"contact": "a@b.example", "colour": "#7a1f3d", "refundDays": "30", "logo": "logo.svg"}
    texts["language"] = "fr"
    links = {IdentityPart.CHAT, IdentityPart.SITE_URL, *SOCIAL}
    (jara.folder / "logo.svg").write_text(DRAWING)
    for part, value in OWN_VALUES.items():
        text = "https://a.example" if part in links else texts.get(part, f"“{part}” <b>&'")
        jara.done("organisation", "set", value.option, text)
        shown = jara.json("organisation", "show")[part]
        assert shown == text or (part == "logo" and shown.startswith("/media/"))

    assert jara.json("organisation", "show")["own"] == list(OWN_VALUES)
    left = jara.json("organisation", "unset", *(value.option[2:] for value in OWN_VALUES.values()))
    assert (left["own"], left["name"], left["chat"]) == ([], "Jara", "")


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal with an organisation whose shipped texts hold, and own texts in files."""
    jara.done("organisation", "set", "--effective", "today")
    (jara.folder / "ours.md").write_text("# Ours\n", "utf-8")
    (jara.folder / "notre.md").write_text("# Le nôtre\n", "utf-8")
    return jara


def languages(shell: GivingShell) -> list[list[str]]:
    """Return the languages of each version of the terms."""
    return [one["languages"] for one in shell.json("legal", "list") if one["text"] == "terms"]


def test_one_import_brings_several_languages(shell: GivingShell) -> None:
    """It is one version, and no reader misses a text."""
    status, _, err = shell.run("legal", "import", "terms", "en=ours.md", "fr=notre.md")

    assert (status, err) == (ExitCode.DONE, "")
    assert languages(shell) == [["en", "fr"], ["en", "fr"]]
    assert shell.json("legal", "show", "terms", "--language", "fr")["markdown"] == "# Le nôtre\n"


def test_an_own_text_replaces_the_shipped_ones_of_every_language(shell: GivingShell) -> None:
    """A note says so, until there is one in each language; the list has what a version says."""
    told = [
        shell.run("legal", "import", "terms", "ours.md")[2],
        shell.run("legal", "import", "terms", "notre.md", "--language", "fr")[2],
    ]

    assert " ".join(told[0].split()) == (
        "There is no text of your own in fr, and those that come with Jara are not shown beside "
        "own ones: its readers get another language, and a note that says so."
    )
    assert told[1] == ""
    assert languages(shell) == [["en", "fr"], ["en"], ["en", "fr"]]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["ours.md", "notre.md"], "Two files are in 'en'; write en=FILE fr=FILE."),
        (["fr=ours.md", "fr=notre.md"], "Two files are in 'fr'; write en=FILE fr=FILE."),
        ([], "Name a file with your text, or --shipped."),
        (["ours.md", "--shipped"], "Name a file with your text, or --shipped."),
    ],
)
def test_each_file_has_another_language(shell: GivingShell, files: list[str], says: str) -> None:
    """Nothing is put into effect otherwise."""
    status, _, err = shell.run("legal", "import", "terms", *files)

    assert (status, says in " ".join(err.split())) == (ExitCode.USAGE, True), err
    assert len(languages(shell)) == 1
