"""The public log: canonical leaves and the Merkle tree over them."""
