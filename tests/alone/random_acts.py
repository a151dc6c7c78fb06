"""Random commands, made from the command tree, so that a new one is among them."""

import random
import re
from functools import cache
from typing import Any

from jara.domain.books.journal import EntryKind
from jara.domain.control.effects import ACTS, Rule
from jara.domain.control.ways_in import WayIn
from jara.services.context import Context
from tests.acts_of_commands import OUTSIDE, acts_of
from tests.alone.alone_world import ITEMS, MALLORY
from tests.pages.commands import list_commands

NOT_HERE = {
    *OUTSIDE,
    *("init", "setup", "restore", "backup", "db copy"),  # other databases
    *("samples load", "samples remove", "samples bank"),  # sandbox organisations only
    *("pledges start", "pledges card", "pledges confirm", "pledges charge"),  # as a card's owner
    *("stripe setup", "stripe account", "stripe adopt", "stripe status"),  # live payments only
    "rehearse record",
    "proofs witnesses add",  # asks a server
}
AMOUNTS = ("1", "40", "60", "99.99", "100", "900", "4371", "4818")
FUNDS = ("projects", "staff", "marketing", "other", "committed")
ACCOUNTS = (
    *("assets:bank", "assets:stripe", "assets:cash", "expenses:operations", "income:grants"),
    *("income:donations", "expenses:projects:wells", "liabilities:suspense", "assets:mallory"),
    "liabilities:claims:mallory",
)
KINDS = (*EntryKind, *(EntryKind.EXPENSE, EntryKind.TRANSFER, EntryKind.MANUAL) * 8)
DATES = ("today", "2026-11-23", "2026-11-24", "2027-01-01", "2026-12-31")
WORDS = ("Pumps", "because", "Agreed", MALLORY)
_IDS = (
    ("ENTRY", "SELECT id FROM entries ORDER BY idx DESC LIMIT 30"),
    ("PAYMENT", "SELECT source_id FROM payments"),
    ("PROPOSAL", "SELECT id FROM proposals"),
    ("APPROVAL", "SELECT id FROM approvals"),
    ("LINE", "SELECT id FROM bank_lines"),
    ("ANNOUNCEMENT", "SELECT id FROM announcements"),
    ("MEMBER", "SELECT email FROM members"),
    ("ITEM", "SELECT id FROM content"),
    ("PROJECT", "SELECT slug FROM content WHERE kind = 'projects'"),
    ("DOCUMENT", "SELECT hash FROM documents"),
    ("CLAIM", "SELECT report FROM claims"),
    ("RULE", "SELECT id FROM bank_rules"),
    ("ID", "SELECT id FROM fixed_costs"),
)
_FIXED = {
    "AMOUNT": AMOUNTS,
    "FUND": FUNDS,
    "FROM": FUNDS,
    "TO": FUNDS,
    "ACCOUNT": ACCOUNTS,
    "KIND": KINDS,
    "DATE": DATES,
    "DAY": ("today", "28", "current"),
    "MONTH": ("2026-11",),
    "YEAR": ("2025", "2026"),
    "ADDRESS": (MALLORY, "reader1@example.org"),
    "EMAIL": (MALLORY,),
    "COUNTRY": ("Ghana",),
    "WAY": tuple(WayIn),
    "LANGUAGE": ("fr", "en"),
    "CODE": ("fr", "EUR"),
    "URL": ("https://mallory.example/pay",),
    "IBAN": ("DE75512108001245126199",),
    "HOLDER": ("Mallory",),
    "ROLE": ("admin", "approver"),
    "NAME": ("ada", "mallory", "expenses:mallory", "assets:mallory", "Mal"),
    "GROUP": ("members", "readers"),
    "IMPORT": ("imp_", "mimp_"),
    "KEY=VALUE": ("title=Changed", "status=Planning", "goal=9000"),
    "FUND=WEIGHT,…": ("projects=10,staff=80,marketing=5,other=5",),
    "N": ("1", "2"),
    "MILESTONE": ("drill",),
    "MEASURE": ("homes",),
    "NUMBER": ("US12345678", "5"),
    "COLUMN": ("Day", "Sum", "Text"),
    "PART": ("donate_url", "name"),
    "[NUMBER=]ACCOUNT": ACCOUNTS,
    "ACCOUNT[@FUND][=AMOUNT]": ("expenses:operations@projects", "assets:bank@staff"),
    "ACCOUNT FUND AMOUNT": (
        *("assets:bank projects -900", "assets:bank staff 900", "assets:bank projects -60"),
        *("expenses:operations projects 60", "expenses:operations projects 900"),
    ),
}


@cache
def commands() -> dict[str, Any]:
    """Return every command that may change something here, by its name."""
    every = {path.removeprefix("jara "): command for path, command in list_commands()}
    return {
        name: command
        for name, command in every.items()
        if name not in NOT_HERE
        and acts_of(name)
        and all(ACTS[action].rule is not Rule.NOBODY for action in acts_of(name))
    }


_USUAL = {
    "ledger post": ("debit", "credit", "fund", "amount", "kind"),
    "ledger import": ("form",),
    "members add": ("password_stdin",),
    "report statement": ("every", "mail"),
    "operators policy set": ("limit",),
    "ledger transfer": ("why", "note", "description"),
    "bank match": ("accounts",),
    "bank rules add": ("contains",),
    "payments ways set": ("details",),
    "proposals edit": ("source", "assignments", "language"),
    "proposals release": ("amount",),
    "projects pay": ("day",),
    "organisation set": ("donate_url",),
    "legal import": ("files",),
    "mail announce": ("to",),
    "members edit": ("email",),
}
"""Options without which a command hardly ever does anything; others come by chance."""


class Chooser:
    """Draws commands with values that mean something in an organisation."""

    def __init__(self, draw: random.Random, context: Context) -> None:
        """Read the ids that commands can name."""
        self._draw = draw
        with context.store.read() as work:
            ids = {
                kind: tuple(str(row[0]) for row in work.sql.all(ask) if row[0])
                for kind, ask in _IDS
            }
        self._pools: dict[str, tuple[str, ...]] = {**_FIXED, **ids}

    def words(self, name: str) -> list[str]:
        """Return a whole command line."""
        words = name.split()
        for parameter in commands()[name].params:
            words += self._given(name, parameter)
        return words

    def _given(self, command: str, parameter: Any) -> list[str]:
        name = parameter.name
        if name in {"help", "as_json", "dry_run"}:
            return []
        is_option = parameter.param_type_name == "option"
        usual = _USUAL.get(command)
        chance = 0.25 if usual is None else 0.9 if name in usual else 0.1
        if name == "yes":
            return [parameter.opts[0]]
        if not parameter.required and self._draw.random() > chance:
            return []
        if getattr(parameter, "is_flag", False):
            return [parameter.opts[0]]
        value = self._value(command, parameter.metavar or "TEXT")
        return [parameter.opts[0], value] if is_option else [value]

    def _value(self, command: str, metavar: str) -> str:
        if "FILE" in metavar or metavar in {"DIR", "FOLDER"}:
            fitting = _FITTING.get(command) or _FITTING.get(command.split(maxsplit=1)[0]) or _FILES
            return f"files/{self._draw.choice(fitting if self._draw.random() < 0.8 else _FILES)}"
        if metavar == "ITEM" and self._draw.random() < 0.8:
            return f"{command.split(maxsplit=1)[0]}-1"
        for part in (metavar, *re.split(r"[|]", metavar.strip("[]"))):
            if self._pools.get(part):
                return self._draw.choice(self._pools[part])
        if "|" in metavar:
            return self._draw.choice(metavar.split("|"))
        return self._draw.choice(WORDS)


_FILES = (
    *("small.csv", "large.csv", "moved.csv", "people.csv", "lines.csv", "terms.md", "news.md"),
    *("change.yaml", "goal.yaml", "proposal.yaml", "mallory.pub", "photo.png"),
)
_FITTING = {
    **{noun: (f"{noun}.yaml",) for noun in ITEMS},
    "proposals edit": ("change.yaml", "goal.yaml", "french.yaml"),
    "proposals": ("proposal.yaml",),
    "ledger document": ("photo.png",),
    "ledger": ("small.csv", "large.csv", "moved.csv"),
    "bank": ("lines.csv",),
    "members": ("people.csv",),
    "mail": ("news.md",),
    "legal": ("terms.md",),
    "operators": ("mallory.pub",),
    "projects evidence": ("photo.png",),
    "projects pay": ("photo.png",),
}
"""The files that a command, or a noun, can read."""
