"""Answers to ``jara setup``, and what it makes of them."""

import json
import subprocess
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute

ANSWERS = """
# A circle by the sea.
name = "Sankofa Circle"
legal-name = "Sankofa Giving Circle Inc."
address = "12 Harbour Road, Halifax"
contact = "hello@sankofa.example"
currency = "CAD"
time-zone = "America/Halifax"
split = "projects=82,staff=6,marketing=8,other=4"
province = "Nova Scotia"
refund-days = 30
privacy-officer = "Secretary"
hosting = "Host Inc."
mail-provider = "Post Inc."
effective = "today"
log-days = 30
language = "fr"
"""

TYPED = {
    "name": "சங்கோஃபா вече 会 Ọmọ",
    "legal-name": "-",
    "address": "12 Harbour Road, Halifax",
    "contact": "hello@sankofa.example",
    "currency": "CAD",
    "time-zone": "America/Halifax",
    "language": "fr",
    "split": "",
    "site-url": "",
    "cards": "",
    "smtp-url": "-",
    "province": "Nova Scotia",
    "refund-days": "30",
    "privacy-officer": "Secretary",
    "hosting": "Host Inc.",
    "mail-provider": "Post Inc.",
    "log-days": "30",
    "effective": "",
    "key": "",
    "operator": "ada",
}
"""What is typed at each question; an empty answer takes the value in brackets."""

ASKED = list(TYPED)


def make_key(folder: Path) -> None:
    """Create the user's SSH key."""
    (folder / ".ssh").mkdir(exist_ok=True)
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / ".ssh/id_ed25519")]
    subprocess.run(words, check=True)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command; return status, output and errors."""
    status = execute(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def answer(folder: Path, text: str) -> str:
    """Write a file of answers beside the organisation's folder; return its name."""
    file = folder.parent / f"{folder.name}.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def show(folder: Path) -> tuple[dict[str, Any], dict[str, int], list[tuple[str, list[list[str]]]]]:
    """Return what an organisation says about itself, its split and its keys."""
    texts = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in ("organisation show", "policy show", "operators list"):
            with redirect_stdout(StringIO()) as out:
                assert execute([*words.split(), "--json"]) == ExitCode.DONE
            texts.append(out.getvalue())
    organisation, policy, operators = map(json.loads, texts)
    names = [(one["id"], [key["roles"] for key in one["keys"]]) for one in operators]
    return organisation, policy["weights"], names
