"""Runs ``jara`` in this process on an organisation in a folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from jara.services.context import Context
from jara_cli.main import execute
from tests.harness import NOON, make_context, make_organisation

PROPOSAL = """
id: prop_01
title: Clean water
summary: Three boreholes for three villages.
fundingGoal: 5.00
country: Tanzania
countryCode: TZ
category: water
endDate: 2999-12-31
storySections: <p>Long walks.<script>alert(1)</script></p>
"""


class Shell:
    """A terminal whose working folder holds one organisation."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Create the organisation and change into its folder."""
        self.folder = folder
        self._capsys = capsys
        self._seed = 0
        patch.chdir(folder)
        patch.setenv("JARA_SECRETS_DIR", str(folder / "secrets"))
        context = make_organisation(folder, database=folder / "jara.db")
        context.store.close()

    def context(self) -> Context:
        """Return the context that the services use, at noon of a fixed day."""
        self._seed += 1
        return make_context(
            self.folder, at=NOON, database=self.folder / "jara.db", seed=f"shell-{self._seed}"
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        """Run a command; return status, standard output and standard error."""
        status = execute(list(words))
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def json(self, *words: str) -> Any:
        """Run a command that must succeed with ``--json`` and return its document."""
        status, out, err = self.run(*words, "--json")
        assert (status, err) == (0, ""), err
        return json.loads(out)

    def write(self, name: str, text: str) -> str:
        """Write a file and return its name."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return name
