"""The sentences of a vote rule: the only place in Python that puts a rule into words.

The website has the same sentences in ``vote-rule.json`` and joins them in
``webui/src/lib/models/vote-rule.ts``; ``tests/languages/test_rule_words.py`` compares both.
"""

from __future__ import annotations

from collections.abc import Mapping

from jara.domain.texts import Text, Value, tr, value
from jara.domain.voting.tally import Measure, Share, Tally, VoteRule

AT_LEAST, MORE_THAN = "{share} or more", "more than {share}"
PASSES = {
    Measure.ROLL: "{portion} of changemakers vote yes",
    Measure.VOTES: "{portion} of the votes are yes",
}
REQUIRES = {
    Measure.ROLL: "{portion} of changemakers to vote yes",
    Measure.VOTES: "{portion} of the votes to be yes",
}
PASSES_QUORUM = "{rule}, and {portion} of changemakers vote"
REQUIRES_QUORUM = "{rule}, and {portion} of changemakers to vote,"
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
    told = tr(PASSES[rule.of], portion=_portion(rule))
    return told if rule.quorum is None else tr(PASSES_QUORUM, rule=told, portion=_quorum(rule))


def requires_words(rule: VoteRule) -> Text:
    """Return what stands in "This vote will require … for it to pass."."""
    told = tr(REQUIRES[rule.of], portion=_portion(rule))
    return told if rule.quorum is None else tr(REQUIRES_QUORUM, rule=told, portion=_quorum(rule))


def absent_words(rule: VoteRule) -> Text:
    """Return the sentence about not voting."""
    return tr(ABSENT[rule.of])


def counted_words(rule: VoteRule, tally: Tally) -> Text:
    """Return what a decided vote needed, in numbers."""
    votes = tally.yes + tally.no
    told = tr(_COUNTED[rule.of], portion=_portion(rule), roll=tally.roll, votes=votes)
    if rule.quorum is None:
        return told
    return tr(_COUNTED_QUORUM, rule=told, portion=_quorum(rule), roll=tally.roll)


def off_roll_words(counts: Mapping[str, int]) -> str:
    """Return how many members were not on a roll, by reason."""
    return (
        f"{counts['payment']:,} without a payment, {counts['address']:,} payers whose address is "
        f"not confirmed, {counts['noAddress']:,} payers without an address"
    )


def _portion(rule: VoteRule) -> Text:
    return tr(MORE_THAN if rule.more else AT_LEAST, share=share_words(rule.share))


def _quorum(rule: VoteRule) -> Text:
    return tr(AT_LEAST, share=share_words(rule.quorum or rule.share))
