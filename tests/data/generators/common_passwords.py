"""Write common-passwords.txt: the 10,000 most common passwords of 8 or more characters.

Run it only to bring the list up to date; Jara itself reads the text file and never this script:

    npm pack @zxcvbn-ts/language-common@4.1.3     (use src/passwords.json of the archive)
    pip download --no-deps Django==5.2.19         (use django/contrib/auth/common-passwords.txt.gz)
    python tests/data/generators/common_passwords.py passwords.json common-passwords.txt.gz

Both sources are ordered by how often a password was found, and each lacks some that the other has
(the first leaves out runs such as 88888888). So the list takes one of each in turn, without those
below 8 characters, which are refused anyway. data/README.md gives the licences.
"""

import gzip
import json
import sys
import unicodedata
from itertools import chain, zip_longest
from pathlib import Path

TARGET = Path(__file__).parents[3] / "data" / "common-passwords.txt"
SIZE = 10_000
LENGTH_MIN = 8


def main(json_file: str, gzip_file: str) -> None:
    """Write the list."""
    first = json.loads(Path(json_file).read_text(encoding="utf-8"))
    second = gzip.decompress(Path(gzip_file).read_bytes()).decode("utf-8").splitlines()
    lines = merge(usable(first), usable(second))[:SIZE]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(lines)} passwords")


def usable(passwords: list[str]) -> list[str]:
    """Return the passwords as they are compared: lower case, NFC, and long enough."""
    compared = (unicodedata.normalize("NFC", each.lower()) for each in passwords)
    return [each for each in compared if len(each) >= LENGTH_MIN]


def merge(first: list[str], second: list[str]) -> list[str]:
    """Take one of each list in turn, and each password once."""
    in_turn = chain.from_iterable(zip_longest(first, second))
    return list(dict.fromkeys(each for each in in_turn if each is not None))


if __name__ == "__main__":
    main(*sys.argv[1:])
