"""Which language a text looks like, by its function words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from operator import itemgetter

#: Small words that no other language of the table has.
WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "English": "the and of to it is that with for from this are not be never always must you they "
        "which what who by",
        "German": "der und ist nicht ein eine einen er sie wir ich auf für auch nie niemals immer "
        "muss darf kein keine dem mit von zu",
        "French": "le les des est une du pas elle dans avec qui jamais toujours doit vous nous sur "
        "et ses aux mais leur",
        "Spanish": "el los las del siempre debe con por y es como usted pero ella lo su al nunca ni sus hay",
        "Italian": "il gli che di mai sempre sono della nel alla anche questo è lui uno dei si delle nella chi",
        "Portuguese": "os uma não com da em você ele ao pelo são dos das ou seu sua mas isso",
        "Dutch": "het een niet nooit altijd moet aan voor hij zij wij ook geen mag op te dat zijn naar bij",
        "Polish": "jest się na zawsze nigdy musi jak od przez ale dla tego który czy oraz jego lub",
        "Turkish": "bir ve bu için asla zaman ile değil gibi daha olarak çok ne hiç veya onun",
        "Swedish": "och inte aldrig alltid måste är det som ett att på av han hon eller vara ska",
    }.items()
}
_LANGUAGE_OF = {word: language for language, words in WORDS.items() for word in words}
_LETTERS = re.compile(r"[^\W\d_]+")
#: Fewer such words than this say nothing about a text.
FEWEST = 6
SCRIPT = "a language in another script"


def language(text: str, fewest: int = FEWEST) -> str | None:
    """The language that a good part of a text looks like; None: too little of it says so.

    Another language than English counts from half as many small words on: names and quotations often are English.
    """
    words = _LETTERS.findall(text.casefold())
    if not text.isascii() and 2 * sum(len(word) for word in words if word[0] < "\u0250") < sum(map(len, words)):
        return SCRIPT
    counts = Counter(filter(None, map(_LANGUAGE_OF.get, words)))
    english = counts.pop("English", 0)
    most, count = max(counts.items(), key=itemgetter(1), default=("", 0))
    if count >= fewest and 2 * count > english:
        return most
    return "English" if english >= fewest else None


def other_language(text: str) -> str | None:
    """The language of a text, if it is another one than English."""
    found = language(text)
    return None if found == "English" else found
