"""The texts of a document in other languages.

A document is in English unless ``language`` names another language. It may carry its texts in
other languages under their codes, with the same field names; items of a list are matched by
their ``id``, or by their order where they have none::

    title: Clean water
    milestones: [{id: survey, title: Site survey}]
    fr:
      title: De l'eau propre
      milestones: [{id: survey, title: Étude du site}]

Which fields are texts follows from their forms.
"""

import json
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from jara.domain.content.fields import Document, Field, Form, arrange, describe_keys, normalise
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language, is_language_code

LANGUAGE = "language"
"""The key of the language in which a document is written."""

ORIGINAL = "original"
"""The key under which a document in another language has the texts that were replaced."""

TRANSLATED_FROM = "translatedFrom"
"""The key of the hashes of the originals, by language and field; only the store has it."""

_BESIDE = (LANGUAGE, TRANSLATED_FROM)
_ID = "id"
_HASH_CHARACTERS = 16


def text_fields(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields that a translation may have: texts, and lists of items with texts."""
    return tuple(_text_fields(fields))


def _text_fields(fields: Iterable[Field]) -> Iterator[Field]:
    for field in fields:
        if field.is_translatable:
            yield field._replace(required=False)
        elif texts := text_fields(field.fields):
            named = tuple(one._replace(required=True) for one in field.fields if one.name == _ID)
            yield field._replace(required=False, fields=(*named, *texts))


def language_of(document: Mapping[str, Any]) -> Language:
    """Return the language in which a document is written."""
    return Language(document.get(LANGUAGE) or ENGLISH)


def require_language(code: str, languages: Collection[Language]) -> Language:
    """Return a language of the site.

    Raises:
        InvalidInput: the site does not have it.
    """
    if code not in languages:
        raise InvalidInput(
            f"The site has no language '{code}'; its languages are {', '.join(languages)}."
        )
    return Language(code)


def split_languages(
    names: Collection[str], document: Mapping[str, Any], languages: Collection[str]
) -> tuple[Document, Document]:
    """Separate a document from its language and its translations; nothing is checked.

    A key that is none of `names` and looks like a code counts as a language if it holds keys and
    values, also where it is none of the site's `languages`.
    """
    beside = {
        key: value
        for key, value in document.items()
        if key in _BESIDE
        or (
            key not in names
            and is_language_code(key)
            and (key in languages or isinstance(value, Mapping))
        )
    }
    return {key: value for key, value in document.items() if key not in beside}, beside


def check_languages(
    what: str,
    fields: Iterable[Field],
    document: Document,
    beside: Mapping[str, Any],
    *,
    languages: Collection[Language],
    before: Mapping[str, Any],
) -> Document:
    """Return the language and the translations of a document, checked.

    A translation that was there before stays unless `beside` has another one, or an empty one.
    Texts of it that have lost their original go. The document is checked, and in its own language;
    `before` is empty for a new one. `what` names the item in messages, such as ``project 'wells'``.

    Raises:
        InvalidInput: the site does not have a language, or a translation breaks a rule.
    """
    listed, own = text_fields(fields), beside.get(LANGUAGE) or ENGLISH
    stored = {key: texts for key, texts in translations_of(before).items() if key != own}
    texts = {**stored, **{key: beside[key] for key in beside if key not in _BESIDE}}
    for language in (own, *texts):
        try:
            require_language(language, languages)
        except InvalidInput as error:
            raise InvalidInput(f"The {what}: {error.message}") from None
    if texts.get(own):
        raise InvalidInput(
            f"The {what} is written in '{own}' and has '{own}' as a translation too; put these "
            f"texts in its own fields, or name the language of those in '{LANGUAGE}'."
        )
    made: Document = {} if own == ENGLISH else {LANGUAGE: own}
    for language, given in texts.items():
        if language in stored and given == stored[language]:
            translation = _fitting_texts(listed, document, before, stored[language])
        else:
            translation = _checked_texts(f"'{language}' of the {what}", listed, document, given)
        if translation:
            made[language] = translation
    return made


def _checked_texts(
    what: str, fields: Iterable[Field], document: Document, texts: object
) -> Document:
    if texts is not None and not isinstance(texts, Mapping):
        raise InvalidInput(f"The {what} is {texts!r}; write keys with their texts.")
    checked = normalise(what, fields, texts or {})
    for field in fields:
        if field.name in checked:
            where = f"'{field.name}' in {what}"
            _check_fit(where, field, document.get(field.name), checked[field.name])
    return checked


def _fitting_texts(
    fields: Iterable[Field], document: Document, before: Mapping[str, Any], texts: Mapping[str, Any]
) -> Document:
    """Return the texts of a translation that still have the original at their place."""
    fitting = {}
    for field in fields:
        text, original = texts.get(field.name), document.get(field.name)
        if not text or not original:
            continue
        if ids := _ids(field, original):
            text = [item for item in text if item[_ID] in ids]
        elif isinstance(text, list):
            parts, earlier = (_listed(one)[: len(text)] for one in (original, before[field.name]))
            text = text if parts == earlier else []
        if text:
            fitting[field.name] = text
    return fitting


def _check_fit(where: str, field: Field, original: Any, text: Any) -> None:  # noqa: ANN401 - values of a document
    """Check that a translation says something, and that it has an original."""
    if not (text.strip() if isinstance(text, str) else text):
        raise InvalidInput(f"{where} is empty; write its text, or leave the key out.")
    if not original:
        raise InvalidInput(f"{where} translates a text that is missing; write the original first.")
    if isinstance(text, str):
        return
    count, ids = len(_listed(original)), _ids(field, original)
    if not ids and len(text) > count:
        raise InvalidInput(
            f"{where} has {len(text)} parts and the original has {count}; they are matched by "
            "their order, so write at most as many."
        )
    named = [item[_ID] for item in text] if ids else []
    for name in named:
        if name not in ids or named.count(name) > 1:
            raise InvalidInput(
                f"{where} has the id '{name}'; write each of {', '.join(ids)} once at most."
            )


def _listed(value: Any) -> list[Any]:  # noqa: ANN401 - a value of a document
    """Return the parts of a list; a text alone is a list of one."""
    return value if isinstance(value, list) else [value]


def _ids(field: Field, original: Any) -> list[str]:  # noqa: ANN401 - a value of a document
    """Return the ids of a list's items; none if their order says which is which."""
    if field.form is not Form.ITEMS or not original:
        return []
    return [part[_ID] for part in original if _ID in part]


def languages_in(fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return what a file says of a document's language, and its translations."""
    own, listed = {LANGUAGE: document.get(LANGUAGE)}, text_fields(fields)
    translations = translations_of(document).items()
    return {
        **(own if own[LANGUAGE] else {}),
        **{language: arrange(listed, texts) for language, texts in translations},
    }


def in_language(
    fields: Iterable[Field], document: Mapping[str, Any], language: Language
) -> Document:
    """Return a document as a reader of a language sees it.

    Texts without a translation stay as they are. ``language`` names the language in which the
    document was written, and ``original`` has the texts that a translation replaced.
    """
    beside = {*_BESIDE, *translations_of(document)}
    plain = {key: value for key, value in document.items() if key not in beside}
    shown = translate(fields, plain, texts_in(document, language))
    return {**shown, LANGUAGE: language_of(document)}


def texts_in(document: Mapping[str, Any], language: Language) -> Mapping[str, Any]:
    """Return the translation for a reader of a language; empty if there is none or need be."""
    return {} if language == language_of(document) else translations_of(document).get(language, {})


def translate(fields: Iterable[Field], document: Document, texts: Mapping[str, Any]) -> Document:
    """Return a document with texts replaced, and what they replaced under ``original``."""
    shown, original = dict(document), {}
    for field in text_fields(fields):
        text, before = texts.get(field.name), document.get(field.name)
        if not text or not before:
            continue
        if field.form is Form.ITEMS:
            shown[field.name] = [
                translate(field.fields, item, part) for item, part in _paired(before, text)
            ]
        else:
            if isinstance(text, list):
                text = text[0] if isinstance(before, str) else [*text, *before[len(text) :]]
            shown[field.name], original[field.name] = text, before
    return {**shown, ORIGINAL: original} if original else shown


def text_language(document: Mapping[str, Any], key: str, language: str) -> str:
    """Return the language of a text that a reader of a language gets."""
    return language if key in (document.get(ORIGINAL) or {}) else str(document[LANGUAGE])


def original_text(document: Mapping[str, Any], key: str) -> str:
    """Return a text of a document as it was written, whatever its reader's language."""
    return str((document.get(ORIGINAL) or {}).get(key, document[key]))


def reading_keys(document: Mapping[str, Any], keys: Container[str] | None = None) -> Document:
    """Return what `in_language` says of the languages of a document's keys, by default all."""
    original = document.get(ORIGINAL, {})
    shown = {key: original[key] for key in original if keys is None or key in keys}
    return {LANGUAGE: document[LANGUAGE], **({ORIGINAL: shown} if shown else {})}


def _paired(items: list[Document], texts: list[Document]) -> Iterator[tuple[Document, Document]]:
    by_id = {part[_ID]: part for part in texts if _ID in part}
    for number, item in enumerate(items):
        in_order = texts[number] if not by_id and number < len(texts) else {}
        yield item, by_id.get(item.get(_ID, ""), in_order)


def translations_of(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the translations in a checked document by their language."""
    return {
        key: value
        for key, value in document.items()
        if is_language_code(key) and isinstance(value, Mapping)
    }


def changes_in(
    document: Mapping[str, Any], changes: Mapping[str, Any], language: Language | None
) -> Mapping[str, Any]:
    """Return the changes of a document if its texts in a language change, by default its own."""
    if language is None or language == language_of(document):
        return changes
    return {language: {**document.get(language, {}), **changes}}


def note_originals(
    fields: Iterable[Field],
    document: Document,
    before: Mapping[str, Any],
    *,
    checked: Collection[str] = (),
) -> Document:
    """Return a checked document that knows from which originals its texts were translated.

    A text that stays as it was `before` stays a translation of the original of that time; texts in
    the languages of `checked` were found to fit the originals of now.
    """
    plain = {key: value for key, value in document.items() if key != TRANSLATED_FROM}
    known, listed = before.get(TRANSLATED_FROM, {}), text_fields(fields)
    hashes: Document = {}
    for language, texts in translations_of(plain).items():
        old = {} if language in checked else before.get(language, {})
        hashes[language] = {
            field.name: known.get(language, {}).get(field.name)
            if old.get(field.name) == texts[field.name]
            else _hash(field, plain[field.name])
            for field in listed
            if field.name in texts
        }
    return {**plain, TRANSLATED_FROM: hashes} if hashes else plain


def outdated_texts(
    fields: Iterable[Field], document: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the fields of each translation whose original changed after it, by language."""
    by_name = {field.name: field for field in text_fields(fields)}
    old = {
        language: tuple(
            name
            for name, hashed in names.items()
            if name in by_name
            and (name not in document or hashed != _hash(by_name[name], document[name]))
        )
        for language, names in document.get(TRANSLATED_FROM, {}).items()
    }
    return {language: names for language, names in old.items() if names}


def describe_texts(fields: Iterable[Field]) -> str:
    """Return the keys that a translation may have: ``title, milestones (each: id, title)``."""
    return describe_keys(text_fields(fields))


def describe_translations(fields: Iterable[Field], document: Mapping[str, Any]) -> str:
    """Return the languages that a document carries, and which texts are older: ``fr``."""
    old = outdated_texts(fields, document)
    return ", ".join(
        f"{language} (older than the original: {', '.join(old[language])})"
        if language in old
        else language
        for language in translations_of(document)
    )


def _hash(field: Field, value: Any) -> str:  # noqa: ANN401 - a value of a document
    """Return the hash of what translators see of a value."""
    if field.form is Form.ITEMS:
        names = [one.name for one in field.fields]
        value = [[_texts_only(item.get(name)) for name in names] for item in value]
    return sha256(json.dumps(value).encode()).hexdigest()[:_HASH_CHARACTERS]


def _texts_only(value: Any) -> str:  # noqa: ANN401 - a value of a document
    return value if isinstance(value, str) else ""
