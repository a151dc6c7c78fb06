"""The Merkle tree and its tiles: published examples, and laws of the proofs."""

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.publiclog import tiles
from jara.domain.publiclog.merkle import (
    EMPTY_ROOT,
    Frontier,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_at,
    tree_root,
    verify_consistency,
    verify_inclusion,
)
from jara.domain.publiclog.tiles import MalformedTile, Span, Tile, new_tiles
from tests.domain.publiclog.merkle_tree import MemoryTree

CT_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]


def tree_of(size: int) -> MemoryTree:
    """Return a tree of this many different leaves."""
    return MemoryTree(leaf_hash(b"%d" % number) for number in range(size))


def naive_root(hashes: list[bytes]) -> bytes:
    """Return the root by the recursive definition of RFC 6962 §2.1."""
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return node_hash(naive_root(hashes[:half]), naive_root(hashes[half:]))


sizes = st.integers(1, 70)


def test_the_tree_of_the_certificate_transparency_suite_has_its_root() -> None:
    """The eight leaves of the suite have the published root."""
    root = tree_root(leaf_hash(leaf) for leaf in CT_LEAVES)

    assert root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@given(st.lists(st.binary(max_size=3), max_size=40))
def test_the_root_is_that_of_the_definition(leaves: list[bytes]) -> None:
    """Law: peaks give the same root as the recursive definition."""
    hashes = [leaf_hash(leaf) for leaf in leaves]

    assert naive_root(hashes) == tree_root(hashes)


def test_an_empty_log_has_a_root() -> None:
    """The root of an empty log is the hash of nothing."""
    assert EMPTY_ROOT == Frontier().root() == tree_root([]) == MemoryTree().frontier.root()


def test_appending_returns_the_complete_nodes() -> None:
    """The fourth leaf completes subtrees of two and four; the old frontier does not change."""
    tree = tree_of(3)
    before = tree.frontier

    after, new_nodes = before.append(leaf_hash(b"3"))

    right = node_hash(leaf_hash(b"2"), leaf_hash(b"3"))
    assert new_nodes == [(1, 1, right), (2, 0, after.root())]
    assert (before.size, len(before.peaks)) == (3, 2)
    assert (after.size, len(after.peaks)) == (4, 1)


@given(sizes, st.data())
def test_every_past_root_comes_out_of_the_nodes(size: int, data: st.DataObject) -> None:
    """Law: complete nodes alone give the root of every past size."""
    past = data.draw(st.integers(0, size))
    tree = tree_of(size)

    assert tree_of(past).frontier.root() == root_at(tree.node, past)


@given(sizes, st.data())
def test_every_inclusion_proof_verifies_and_no_corrupted_one(
    size: int, data: st.DataObject
) -> None:
    """Law: the proof holds for its leaf, index, size and root, and for nothing else."""
    index = data.draw(st.integers(0, size - 1))
    tree = tree_of(size)
    leaf, root = tree.node(0, index), tree.frontier.root()
    proof = inclusion_proof(tree.node, index, size)

    assert verify_inclusion(leaf, index, size, proof, root)
    assert not verify_inclusion(leaf_hash(b"other"), index, size, proof, root)
    assert not verify_inclusion(leaf, index, size, proof, leaf_hash(b"other"))
    assert not verify_inclusion(leaf, index, size, [*proof, root], root)
    assert not verify_inclusion(leaf, index + size, size, proof, root)
    assert not verify_inclusion(leaf, -1, size, proof, root)
    for place in range(len(proof)):
        corrupted = [*proof[:place], leaf_hash(b"other"), *proof[place + 1 :]]
        assert not verify_inclusion(leaf, index, size, corrupted, root)
        assert not verify_inclusion(leaf, index, size, proof[:place], root)


@given(sizes, st.data())
def test_every_consistency_proof_verifies_and_no_corrupted_one(
    second: int, data: st.DataObject
) -> None:
    """Law: the proof holds for its two sizes and roots, and for nothing else."""
    first = data.draw(st.integers(1, second))
    tree = tree_of(second)
    old, new, other = root_at(tree.node, first), tree.frontier.root(), leaf_hash(b"other")
    proof = consistency_proof(tree.node, first, second)

    assert verify_consistency(first, second, old, new, proof)
    assert not verify_consistency(first, second, other, new, proof)
    assert not verify_consistency(first, second, old, other, proof)
    assert not verify_consistency(first, second, old, new, [*proof, other])
    for place in range(len(proof)):
        corrupted = [*proof[:place], other, *proof[place + 1 :]]
        assert not verify_consistency(first, second, old, new, corrupted)
        assert not verify_consistency(first, second, old, new, proof[:place])


@given(st.integers(1, 2**40), st.data())
def test_proofs_take_few_look_ups(size: int, data: st.DataObject) -> None:
    """Law: a proof takes at most two look-ups for each level of the tree."""
    looked_up = []

    def node(level: int, index: int) -> bytes:
        assert (index + 1) << level <= size, "the node is not complete at this size"
        looked_up.append((level, index))
        return leaf_hash(b"%d %d" % (level, index))

    inclusion_proof(node, data.draw(st.integers(0, size - 1)), size)
    assert len(looked_up) <= 2 * size.bit_length()
    looked_up.clear()
    consistency_proof(node, data.draw(st.integers(0, size)), size)
    assert len(looked_up) <= 2 * size.bit_length()


def test_an_empty_log_is_the_beginning_of_every_log() -> None:
    """From size 0 only the empty proof verifies."""
    tree = tree_of(3)
    root = tree.frontier.root()

    assert consistency_proof(tree.node, 0, 3) == []
    assert verify_consistency(0, 3, EMPTY_ROOT, root, [])
    assert verify_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [])
    assert not verify_consistency(0, 3, root, root, [])
    assert not verify_consistency(0, 3, EMPTY_ROOT, root, [root])
    assert not verify_consistency(4, 3, root, root, [root])
    assert not verify_consistency(2, 3, root, root, [])


def test_proofs_with_a_hash_too_many_are_refused() -> None:
    """A proof with an extra hash, or for an index beyond the end, does not verify."""
    tree = tree_of(3)
    leaf, old, root = tree.node(0, 2), root_at(tree.node, 2), tree.frontier.root()
    proof = inclusion_proof(tree.node, 2, 3)

    assert verify_inclusion(leaf, 2, 3, proof, root)
    assert not verify_inclusion(leaf, 2, 3, [*proof, root], root)
    assert not verify_inclusion(leaf, 3, 3, proof, root)
    steps = consistency_proof(tree.node, 2, 3)
    assert verify_consistency(2, 3, old, root, steps)
    assert not verify_consistency(2, 3, old, root, [*steps, root])


def test_proofs_beyond_the_log_are_refused() -> None:
    """No proof is made for a leaf beyond the end, or for a log that shrinks."""
    tree = tree_of(3)
    for index in (-1, 3):
        with pytest.raises(InvalidInput, match="has no leaf"):
            inclusion_proof(tree.node, index, 3)
    for first in (-1, 4):
        with pytest.raises(InvalidInput, match="not a prefix"):
            consistency_proof(tree.node, first, 3)


spans = st.builds(Span, st.integers(0, 2**55), st.integers(1, 256))


@pytest.mark.parametrize(
    ("path", "index"), [("000", 0), ("999", 999), ("x001/000", 1000), ("x001/x234/067", 1_234_067)]
)
def test_an_index_is_written_in_threes(path: str, index: int) -> None:
    """Paths are as in the document's example, also where the number of parts changes."""
    assert Span(index).path == path
    assert Span(index, 112).path == f"{path}.p/112"
    assert Tile(7, Span(index)).path == f"tile/7/{path}"
    assert tiles.parse_tile(f"7/{path}") == Tile(7, Span(index))
    assert tiles.page_path(Span(index)) == f"leaves/{path}"


@given(spans, st.integers(0, 63))
def test_every_path_is_read_back(span: Span, level: int) -> None:
    """Reading a path gives the same numbers back."""
    tile = Tile(level, span)

    assert tiles.parse_span(span.path) == span
    assert tiles.parse_tile(tile.path.removeprefix("tile/")) == tile


@pytest.mark.parametrize(
    "path",
    [
        *("", "0", "entries/000", "64/000", "00/000", "-1/000", "0/0", "0/0000", "0/x000/001"),
        *("0/x1", "0/001/002", "0/x001", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/"),
        *("0/000.p", "0/000/", "0//000", "0/000.p/257", "0/+01", "0/\u0661\u0661\u0661"),
        "0/" + "x999/" * 9 + "000",
    ],
)
def test_another_spelling_is_refused(path: str) -> None:
    """Each tile has exactly one path, so that a cache stores it once."""
    with pytest.raises(MalformedTile):
        tiles.parse_tile(path)


def test_tiles_agree_with_the_example_of_the_document() -> None:
    """70,000 leaves have the tiles of the document; 256 have a full and a partial tile."""
    assert Counter((tile.level, tile.span.width) for tile in new_tiles(0, 70_000)) == {
        (0, 256): 273,
        (0, 112): 1,
        (1, 256): 1,
        (1, 17): 1,
        (2, 1): 1,
    }
    assert list(new_tiles(0, 256)) == [Tile(0, Span(0)), Tile(1, Span(0, 1))]
    assert list(new_tiles(0, 0)) == []


@given(st.integers(0, 200_000), st.integers(0, 70_000))
def test_new_tiles_are_those_missing_in_the_old_log(known: int, more: int) -> None:
    """The new tiles and pages are those of the larger log that the old log does not have."""
    old, new = ({*new_tiles(0, size)} for size in (known, known + more))

    assert new - old == {*new_tiles(known, known + more)}
    assert [tile.span for tile in new_tiles(known, known + more) if not tile.level] == [
        *tiles.new_pages(known, known + more)
    ]


def test_impossible_tile_numbers_are_refused() -> None:
    """Spans and tiles with impossible numbers are refused."""
    for index, width in ((-1, 1), (0, 0), (0, 257)):
        with pytest.raises(MalformedTile):
            Span(index, width)
    for level in (-1, 64):
        with pytest.raises(MalformedTile):
            Tile(level, Span(0))
