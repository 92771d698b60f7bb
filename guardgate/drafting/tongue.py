"""Which language a text looks like, by its function words. Only English is read for promises."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

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
#: Letters of a script that English is not written in: the larger part of a text in it is not English.
_LETTERS = re.compile(r"[^\W\d_]+")
#: Fewer such words than this say nothing about a text.
FEWEST = 6


def other_language(text: str) -> str | None:
    """The language that a good part of a text looks like, if it is another one than English."""
    words = Counter(word.casefold() for word in _LETTERS.findall(text))
    latin = sum(count * len(word) for word, count in words.items() if word[0] < "\u0250")
    if 2 * latin < sum(count * len(word) for word, count in words.items()):
        return "a language in another script"
    counts = {language: _count(words, language) for language in WORDS}
    most = max((one for one in counts if one != "English"), key=lambda one: counts[one])
    return most if counts[most] >= FEWEST and 2 * counts[most] > counts["English"] else None


def _count(words: Counter[str], language: str) -> int:
    return sum(words[word] for word in WORDS[language])
