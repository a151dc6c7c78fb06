"""Counting a vote: the choices, the electoral roll and the tally, in integer arithmetic."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import gcd
from typing import Annotated, Any, NamedTuple

from jara.documents import OPTIONAL, Json
from jara.domain.errors import InvalidInput
from jara.domain.texts import Text, Value, tr, value


class Choice(StrEnum):
    """Yes or no, as written in the public log."""

    UP = "up"
    DOWN = "down"

    @property
    def wire(self) -> str:
        """The value in API calls: ``upvote`` or ``downvote`` (spec §3)."""
        return f"{self}vote"


def parse_choice(text: str) -> Choice:
    """Read ``upvote`` or ``downvote``, or ``up`` or ``down`` as in the log.

    Raises:
        InvalidInput: anything else.
    """
    for choice in Choice:
        if text in {choice.value, choice.wire}:
            return choice
    raise InvalidInput(
        "'{text}' is not a vote; use up or down (upvote or downvote).", text=text[:20]
    )


class Measure(StrEnum):
    """What the yes votes are measured by."""

    ROLL = "roll"
    VOTES = "votes"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole: more than 0 and at most 1."""

    num: int
    den: int

    def __post_init__(self) -> None:
        if not 0 < self.num <= self.den:
            raise InvalidInput(
                f"{self.num}/{self.den} is not a share; it must be more than 0 and at most 1."
            )

    def text(self, percent: Callable[[str], str] = "{}%".format) -> str:
        """Return ``50%``, as `percent` writes it, or ``2/3`` if it is no whole percentage."""
        whole, rest = divmod(100 * self.num, self.den)
        return f"{self.num}/{self.den}" if rest else percent(str(whole))


@dataclass(frozen=True, slots=True)
class VoteRule:
    """When a vote passes; by default with yes votes of one half of the roll (spec §9).

    A proposal stores its rule when it opens, so later rules do not affect it.
    """

    num: int = 1  # numerator of the share that must vote yes
    den: int = 2  # its denominator
    of: Measure = Measure.ROLL  # what the share is of: everybody on the roll, or the votes cast
    more: Annotated[bool, Json(is_optional=True, write=lambda more: more or None)] = False
    """Whether exactly the share is too little, so that half fails in a tie."""
    quorum: Annotated[Share | None, OPTIONAL] = None
    """The share of the roll that must vote, yes or no."""

    def __post_init__(self) -> None:
        share = self.share
        if self.of not in tuple(Measure):
            raise InvalidInput(f"A rule counts against the roll or the votes, not '{self.of}'.")
        object.__setattr__(self, "of", Measure(self.of))
        if share.num == share.den and (self.more or self.of is Measure.VOTES):
            raise InvalidInput(
                "More than all is impossible, and with all of the votes one no decides; "
                "name a smaller share."
            )

    @property
    def share(self) -> Share:
        """The share that must vote yes."""
        return Share(self.num, self.den)

    def passes(self, tally: "Tally") -> bool:
        """Return whether a vote passes.

        The roll includes members who did not vote. No vote passes with an empty roll, or without
        a vote.
        """
        votes, yes = tally.yes + tally.no, self.den * tally.yes
        base = votes if self.of is Measure.VOTES else tally.roll
        is_enough = yes > self.num * base if self.more else yes >= self.num * base
        return base > 0 and is_enough and votes >= self._voters(tally.roll)

    def needed(self, tally: "Tally") -> int:
        """Return how many more yes votes a vote needs to pass, if nothing else changes."""
        # Of the votes, each yes adds to both sides: den * yes >= num * (yes + no).
        among_votes = self.of is Measure.VOTES
        base, per = (tally.no, self.den - self.num) if among_votes else (tally.roll, self.den)
        whole, rest = divmod(self.num * base, per)
        yes = whole + 1 if rest or self.more else whole
        return max(0, max(1, yes, self._voters(tally.roll) - tally.no) - tally.yes)

    def _voters(self, roll: int) -> int:
        """Return how many of the roll must vote, yes or no."""
        return 0 if self.quorum is None else -(-self.quorum.num * roll // self.quorum.den)

    @property
    def percent_up(self) -> int:
        """The share in whole per cent, rounded up, where charts draw it."""
        return -(-100 * self.num // self.den)

    def document(self) -> dict[str, Any]:
        """Return it as the public log and the database keep it."""
        quorum = None if self.quorum is None else {"den": self.quorum.den, "num": self.quorum.num}
        return {
            **({"more": True} if self.more else {}),
            **({"quorum": quorum} if quorum else {}),
            "den": self.den,
            "num": self.num,
            "of": self.of.value,
        }


def read_rule(kept: Mapping[str, Any] | Sequence[Any]) -> VoteRule:
    """Return a rule from its document; the rows of 0.2.0 have a list."""
    if not isinstance(kept, Mapping):
        return VoteRule(*kept)
    quorum = kept.get("quorum")
    return VoteRule(**{**kept, "quorum": None if quorum is None else Share(**quorum)})


DEFAULT_RULE = VoteRule()
"""Half of the roll (spec §9); a proposal keeps the rule it was opened with."""


class RuleChange(NamedTuple):
    """The rule of proposals that open from a day on."""

    valid_from: Annotated[date, Json("from")]
    rule: VoteRule


def change_in_force(changes: Iterable[RuleChange], day: date) -> RuleChange | None:
    """Return the newest change that has begun on a day, or the last of equally new ones."""
    begun = [one for one in changes if one.valid_from <= day]
    return max(reversed(begun), key=lambda one: one.valid_from, default=None)


def rule_in_force(changes: Iterable[RuleChange], day: date) -> VoteRule:
    """Return the rule of proposals that open on a day."""
    change = change_in_force(changes, day)
    return DEFAULT_RULE if change is None else change.rule


_PASSES = re.compile(r"(?P<word>at least|more than) +(?P<share>\S+)", re.IGNORECASE)
_PERCENT = re.compile(r"(?P<num>[0-9]{1,3})%", re.ASCII)
_FRACTION = re.compile(r"(?P<num>[0-9]{1,3})/(?P<den>[0-9]{1,3})", re.ASCII)


def parse_passes(text: str) -> tuple[Share, bool]:
    """Read ``at least 1/2``, ``more than 50%``: the share, and whether it must be exceeded.

    Raises:
        InvalidInput: anything else.
    """
    match = _PASSES.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(
            f"'{text[:40]}' does not say when a vote passes; write 'more than 1/2', 'at least "
            "1/2' or 'at least 2/3', in quotes."
        )
    return parse_share(match["share"]), match["word"].lower() == "more than"


def change_rule(
    before: VoteRule,
    *,
    passes: str | None = None,
    of: Measure | None = None,
    quorum: str | None = None,
) -> VoteRule:
    """Return a rule with the parts that were typed; ``none`` takes the quorum away.

    Raises:
        InvalidInput: nothing is given, or a part cannot be read or is impossible.
    """
    if passes is None and of is None and quorum is None:
        raise InvalidInput("Say what changes: --passes, --of or --quorum.")
    share, more = (before.share, before.more) if passes is None else parse_passes(passes)
    least = before.quorum
    if quorum is not None:
        least = None if quorum.strip().lower() in {"none", "0", "0%"} else parse_share(quorum)
    return VoteRule(share.num, share.den, before.of if of is None else of, more, least)


def parse_share(text: str) -> Share:
    """Read ``20%`` or ``1/5``.

    Raises:
        InvalidInput: anything else, or more than the whole, or nothing.
    """
    match = _PERCENT.fullmatch(text.strip()) or _FRACTION.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f"'{text[:40]}' is not a share; write it like 20% or 1/5.")
    num, den = int(match["num"]), int(match.groupdict().get("den") or 100)
    share = Share(num, den)
    common = gcd(share.num, share.den)
    return Share(num // common, den // common)


@dataclass(frozen=True, kw_only=True)
class VoteCounts:
    """The counts of a vote for the API and the CLI; percentages are of what the rule measures by.

    Those of an open vote that shows its figures at the close are None.
    """

    yes: int | None = None
    no: int | None = None
    void: int
    roll: int
    not_voted: int | None = None
    needed: int | None = None
    upvote_percentage: float | None = None
    downvote_percentage: float | None = None
    rule: VoteRule
    passes: bool | None = None
    final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts of one vote."""

    yes: int  # valid ballots for it
    no: int  # valid ballots against it
    roll: int
    """The number of electors, whether they voted or not; of an open vote, the changemakers of
    today."""
    void: int = 0  # voided ballots, which do not count
    is_hidden: bool = False
    """Whether nobody may see the counts now; then they are 0 and were not counted."""

    def __post_init__(self) -> None:
        if min(self.yes, self.no, self.roll, self.void) < 0:
            raise InvalidInput(f"{self} has a negative count.")

    @property
    def not_voted(self) -> int:
        """The number of electors without a valid ballot."""
        return self._base - self.yes - self.no

    def yes_tenths(self, rule: VoteRule) -> int:
        """Return the yes votes in tenths of a percent of the roll or the votes, rounded down."""
        return _tenths(self.yes, self._measured(rule))

    def no_tenths(self, rule: VoteRule) -> int:
        """Return the no votes in tenths of a percent of the roll or the votes, rounded down."""
        return _tenths(self.no, self._measured(rule))

    def _measured(self, rule: VoteRule) -> int:
        return self.yes + self.no if rule.of is Measure.VOTES else self._base

    @property
    def _base(self) -> int:
        """What shares are parts of; voters who lapsed can outnumber the roll of an open vote."""
        return max(self.roll, self.yes + self.no)

    def counts(self, rule: VoteRule, *, final: bool) -> VoteCounts:
        """Return the counts as people see them.

        `rule` is the one the proposal was opened with; with `final` the vote is closed and its roll
        frozen.
        """
        if self.is_hidden:
            return VoteCounts(void=0, roll=self.roll, rule=rule, final=final)
        return VoteCounts(
            yes=self.yes,
            no=self.no,
            void=self.void,
            roll=self.roll,
            not_voted=self.not_voted,
            needed=rule.needed(self),
            upvote_percentage=percent_number(self.yes_tenths(rule)),
            downvote_percentage=percent_number(self.no_tenths(rule)),
            rule=rule,
            passes=rule.passes(self),
            final=final,
        )


def percent_number(tenths: int) -> float:
    """Return tenths of a percent as a number with one decimal, for display only."""
    return tenths / 10


def _tenths(part: int, roll: int) -> int:
    return part * 1000 // roll if roll else 0


# A rule is put into words here alone. The website has the same sentences in ``vote-rule.json`` and
# joins them in ``webui/src/lib/models/vote-rule.ts``; ``tests/languages/test_rule_words.py``
# compares both.
AT_LEAST, MORE_THAN = "{share} or more", "more than {share}"
PASSES = {
    Measure.ROLL: "{portion} of changemakers vote yes",
    Measure.VOTES: "{portion} of the votes are yes",
}
PASSES_QUORUM = "{rule}, and {portion} of changemakers vote"
ABSENT = {
    Measure.ROLL: "If you don't vote, it counts as not voting yes.",
    Measure.VOTES: "Only the votes that are cast count.",
}
_COUNTED = {
    Measure.ROLL: "{portion} of the {roll} changemakers on the roll",
    Measure.VOTES: "{portion} of the {votes} votes",
}
_COUNTED_QUORUM = "{rule}, and votes from {portion} of the {roll} changemakers on the roll"


def share_words(share: Share) -> Value:
    """Return a share: ``60%``, or ``2/3``."""
    return value(share.text(), "share", share)


def threshold_words(rule: VoteRule) -> Text:
    """Return the share at a mark, without what it is of: ``50%``, or ``more than 50%``."""
    share = share_words(rule.share)
    return tr(MORE_THAN, share=share) if rule.more else share


def passes_words(rule: VoteRule) -> Text:
    """Return what ends "A proposal passes when …": ``50% or more of changemakers vote yes``."""
    return _with_quorum(PASSES_QUORUM, rule, tr(PASSES[rule.of], portion=_portion(rule)))


def absent_words(rule: VoteRule) -> Text:
    """Return the sentence about not voting."""
    return tr(ABSENT[rule.of])


def counted_words(rule: VoteRule, tally: Tally) -> Text:
    """Return what a decided vote needed, in numbers."""
    votes = tally.yes + tally.no
    told = tr(_COUNTED[rule.of], portion=_portion(rule), roll=tally.roll, votes=votes)
    return _with_quorum(_COUNTED_QUORUM, rule, told, roll=tally.roll)


def _portion(rule: VoteRule) -> Text:
    return tr(MORE_THAN if rule.more else AT_LEAST, share=share_words(rule.share))


def _with_quorum(template: str, rule: VoteRule, told: Text, **values: int) -> Text:
    if rule.quorum is None:
        return told
    portion = tr(AT_LEAST, share=share_words(rule.quorum))
    return tr(template, rule=told, portion=portion, **values)
