"""The pages of one entry and of an amount that is followed, and the picture of the second."""

import re
from typing import NamedTuple
from urllib.parse import quote

from jara.domain.errors import InvalidInput, NotFound
from jara.files.preview_image import Preview
from jara_webapi.pages.page_fragments import PageContent, Visit, plain_head
from jara_webapi.pages.templates import Document, month_of, render

_CENTS, _MONTH = re.compile(r"[0-9]{1,9}", re.ASCII), re.compile(r"[0-9]{4}-[0-9]{2}", re.ASCII)
_USUAL_CENTS = 1000
_THREADS = 60
_SIDE = 600
_COLOURS = {"projects": "#8d9aff", "staff": "#4cc3c6", "marketing": "#ff7fab", "other": "#ffb61e"}


class Amount(NamedTuple):
    """The amount and the month that an address asks for; no month is the newest one spent."""

    cents: int
    month: str

    @classmethod
    def of(cls, cents: str | None, month: str | None) -> "Amount":
        """Read the query of a page; what is no amount or no month is left out."""
        is_amount = cents is not None and _CENTS.fullmatch(cents) is not None
        is_month = month is not None and _MONTH.fullmatch(month) is not None
        return cls(int(cents or "") if is_amount else _USUAL_CENTS, (month or "") * is_month)

    @property
    def query(self) -> str:
        """The query of its call."""
        return f"cents={self.cents}" + (f"&month={self.month}" if self.month else "")

    @property
    def name(self) -> str:
        """Its name in the address of its picture."""
        return f"{self.month}-{self.cents}"


def follow(visit: Visit, asked: Amount) -> PageContent:
    """Return where an amount of a month went."""
    try:
        followed = visit.ask("/follow", asked.query)
    except (InvalidInput, NotFound):
        return PageContent(visit.render("follow.html", followed=None), {})
    month = followed["month"]
    image = ""
    if month is not None:
        image = f"/previews/follow/{asked._replace(month=month).name}.png{visit.t.choice}"
    plain = visit.render("follow.html", followed=followed)
    return PageContent(plain, {f"/follow?{asked.query}": followed}, image=image)


def one_entry(visit: Visit, name: str) -> PageContent | None:
    """Return the page of the entry with an id; None if there is none. Search engines skip it."""
    try:
        entry = visit.ask("/ledger/entries/{entry}", entry=name)
    except NotFound:
        return None
    t = visit.t
    head = plain_head(t, visit.site, t("entry", "meta.title"), t("entry", "meta.text"))
    plain = visit.render("entry.html", entry=entry)
    return PageContent(plain, {f"/ledger/entries/{quote(name)}": entry}, head)


def preview(visit: Visit, name: str) -> Preview | None:
    """Return the picture of an amount of a month, such as ``2026-10-1000``; None without it."""
    month, _, cents = name.rpartition("-")
    asked = Amount.of(cents, month)
    if asked.name != name:
        return None
    try:
        followed = visit.ask("/follow", asked.query)
    except (InvalidInput, NotFound):
        return None
    money = visit.t.words.money
    paid = [part for fund in followed["funds"] for part in fund["paid"]]
    waiting = sum(fund["waitingCents"] for fund in followed["funds"])
    # More than three lines are cut.
    largest = sorted(paid, key=lambda part: -part["cents"])[: 1 if waiting else 2]
    notes = [
        visit.t(
            "follow",
            "preview.part",
            amount=money(part["cents"]),
            title=visit.t.marked(part),
        )
        for part in largest
    ]
    if waiting:
        notes.append(visit.t("follow", "preview.waits", amount=money(waiting)))
    title = visit.t(
        "follow", "went", amount=money(asked.cents), month=month_of(visit.t.words, month)
    )
    return Preview(title, " · ".join(notes), draw_threads(followed), visit.t.organisation)


def draw_threads(followed: Document) -> str:
    """Return the threads from the amount to what it paid for, as SVG."""
    parts = [
        (fund["fund"], cents, is_paid)
        for fund in followed["funds"]
        for cents, is_paid in (
            *((part["cents"], True) for part in fund["paid"]),
            (fund["waitingCents"] + fund["refundedCents"], False),
        )
        if cents
    ]
    counts = [max(1, round(cents / followed["cents"] * _THREADS)) for _, cents, _ in parts]
    row, whole, before = _SIDE / len(parts), sum(counts), 0
    threads = []
    for place, ((fund, _, is_paid), count) in enumerate(zip(parts, counts, strict=True)):
        gap = min(11.0, row * 0.8 / count)
        for thread in range(count):
            start = _SIDE * (0.5 + (before + thread + 0.5 - whole / 2) * 0.8 / whole)
            stop = (place + 0.5) * row + (thread + 0.5 - count / 2) * gap
            threads.append((start, stop, _COLOURS[fund], is_paid))
        before += count
    return render("follow.svg", threads=threads, side=_SIDE)
