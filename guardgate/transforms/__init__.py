"""Other ways to write the same attack: one function and one row each. Deterministic, seeded where chance has a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from guardgate.transforms import codes, frames, letters, spread

Turns = tuple[str, ...]

#: The transform that changes nothing.
NONE = "none"
#: A transform of this prefix takes its texts from the project's own table: `translation.german`.
TRANSLATION = "translation."


@dataclass(frozen=True, slots=True)
class Transform:
    """One way to write the turns of a case. `inverse`: from one sent turn back to the words, where there is a way."""

    what: str
    turns: Callable[[Turns, Random], Turns]
    inverse: Callable[[str], str] | None = None
    seeded: bool = False
    adds_turns: bool = False


def _each(write: Callable[[str], str]) -> Callable[[Turns, Random], Turns]:
    """Every turn by itself."""
    return lambda turns, _: tuple(write(turn) for turn in turns)


def _by_chance(write: Callable[[str, Random], str]) -> Callable[[Turns, Random], Turns]:
    return lambda turns, random: tuple(write(turn, random) for turn in turns)


def _last(write: Callable[[str], Turns]) -> Callable[[Turns, Random], Turns]:
    """The last turn becomes several."""
    return lambda turns, _: (*turns[:-1], *write(turns[-1]))


TABLE: Mapping[str, Transform] = MappingProxyType(
    {
        NONE: Transform("the words as written", lambda turns, _: turns, lambda text: text),
        "base64": Transform("Base64, with a line that asks to read it", _each(codes.base64), codes.from_base64),
        "base32": Transform("Base32, with a line that asks to read it", _each(codes.base32), codes.from_base32),
        "hex": Transform("bytes in hexadecimal", _each(codes.hexadecimal), codes.from_hexadecimal),
        "binary": Transform("bytes in ones and zeros", _each(codes.binary), codes.from_binary),
        "rot13": Transform("letters moved by 13 places", _each(codes.rot13), codes.from_rot13),
        "atbash": Transform("letters mirrored: a is z", _each(codes.atbash), codes.from_atbash),
        "morse": Transform("Morse code", _each(codes.morse), codes.from_morse),
        "url": Transform("every byte as %41", _each(codes.url), codes.from_url),
        "html_entities": Transform("every character as &#65;", _each(codes.entities), codes.from_entities),
        "leet": Transform("digits in the place of letters", _each(letters.leet), letters.from_leet),
        "reversed": Transform("back to front", _each(letters.reversed_), letters.from_reversed),
        "spaced": Transform("a space after every letter", _each(letters.spaced), letters.from_spaced),
        "homoglyph": Transform("look-alike letters of other scripts", _each(letters.homoglyph), letters.from_homoglyph),
        "zero_width": Transform(
            "invisible spaces between the letters", _each(letters.zero_width), letters.from_zero_width
        ),
        "unicode_tags": Transform("invisible tag characters", _each(letters.tags), letters.from_tags),
        "bidi": Transform(
            "stored back to front, shown right by direction marks", _each(letters.bidi), letters.from_bidi
        ),
        "full_width": Transform("wide letters", _each(letters.full_width), letters.from_full_width),
        "case_noise": Transform("capitals by chance", _by_chance(letters.case_noise), seeded=True),
        "split_turns": Transform("the last turn in parts, one a turn", _last(spread.split_turns), adds_turns=True),
        "acrostic": Transform("the first letters of lines", _each(spread.acrostic), spread.from_acrostic),
        "json": Transform("a field deep in a JSON record", _each(frames.json_record), frames.from_json_record),
        "table": Transform("a cell of a Markdown table", _each(frames.table), frames.from_table),
        "code_comment": Transform("comments in a program", _each(frames.code_comment), frames.from_code_comment),
        "link_title": Transform("the title of a Markdown link", _each(frames.link_title), frames.from_link_title),
        "html_comment": Transform("an HTML comment", _each(frames.html_comment), frames.from_html_comment),
        "chat_tokens": Transform("between forged chat markers", _each(frames.chat_tokens), frames.from_chat_tokens),
        "roleplay": Transform("a line of a character on a stage", _each(frames.roleplay), frames.from_roleplay),
    }
)


def known(translations: Mapping[str, object]) -> tuple[str, ...]:
    """Every name that a run may use, the project's own translations among them."""
    return (NONE, *(f"{TRANSLATION}{name}" for name in translations), *(name for name in TABLE if name != NONE))


def unchanged(turns: Turns, written: Turns) -> bool:
    """Whether the very words go out: as they are, or under a line that promises a code no letter of them has."""
    return turns == written or (
        len(turns) == len(written) and all(codes.plain_below(*pair) for pair in zip(turns, written, strict=True))
    )


def sent(name: str, turns: Turns, seed: int, case: str, translations: Mapping[str, Mapping[str, str]]) -> Turns:
    """The turns as they go out under the transform `name`. Raises KeyError for a text that a table does not hold."""
    if name.startswith(TRANSLATION):
        table = translations[name.removeprefix(TRANSLATION)]
        return tuple(table[turn] for turn in turns)
    return TABLE[name].turns(turns, Random(f"{seed}:{name}:{case}"))  # noqa: S311 - repeatable by design
