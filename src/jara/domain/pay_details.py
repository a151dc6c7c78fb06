"""Finds what tells readers where to send money: account numbers, wallets, links to pay.

It finds the usual forms, not every way to say it: an account number in words, or a page at an
unknown address, look like any other text.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping

NUMBER_DIGITS = 8
"""Digits in a row, apart from spaces and punctuation, that count as an account or phone number."""

_GAP = r"[\s.\-/_*()·•⁄∕‐-―]{0,3}"
_NUMBER = re.compile(rf"[a-z]{{0,2}}[0-9](?:{_GAP}[0-9]){{{NUMBER_DIGITS - 1},}}")
_GROUPS = re.compile(r"(?<![0-9])(?:[0-9]+(?:[,|][0-9]+)+|[0-9]{3,}(?:\s?[,|]\s?[0-9]{3,})+)")
_MILLIONS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,2}")
_WALLET = re.compile(r"\b(?:bc1[a-z0-9]{20,}|0x[0-9a-f]{40})\b")
_LINK = re.compile(r"\b[a-z][a-z0-9+.\-]*:[^\s<>\"')\]]+")
_PAYING_SCHEME = re.compile(r"\b(?:bitcoin|ethereum|lightning|payto|upi|tel|sms):")
_PAYING_HOST = re.compile(
    r"\b(?:paypal\.(?:com|me)|stripe\.com|wise\.com|revolut\.me|venmo\.com|cash\.app|square\.link"
    r"|gofundme\.com|gofund\.me|givebutter\.com|donorbox\.org|zeffy\.com|helloasso\.com|wero\.eu"
    r"|leetchi\.com|lepotcommun\.fr|lydia-app\.com|paystack\.(?:com|shop)|flutterwave\.com"
    r"|ko-fi\.com|buymeacoffee\.com|patreon\.com|gocardless\.com|sumup\.link|mollie\.com"
    r"|bunq\.me|monzo\.me|tikkie\.me|coinbase\.com|opencollective\.com|liberapay\.com|every\.org"
    r"|justgiving\.com|betterplace\.(?:org|me)|wave\.com|taptapsend\.com"
    r"|bit\.ly|tinyurl\.com|t\.co|rb\.gy|is\.gd|cutt\.ly)\b"
)
"""Payment services, and services that hide where a link leads."""
_PAYING_WORD = re.compile(r"(?<![a-z])(?:pay|donat|donner|give|gift|checkout|paiement|spende|iban)")
_SERVICE = re.compile(
    r"\b(?:zelle|paypal|venmo|cash ?app|wave|m-?pesa|momo|orange money|interac|western union)\b"
)
_HANDLE = re.compile(r"[@$][a-z][\w.\-]+")
_DAY = re.compile(
    r"(?<![0-9])(?:(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./](?:19|20)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}(?:\s?[-–/,|]\s?(?:19|20)[0-9]{2})+)(?![0-9])"
)
_FILE = re.compile(r"/(?:[\w.\-]+/)*[\w.\-]+\.(?:jpe?g|png|webp|gif|svg|pdf|mp4)")
"""A path of the site to a file, whose name may be a number."""
_INLINE = re.compile(r"</?(?:a|b|strong|i|em|u|s|small|span|sub|sup|code|mark)\b[^>]*>")
_OTHER_TAG = re.compile(r"</?[a-z][^>]*>")
_MARKUP = re.compile(r"[\\*`~]")
"""What Markdown does not show."""
_UNSEEN = frozenset({"Cf", "Cn", "Mn", "Me"})
"""Categories of signs without a shape of their own: joiners, variation selectors, accents."""
_BLANKS = "\u115f\u1160\u2800"  # letters and signs that look like nothing
_SPACES = re.compile(r"[^\S\n]{2,}")
_HASH = re.compile(r"(?<!\w)(?=[0-9a-f]*[a-f])[0-9a-f]{32,64}(?!\w)")


def pay_details(value: object, site: str, *, any_link: bool = False) -> frozenset[str]:
    """Return what in a text, or in the texts of a document, tells readers where to send money.

    `value` is a text, or a JSON document. Links to `site`, the organisation's own address if it
    has one, are never to pay elsewhere; with `any_link` every link to another site counts.
    """
    return frozenset(
        found for text in _texts(value) for found in _in_text(text, site, any_link=any_link)
    )


def _texts(value: object, key: object = "") -> Iterator[str]:
    match value:
        case str() if key not in {"image", "images", "evidence"} or not _FILE.fullmatch(value):
            yield value
        case Mapping():
            yield from (text for name, part in value.items() for text in _texts(part, name))
        case list() | tuple():
            yield from (text for part in value for text in _texts(part, key))
        case _:
            pass


def _in_text(text: str, site: str, *, any_link: bool) -> Iterator[str]:
    plain = _plain(text)
    if site:
        own = re.compile(rf"{re.escape(site.casefold())}(?=[/?#\s)\]\"'<>]|$)[^\s<>\"')\]]*")
        plain = own.sub(" ", plain)
    for link in _LINK.findall(plain):
        is_web = link.startswith(("http:", "https:"))
        if is_web and (any_link or _PAYING_WORD.search(link)):
            yield link
    for pattern in (_PAYING_HOST, _PAYING_SCHEME, _WALLET):
        yield from pattern.findall(plain)
    rest = _DAY.sub(";", _HASH.sub(";", _LINK.sub(";", plain)))
    shown = _MARKUP.sub("", _OTHER_TAG.sub("\n;", _INLINE.sub("", rest)))
    yield from (re.sub(r"[^a-z0-9]", "", number) for number in _NUMBER.findall(shown))
    for groups in _GROUPS.findall(shown):
        digits = re.sub(r"[^0-9]", "", groups)
        if len(digits) >= NUMBER_DIGITS and not _MILLIONS.fullmatch(groups):
            yield digits
    if _SERVICE.search(rest):
        yield from _HANDLE.findall(rest)


def _plain(text: str) -> str:
    """Return a text as readers see it: without entities, invisible signs and other digits."""
    seen = filter(_is_seen, unicodedata.normalize("NFKC", html.unescape(text)))
    return _SPACES.sub(" ", "".join(map(_in_ascii, seen))).casefold()


def _in_ascii(character: str) -> str:
    digit = unicodedata.digit(character, None)
    return character if digit is None else str(digit)


def _is_seen(character: str) -> bool:
    return character not in _BLANKS and unicodedata.category(character) not in _UNSEEN
