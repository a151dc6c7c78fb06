"""Countries as people write them: names in several languages, codes and short forms.

Case, accents, punctuation and the order of words do not count, so that ``Tanzania, United
Republic of`` is Tanzania.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from jara.domain.errors import InvalidInput
from jara.domain.lookup import nearest_names, without_accents
from jara.domain.texts import tr

_SHOWN = 60
_NEAREST = 3
_BEGINNING = 3
"""Shorter texts are prefixes of too many names."""
_MARKS = "\u2018\u2019\u02bc`'."
_LETTERS = {"ß": "ss", "ø": "o", "ł": "l", "&": " and "}
_WORDS = {"st": "saint", "ste": "saint", "rep": "republic", "dem": "democratic"}
_STOP_WORDS = "the of and a de du des d la le les l el los do da dos der die das und y e et von"
_FORMAL_WORDS = (
    "republic republique republik republica kingdom state states federal federated federation "
    "democratic islamic united people peoples plurinational bolivarian arab union commonwealth "
    "principality duchy grand sultanate former yugoslav rb fed sts formerly"
)
_STOP = frozenset(_STOP_WORDS.split())
_FORMAL = frozenset(_FORMAL_WORDS.split())
"""Words of official names, which short names leave out."""
_OTHERS = {
    "AE": "uae; emirates",
    "BF": "upper volta",
    "BJ": "dahomey",
    "BN": "brunei darussalam",
    "BY": "belorussia",
    "CD": "drc; rdc; dr congo; rd congo; zaire; democratic republic congo; "
    "republique democratique congo; demokratische republik kongo; republica democratica congo; "
    "people democratic republic congo",
    "CF": "car; rca",
    "CG": "congo brazzaville; republic congo; republique congo; republik kongo; republica congo",
    "BQ": "bonaire; bonaire sint eustatius saba",
    "CI": "ivory coast; elfenbeinkuste; elfenbeinkueste; costa marfil",
    "CN": "people republic china; peoples republic china; prc; mainland china",
    "CV": "cape verde",
    "CZ": "czech republic; republique tcheque; tschechische republik; republica checa",
    "FK": "falkland islands malvinas; malvinas",
    "GB": "uk; britain; great britain; england; scotland; wales; northern ireland; cymru; "
    "united kingdom great britain northern ireland; grande bretagne; grossbritannien; "
    "gran bretana; gra bretanha; angleterre; inglaterra; ecosse; escocia; schottland",
    "IE": "republic ireland; eire",
    "IR": "persia",
    "KP": "dprk; democratic people republic korea; democratic peoples republic korea",
    "KR": "republic korea; rok",
    "LA": "lao; lao people democratic republic; lao peoples democratic republic",
    "LK": "ceylon",
    "LY": "libyan jamahiriya; libyan arab jamahiriya",
    "MK": "fyrom; macedonia",
    "MM": "burma",
    "MO": "macau",
    "NL": "holland; hollande; holanda",
    "PS": "palestinian territory occupied; occupied palestinian territory",
    "RU": "russian federation",
    "SH": "saint helena",
    "ST": "sao tome",
    "SY": "syrian arab republic",
    "SZ": "swaziland; swasiland; suazilandia",
    "TL": "east timor; timor oriental; osttimor",
    "TR": "turkey",
    "TW": "republic china; taiwan province china; chinese taipei; roc",
    "TZ": "tanganyika; zanzibar",
    "US": "usa; us; america; united states america; eeuu; ee uu; eua; "
    "etats unis amerique; etats unis damerique; vereinigte staaten amerika; estados unidos america",
    "VA": "holy see; vatican; holy see vatican city state",
    "VG": "british virgin islands; bvi",
    "VI": "us virgin islands; usvi",
    "VN": "viet nam",
    "ZW": "rhodesia",
}
"""Other names of countries, in plain words without those of `_STOP`."""
_SEVERAL = {
    "congo": ("CD", "CG"),
    "kongo": ("CD", "CG"),
    "korea": ("KP", "KR"),
    "coree": ("KP", "KR"),
    "corea": ("KP", "KR"),
    "coreia": ("KP", "KR"),
    "virgin islands": ("VG", "VI"),
    "dominica republic": ("DM", "DO"),
}
"""Names that several countries have."""

_Key = tuple[str, ...]


class Countries(Mapping[str, str]):
    """The two-letter code of each country, by its name; read on first use."""

    def __init__(
        self,
        read: Callable[[], Mapping[str, str]] = dict,
        read_others: Callable[[], Iterable[tuple[str, str]]] = tuple,
    ) -> None:
        """Take what reads names with two-letter codes: those of countries, and further ones."""
        self._read, self._read_others = read, read_others

    def __getitem__(self, name: str) -> str:
        return self.codes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """Each name with its code."""
        return self._read()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Each code with its name."""
        return {code: name for name, code in self.codes.items()}

    @cached_property
    def plain_names(self) -> Mapping[str, str]:
        """Each name by its plain form."""
        return {_fold(name): name for name in self.codes}

    @cached_property
    def _known(self) -> Mapping[_Key, tuple[str, ...]]:
        """The codes of each name that people use, by its words."""
        known: dict[_Key, tuple[str, ...]] = {}
        for name, code in self._read_others():
            known.setdefault(_key(name), (code,))
            known.setdefault(_short(_key(name)), (code,))
        known |= {_key(name): (code,) for name, code in self.codes.items()}
        for code, names in _OTHERS.items():
            known |= {_key(name): (code,) for name in names.split(";")}
        known |= {_key(name): codes for name, codes in _SEVERAL.items()}
        return {key: codes for key, codes in known.items() if key}

    def codes_of(self, text: str) -> tuple[str, ...]:
        """Return the codes of the countries that a text may mean."""
        key = _key(text)
        found = self._known.get(key) or self._known.get(_short(key), ())
        before, bracket, inside = text.partition("(")
        if bracket and not found and self.codes_of(inside) in {(), self.codes_of(before)}:
            found = self.codes_of(before)
        for word in key if not found else ():  # as in: Ghana (GH)
            rest = self._known.get(tuple(one for one in key if one != word), ())
            if self._known.get((word,), (word.upper(),)) == rest:
                found = rest
        return tuple(code for code in found if code in self.names)


def find_country(text: str, countries: Countries) -> str:
    """Return a country's name, given its name in a usual language, code or short form.

    Raises:
        InvalidInput: there is no such country, or there are several; the message suggests names.
    """
    wanted = _fold(text)
    if wanted in countries.plain_names:
        return countries.plain_names[wanted]
    if text.strip().upper() in countries.names:
        return countries.names[text.strip().upper()]
    codes = countries.codes_of(text)
    if len(codes) == 1:
        return countries.names[codes[0]]
    shown = text.strip()[:_SHOWN]
    if codes:
        several = ", ".join(f"{countries.names[code]} ({code})" for code in codes)
        raise InvalidInput(
            "'{text}' is the name of several countries: {names}.", text=shown, names=several
        )
    nearest = " or ".join(_nearest(wanted, countries))
    hint = (
        tr("did you mean {names}?", names=nearest)
        if nearest
        else tr("write a name or a code of two letters.")
    )
    raise InvalidInput("'{text}' is not in the list of countries; {hint}", text=shown, hint=hint)


def _nearest(wanted: str, countries: Countries) -> list[str]:
    names = countries.plain_names
    begin = [one for one in names if len(wanted) >= _BEGINNING and one.startswith(wanted)]
    near = [*begin, *nearest_names(wanted, names, most=_NEAREST)]
    return [names[one] for one in dict.fromkeys(near)][:_NEAREST]


def settle_country(name: str, code: str, countries: Countries) -> tuple[str, str]:
    """Return the name and code of a country, given its name and optionally its code.

    Raises:
        InvalidInput: there is no such country, or the code belongs to another one.
    """
    found = find_country(name, countries)
    own = countries[found]
    if code and countries[find_country(code, countries)] != own:
        raise InvalidInput(
            f"The country '{found}' has the code {own}, but the code given is '{code}' "
            f"({find_country(code, countries)}); correct one of them."
        )
    return found, own


@lru_cache(maxsize=1024)
def _fold(text: str) -> str:
    """Normalise a name for comparison: case, accents, punctuation, ``&`` and ``St``."""
    plain = without_accents(text).replace("-", " ")
    letters = "".join(_LETTERS.get(sign, sign) for sign in plain if sign not in _MARKS)
    return " ".join(_WORDS.get(word, word) for word in letters.split())


def _key(text: str) -> _Key:
    """Return the words of a name that count, sorted."""
    words = re.split(r"[^\w]+", _fold(text))
    return tuple(sorted(_WORDS.get(word, word) for word in words if word and word not in _STOP))


def _short(key: _Key) -> _Key:
    """Return the words without those of official names."""
    return tuple(word for word in key if word not in _FORMAL)
