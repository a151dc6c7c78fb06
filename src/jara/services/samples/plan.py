"""What the demonstration pays and shows when, read from the seed files."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.foreign import foreign_payment
from jara.domain.books.journal import Foreign
from jara.domain.content.translations import translations_of
from jara.domain.currency import books_currency, format_minor
from jara.domain.errors import InvalidInput
from jara.services.projects.disbursing import Disbursement, Payee
from jara.services.samples.seeding import SeedFiles

Document = Mapping[str, Any]
_RATES = {"KE": ("KES", 129), "TZ": ("TZS", 2650)}
"""The currency of a country, with two decimals, and its rate for one of the books."""
_FIRST_SLIP = 1182


class DemoFiles(NamedTuple):
    """The seed files, and the past votes to simulate."""

    seed: SeedFiles
    past_proposals: list[dict[str, Any]]

    def proposal_of(self, project: str) -> str | None:
        """Return the id of the passed proposal of a project."""
        for document in self.past_proposals:
            if document.get("project") == project and document["status"] == "passed":
                return str(document["id"])
        return None

    def last_vote_on(self) -> date:
        """Return the day on which the last past vote ended."""
        return max(date.fromisoformat(document["endDate"]) for document in self.past_proposals)

    def first_vote_on(self) -> date:
        """Return the day on which the first past vote ended."""
        return min(date.fromisoformat(document["endDate"]) for document in self.past_proposals)


def plan_payouts(files: DemoFiles, *, otherwise_on: date) -> list[Disbursement]:
    """Return the payments that make up the donations, oldest first.

    A donation is paid in one part for each completed milestone of its account's project, and one
    for the rest.

    Raises:
        InvalidInput: a project is paid, but no past proposal for it has passed.
    """
    planned: list[Disbursement] = []
    for donation in files.seed.content["donations"]:
        _, family, slug = donation["account"].split(":")
        payee = Payee(family)
        proposal = files.proposal_of(slug) if payee is Payee.PROJECTS else None
        if payee is Payee.PROJECTS and proposal is None:
            raise InvalidInput(f"No past proposal has decided on the project '{slug}'.")
        parts = _paid_milestones(files, donation["account"])
        rest = donation["amountCents"] - sum(cents for _, cents, _ in parts)
        for day, cents, milestone in [*parts, *([(otherwise_on, rest, None)] if rest else [])]:
            foreign = _received_abroad(files, donation["account"], cents, len(planned))
            planned.append(
                Disbursement(
                    payee,
                    slug,
                    cents,
                    proposal=proposal,
                    day=day,
                    foreign=foreign,
                    milestone=milestone if payee is Payee.PROJECTS else None,
                )
            )
    return sorted(planned, key=lambda payment: (payment.day or otherwise_on, payment.slug))


def _received_abroad(files: DemoFiles, account: str, cents: int, number: int) -> Foreign | None:
    """Return the amount that a project or a grant's payee received in its country's currency."""
    content = files.seed.content
    countries = {one["account"]: one["location"] for one in content["projects"]}
    countries |= {f"expenses:grants:{one['slug']}": one["regionCode"] for one in content["grants"]}
    if countries.get(account) not in _RATES:
        return None
    currency, rate = _RATES[countries[account]]
    if currency == books_currency():
        return None
    text = format_minor(currency, cents * rate)
    return foreign_payment(text, cents=cents, source=f"bank slip {_FIRST_SLIP + number}")


def project_days(files: DemoFiles, *, until: date) -> list[date]:
    """Return the days on which something happened in a project."""
    days = {
        date.fromisoformat(happening["date"])
        for project in files.seed.content["projects"]
        for happening in (*_completed(project), *project.get("updates", ()))
    }
    return sorted(day for day in days if day <= until)


def projects_on(files: DemoFiles, day: date, *, decided: Mapping[str, str]) -> list[Document]:
    """Return the projects as their pages were on a day.

    `files` are the projects in their final state, `decided` has the proposal of each that was
    decided by then.
    """
    return [
        _as_of(project, day, decided.get(project["slug"]))
        for project in files.seed.content["projects"]
    ]


def hidden_until_paid(
    documents: list[dict[str, Any]], account_of: Mapping[str, str], paid: Mapping[str, int]
) -> list[Document]:
    """Return the items of a list; those that are not paid in full are not public.

    The documents are donations or grants, in the order of their page. `account_of` has the ledger
    account of each, by id, and `paid` what each account has been paid, in cents.
    """
    return [
        {
            **document,
            "published": paid.get(account_of[document["id"]], 0) >= document["amountCents"],
        }
        for document in documents
    ]


def _paid_milestones(files: DemoFiles, account: str) -> list[tuple[date, int, str | None]]:
    return [
        (date.fromisoformat(milestone["date"]), milestone["costCents"], str(milestone["id"]))
        for project in files.seed.content["projects"]
        if project["account"] == account
        for milestone in _completed(project)
        if milestone["costCents"]
    ]


def _completed(project: Document) -> list[Document]:
    return [one for one in project.get("milestones", ()) if one["completed"]]


def _as_of(project: Document, day: date, proposal: str | None) -> Document:
    done = [one for one in _completed(project) if date.fromisoformat(one["date"]) <= day]
    is_final = len(done) == len(_completed(project))
    shown = {one["id"] for one in done}
    document: dict[str, Any] = {
        **project,
        "milestones": [
            {**one, "completed": one["id"] in shown} for one in project.get("milestones", ())
        ],
        "updates": [
            one for one in project.get("updates", ()) if date.fromisoformat(one["date"]) <= day
        ],
    }
    if proposal is not None:
        document["proposal"] = proposal
    if not is_final:
        completed = max(1, len(_completed(project)))
        document["status"] = "In Progress" if done else "Planning"
        document["progress"] = project["progress"] * len(done) // completed
        document["capitalUsedCents"] = sum(one["costCents"] for one in done)
        document["completion"] = None
        for language, texts in translations_of(project).items():
            document[language] = {**texts, "completion": None}
    return document
