"""The large organisation of the benchmarks can still be made."""

from pathlib import Path

from jara.bootstrap import build_from_environ
from jara.services.proposals.views import list_proposals
from tests.benchmarks.grown_organisation import grow


def test_everybody_votes(tmp_path: Path) -> None:
    """The rules of the product let its members act, at a small size too."""
    context = build_from_environ(grow(tmp_path, 1_000)).context

    (proposal,) = list_proposals(context)
    # One ballot is left for the benchmark to cast.
    assert proposal["tally"]["notVoted"] == 1
    assert proposal["votes"] == proposal["tally"]["roll"] - 1
