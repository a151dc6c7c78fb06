"""What follows from the answers: the settings file, and commands that are run one by one.

Each step looks at what is there and does what is missing, so that setup can be killed and run
again at any time.
"""

import io
import json
import os
import re
import shlex
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import typer

from jara.bootstrap import Application, build, read_settings
from jara.bootstrap.emails import is_mail_tested, mail_way, note_mail_test
from jara.bootstrap.keys import agent_keys
from jara.config.loading import setting_of
from jara.config.settings import DECIDED, Settings, declared, variable_of
from jara.config.settings_file import Value, key_lines, setting_line, with_settings
from jara.domain.control.ssh import parse_public_key
from jara.domain.errors import JaraError, NotFound, Unavailable
from jara.domain.legal.versions import LegalText, Status
from jara.domain.organisation import DEFAULT_NAME, Cards
from jara.services.operations.diagnosis_setup import CheckResult, warning
from jara.services.organisation import require_changeable
from jara_cli.context import config_path, root_overrides
from jara_cli.inputs import write_output
from jara_cli.options import parse_weights
from jara_cli.root import run_command
from jara_cli.setup.answers import Answers
from jara_cli.setup.questions import EFFECTIVE, KEY, OPERATOR, SPLIT, questions, read_public_key

_BOOKS = ("currency", "time-zone")
_INIT = (*_BOOKS, *DECIDED.values())
_OTHERS, _GROUP = 0o007, 0o040
_NO_SETTINGS = '# Settings, such as smtp_url = "smtps://…"; `jara doctor --settings` lists them.\n'
_WHY = "First setup"
_SCHEDULER = "scheduler"
_NO_TEST = (
    "No test was sent, because the organisation has no contact: "
    "jara organisation set --contact EMAIL"
)


class Failure(NamedTuple):
    """A command that did not work, and why."""

    command: str
    why: str


class Setup:
    """The organisation that is set up, what was done, and what failed."""

    def __init__(self, ctx: typer.Context) -> None:
        """Read where the settings and the database are."""
        named, self._overrides = config_path(ctx), root_overrides(ctx)
        self.file = named or Path("jara.toml")
        self._root = [] if named is None else ["--config", str(named)]
        for option, name in (("--db", "database_url"), ("--key", "operator_key")):
            if name in self._overrides:
                self._root += [option, self._overrides[name]]
        self._signing: list[str] = []
        self.done: list[str] = []
        self.failures: list[Failure] = []
        self.left: list[CheckResult] = []
        self.tested = ""  # the way of mail of a test that passed before there was an organisation

    def application(self, answers: Answers | None = None) -> Application:
        """Return the organisation, or what it would be with some answers.

        Raises:
            InvalidInput: the settings do not fit together.
        """
        return build(self.settings(answers))

    def settings(self, answers: Answers | None = None) -> Settings:
        """Return the settings, or what they would be with some answers.

        Raises:
            InvalidInput: they do not fit together.
        """
        return read_settings(
            os.environ,
            toml_path=self.file if self.file.exists() else None,
            overrides={**_settings_in(answers or {}), **self._overrides},
        )

    def current(self) -> Answers:
        """Return what the organisation says about itself now; nothing if it does not exist."""
        try:
            document = self.run("organisation", "show")
        except NotFound:
            return {}
        if "name" not in document["own"] and document["name"] == DEFAULT_NAME:
            del document["name"]
        weights = self.run("policy", "show")["weights"]
        split = ",".join(f"{fund}={weight}" for fund, weight in weights.items())
        days = {one["text"]: one["from"] for one in self.run("legal", "list") if _counts(one)}
        if len(days) == len(LegalText):  # both texts have a first day already
            document[EFFECTIVE] = max(days.values())
        known = {_kebab(key): value for key, value in document.items()}
        return {
            SPLIT: split,
            **{key: value for key, value in known.items() if value and key in questions()},
        }

    def check(self, answers: Answers) -> None:
        """Check what can only be checked together: settings, payment mode, books, Stripe's key.

        Raises:
            JaraError: something does not fit; nothing was written.
        """
        application = self.application(answers)
        if self.current():
            application.context.store.require_admission()
            books = {key.replace("-", "_"): str(answers[key]) for key in _BOOKS if key in answers}
            require_changeable(application.context, **books)
        if "stripe-secret-key" in answers:
            application.live_payments().account.account_id()

    def apply(self, answers: Answers) -> None:
        """Do what follows from the answers; what fails is noted, and the rest goes on.

        Raises:
            JaraError: there is no organisation without the step that failed.
        """
        self._write_settings({**_settings_in(answers), **self._decided_in_file(answers)})
        if not self.current():
            given = {key: answers[key] for key in _INIT if key in answers}
            self._do("init", *_options(given))
        if self._has_keys():  # every change needs a signature
            self._sign_with(answers)
        self._change(answers)
        self._set_up_stripe()
        self._enrol(answers)
        self._test_mail()

    def _write_settings(self, changes: Mapping[str, Any]) -> None:
        """Write settings that differ; the file is its owner's alone, unless a group shares it.

        There is a file afterwards in any case, so that people find where settings go.
        """
        is_new = not self.file.exists()
        text = "" if is_new else self.file.read_text("utf-8")
        after = with_settings(text, changes)
        if after == text and not is_new:
            return
        if not after:
            after = _NO_SETTINGS
            self.done.append(f"# {self.file}: a file for settings")
        mode = 0 if is_new else self.file.stat().st_mode
        is_shared = bool(mode & _GROUP) and not mode & _OTHERS
        write_output(str(self.file), after.encode(), private=not is_shared)
        self.done += [
            self._said_setting(text, name, value)
            for name, value in changes.items()
            if with_settings(text, {name: value}) != text
        ]

    def _decided_in_file(self, answers: Answers) -> dict[str, Value]:
        """Return the answers that the settings file says too, where the file goes first."""
        text = self.file.read_text("utf-8") if self.file.exists() else ""
        there = set(map(setting_of, key_lines(text)))
        return {n: answers[o] for n, o in DECIDED.items() if n in there and o in answers}

    def _said_setting(self, before: str, name: str, value: Value) -> str:
        """Return the command that adds a setting; a comment if it is secret, or was there."""
        if declared(name)["secret"]:
            return f"# {self.file}: {variable_of(name)}"
        line = setting_line(name, value)
        if name in map(setting_of, key_lines(before)):
            return f"# {self.file}: {line}"
        return f"printf '%s\\n' {shlex.quote(line)} >> {shlex.quote(str(self.file))}"

    def _change(self, answers: Answers) -> None:
        before = self.current()
        changed = {
            key: value
            for key, value in answers.items()
            if not questions()[key].setting
            and key not in {SPLIT, OPERATOR, KEY}
            and value != before.get(key)
            and not (key == EFFECTIVE and key in before)
        }
        if changed:
            self._try("organisation", "set", *_options(changed))
        split = answers.get(SPLIT)
        if split is not None and parse_weights(str(split)) != parse_weights(str(before[SPLIT])):
            self._try("policy", "set", str(split), "--why", _WHY, "--yes")

    def _set_up_stripe(self) -> None:
        """Create what Jara needs at Stripe, and store the secret that is shown only once."""
        settings = self.settings()
        if settings.cards is not Cards.STRIPE or settings.stripe_webhook_secret is not None:
            return
        steps = self._try("stripe", "setup")
        for step in steps or ():
            if step["secret"]:
                self._write_settings({"stripe_webhook_secret": step["secret"]})

    def _enrol(self, answers: Answers) -> None:
        """Enrol the first operator's key, and then that of the daily run, which needs one too."""
        if KEY not in answers:
            return
        source, name = str(answers[KEY]), str(answers.get(OPERATOR, self.settings().operator))
        if not self._has_keys():
            file = self._key_file(source, name)
            self._sign_with(answers)
            os.environ[variable_of("operator")] = name  # the first key is that of who acts
            self._try("operators", "add", name, "--key", file, prefix=f"JARA_OPERATOR={name} ")
        if self._has_keys() and not any(
            one["id"] == _SCHEDULER for one in self.run("operators", "list")
        ):
            text = self.run("operators", "scheduler-key")["publicKey"]
            file = self._key_file(text, _SCHEDULER)
            self.done.append(f"{self.words('operators', 'scheduler-key')} > {file}")
            self._try("operators", "add", _SCHEDULER, "--role", _SCHEDULER, "--key", file)

    def _test_mail(self) -> None:
        """Send a test to the contact, until one has passed with these settings."""
        application, contact = self.application(), self.current().get("contact")
        context, settings = application.context, application.settings
        if settings.smtp_url is None or is_mail_tested(context, settings):
            return
        if not contact:
            self.left.append(warning("mail", _NO_TEST))
        elif self.tested == mail_way(settings) or self._try("mail", "test", str(contact)):
            note_mail_test(context, settings)

    def _has_keys(self) -> bool:
        return any(one["keys"] for one in self.run("operators", "list"))

    def _sign_with(self, answers: Answers) -> None:
        """Sign with the private half beside the key's file, if the agent does not have it."""
        source = str(answers.get(KEY, ""))
        if not source.endswith(".pub"):
            return
        private = Path(source).expanduser().with_suffix("")
        if private.is_file():
            key = parse_public_key(read_public_key(source))
            self._signing = [] if key in agent_keys(os.environ) else ["--key", str(private)]

    def _key_file(self, source: str, name: str) -> str:
        """Return the file of a public key; a key without one is written beside the settings."""
        if Path(source).expanduser().is_file():
            return str(Path(source).expanduser())
        file = self.file.parent / f"{name}.pub"
        write_output(str(file), f"{source.strip()}\n".encode())
        return str(file)

    def _try(self, *words: str, prefix: str = "") -> Any:  # noqa: ANN401 - JSON
        """Run a command and return its document; None if it failed."""
        try:
            return self._do(*words, prefix=prefix)
        except JaraError as error:
            self.failures.append(Failure(prefix + self.words(*words), error.message))
            return None

    def _do(self, *words: str, prefix: str = "") -> Any:  # noqa: ANN401 - JSON
        document = self.run(*words)
        self.done.append(prefix + self.words(*words))
        return document

    def run(self, *words: str) -> Any:  # noqa: ANN401 - JSON
        """Run a command and return its document.

        Raises:
            JaraError: it failed.
        """
        out, messages = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(messages):
            status = run_command([*self._root, *self._signing, *words, "--json"])
        if status not in {0, 1}:
            raise Unavailable(messages.getvalue().strip() or f"It ended with {status}.")
        return json.loads(out.getvalue())

    def words(self, *words: str) -> str:
        """Return a command as a person types it."""
        signing = [] if words[0] == "serve" else self._signing
        return shlex.join(["jara", *self._root, *signing, *words])


def _settings_in(answers: Answers) -> dict[str, Any]:
    named = {questions()[key].setting: value for key, value in answers.items()}
    return {name: value for name, value in named.items() if name}


def _options(answers: Answers) -> list[str]:
    return [word for key, value in answers.items() for word in (f"--{key}", str(value))]


def _counts(version: Mapping[str, str]) -> bool:
    return version["status"] != Status.WITHDRAWN


def _kebab(key: str) -> str:
    return re.sub("(?=[A-Z])", "-", key).lower()
