"""Draws docs/images/terminal.svg: three commands on the sample organisation.

``python -m tests.pages.picture`` creates the organisation in a temporary folder.
"""

import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests.pages.architecture import ROOT

PICTURE = ROOT / "docs" / "images" / "terminal.svg"
WIDTH = 96
JARA = [sys.executable, "-c", "from jara_cli.main import run; run()"]


def draw(steps: list[tuple[str, str]]) -> str:
    """Return an SVG of a terminal with commands and their output."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for command, printed in steps:
        console.print(Text("$ ", "bold green") + Text(command, "bold"))
        console.print(Text(printed.rstrip() + "\n"))
    svg = console.export_svg(title="jara", theme=MONOKAI)
    return re.sub(r"@font-face {.*?}\s*", "", svg, flags=re.DOTALL)  # loads no fonts


def main() -> None:
    """Make the sample organisation, run the commands and write the picture."""
    with tempfile.TemporaryDirectory() as folder:

        def run(line: str) -> str:
            words = [*JARA, *line.split()[1:]]
            return subprocess.run(
                words, cwd=folder, capture_output=True, text=True, check=True
            ).stdout

        sample = json.loads(run("jara demo --json"))
        Path(folder, "jara.toml").write_text('JARA_DATABASE_URL = "jara-demo/jara.db"\n')
        slug = json.loads(run("jara proposals list --json"))[-1]["slug"]
        lines = [f"jara votes tally {slug}", f"jara trace {sample['email']}", "jara ledger verify"]
        steps = [(line, run(line)) for line in lines]
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(steps), "utf-8")


if __name__ == "__main__":
    main()
