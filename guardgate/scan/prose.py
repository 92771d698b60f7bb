"""Whether decoded letters are sentences of a language, and not chance."""

from __future__ import annotations

import re

_WORDS = """
the and you your are with that this from for not all have what how is to of in it me be as on at my can will who about
please write tell say give ignore previous instructions instruction system prompt do now an a i we by or if no
der die das und ist ich du sie ein eine nicht den dem mit für auf wie was bitte alle zu von
le la les et est un une des vous tu je que pour dans pas il en de du au
el los las es por con una para no se su del al lo o que mi tu
e di che il per non sono una del da un con i gli si o os as em um uma não com para você
и в не на что ты вы это как все с по het een van en is je dat niet
"""
#: The words that sentences cannot do without, of the languages that are met most.
FUNCTION_WORDS = frozenset(_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 600


def readable(text: str, share: float = 0.5) -> bool:
    """Whether almost all of it can be printed, and letters are a share of it."""
    head = text[:_SAMPLE]
    if len(head) < 8:
        return False
    seen = sum(char.isprintable() or char in "\n\t\r" for char in head)
    letters = sum(char.isalnum() or char == " " for char in head)
    return seen >= 0.95 * len(head) and letters >= share * len(head)


def prose(text: str, least: int = 4) -> bool:
    """Whether it reads as a sentence: `least` words or more, two of them such as every sentence has."""
    words = _WORD.findall(text[:_SAMPLE].lower())
    if len(words) < least or text.count(" ") < least - 1:
        return False
    known = {word for word in words if word in FUNCTION_WORDS}
    return len(known) >= 2 and sum(word in FUNCTION_WORDS for word in words) >= 0.15 * len(words)
