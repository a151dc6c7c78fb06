"""The sentences of a vote rule: the only place in Python that puts a rule into words.

The website has the same sentences in ``vote-rule.json`` and joins them in
``webui/src/lib/models/vote-rule.ts``; ``tests/languages/test_rule_words.py`` compares both.
"""

from __future__ import annotations

from jara.domain.texts import Text, Value, tr, value
from jara.domain.voting.tally import Measure, Share, Tally, VoteRule

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
