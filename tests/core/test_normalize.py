"""Text as it is compared, and the way back to the exact words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guardgate.confusables import BEFORE_NFKC, CONFUSABLES
from guardgate.normalize import Normal, blank, find, fold, plain, skeleton, view, visible, words

WAYS: list[Normal] = [plain, fold, skeleton]

#: Characters that normalisation removes, joins, splits, reorders or maps.
TRICKY = (
    "aZ .'-\n\t\x00\x07\x85ßİıŉſςΣ\u0345\u0301\u0308\u0338\u200b\u200d\u00ad\u2800\u3000\ud800\udfff\U000e0041\ufe0f"
    "각ㄱㅏㅣ\u1100\u1161\u11a8ｶﾞﾟ\uffa0\u3164Ννϲ´¨‘”—‑″⁗ﬁ½ﷺ①🅰🇩А٣４é\u0b47\u0b57\U00011099\U000110ba"
)
TEXTS = st.text() | st.text(st.sampled_from(TRICKY) | st.characters(), max_size=12) | st.text(st.sampled_from(TRICKY))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Plain Text.", "Plain Text."),
        ("  two\t\tspaces\r\n\u2028and\u3000lines\u00a0 ", "two spaces and lines"),
        ("se\u200bcr\u2060et", "secret"),
        ("\u202ereversed\u202c", "reversed"),
        ("soft\u00adhyphen", "softhyphen"),
        ("tags\U000e0041\U000e0042\U000e007f", "tags"),
        ("heart❤\ufe0f", "heart❤"),
        ("a\u115f\u1160\u3164\uffa0b", "ab"),
        ("a\u034fb\ufeffc\u061cd", "abcd"),
        ("a\x00b\x1bc\x7fd\x9be", "abcde"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("𝓼𝓮𝓬𝓻𝓮𝓽 ⓢⓔⓒⓡⓔⓣ", "secret secret"),
        ("ﬁne", "fine"),
        ("“quoted” ‘it’s’ «x» ‹y›", "\"quoted\" 'it's' \"x\" 'y'"),
        ("it´s 5″ 5′", "it's 5\" 5'"),
        ("a–b—c‑d−e", "a-b-c-d-e"),
        ("a\u2800b", "a b"),
        ("e\u200b\u0301", "é"),
        ("`code`", "`code`"),
        ("ẞtraße", "ẞtraße"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SECRET", "secret"),
        ("Straße", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("\u212aELVIN", "kelvin"),
        ("İ", "i̇"),
        ("ŉ", "'n"),
    ],
)
def test_fold(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sеcrеt", "secret"),
        ("ѕесгеt", "secret"),
        ("ЅЕСRЕТ", "secret"),
        ("ΖΕΒRΑ-٤٤١٧", "zebra-4417"),
        ("ΝΟ ΝΕνΕR", "no never"),
        ("ꜱᴇᴄʀᴇᴛ", "secret"),
        ("ꓢꓰꓚꓣꓰꓔ", "secret"),
        ("Ꮪ Ꭼ Ꮯ", "s e c"),
        ("ꮪ ꭼ ꮯ", "s e c"),
        ("հօո", "hon"),
        ("🅂🅴🅲🆁🅔🅣", "secret"),
        ("🇸🇪🇨🇷🇪🇹", "secret"),
        ("ϲode Ϲode", "code code"),
        ("s̶e̶c̶r̶é́ẗ", "secret"),
        ("łøđħı", "lodhi"),
        ("ᏃΕΒRΑ", "zebra"),
        ("１２３ १२३ 𝟙𝟚𝟛", "123 123 123"),
        ("ignore ALL 0123456789 l1I|O0", "ignore all 0123456789 l1i|o0"),
        ("привет", fold("пpивeт").translate(CONFUSABLES)),
    ],
)
def test_skeleton(text: str, expected: str) -> None:
    assert skeleton(text) == expected


def test_needles_of_other_scripts_still_meet_themselves() -> None:
    for text in ("Наш секрет", "το μυστικό μας", "हमारा राज़", "私たちの秘密", "우리의 비밀", "سرنا الصغير"):
        assert skeleton(text) in skeleton(f"x {text} y")
        assert fold(text) in fold(f"x {text.upper()} y")


def test_table_of_lookalikes_is_sound() -> None:
    for char, ascii_ in {**{chr(code): row for code, row in CONFUSABLES.items()}, **BEFORE_NFKC}.items():
        assert not char.isascii()
        assert ascii_.isascii()
        assert ascii_.isalnum()
        assert ascii_ == ascii_.lower()
        assert skeleton(char) == ascii_
        if char not in BEFORE_NFKC:
            assert unicodedata.normalize("NFKC", char) == char, f"{char}: NFKC does it already"
        if char.isdecimal():
            assert ascii_.isdecimal(), "a digit never becomes a letter"


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_only_folded(text: str) -> None:
    kept = "".join(char for char in text if char.isprintable() or char.isspace())
    assert plain(text) == " ".join(kept.split())
    assert skeleton(text) == fold(text) == plain(text).lower()


# --- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", WAYS)
@given(text=TEXTS)
@example("e\u200b\u0301")
@example("´\u0301 x")
@example("ﾞﾞ")
def test_twice_is_once(how: Normal, text: str) -> None:
    once = how(text)
    assert how(once) == once
    assert len(once) <= 20 * len(text)
    assert once == " ".join(once.split())


@pytest.mark.parametrize("how", WAYS)
def test_twice_is_once_for_each_character(how: Normal) -> None:
    for code in (*range(0x3400), *range(0xA000, 0xAC00), *range(0xD700, 0x11000), *range(0x1D000, 0x1F200)):
        once = how(f"x{chr(code)}")
        assert how(once) == once, hex(code)


@given(TEXTS)
def test_each_way_says_less(text: str) -> None:
    assert fold(plain(text)) == fold(text)
    assert skeleton(plain(text)) == skeleton(text) or "ϲ" in text.lower()


@pytest.mark.parametrize("how", WAYS)
@given(text=TEXTS, data=st.data())
def test_view_gives_back_the_exact_words(how: Normal, text: str, data: st.DataObject) -> None:
    seen = view(text, how)
    assert seen.text == how(text)
    start = data.draw(st.integers(0, len(seen.text)))
    end = data.draw(st.integers(start, len(seen.text)))
    original = seen.original(start, end)
    assert original in text
    assert seen.text[start:end].strip() in how(original)
    assert bool(original) == (start < end)


@pytest.mark.parametrize("how", WAYS)
@given(before=TEXTS, needle=TEXTS, after=TEXTS)
def test_what_is_found_stands_in_the_text(how: Normal, before: str, needle: str, after: str) -> None:
    text = f"{before} {needle} {after}"
    wanted = how(needle)
    found = find(wanted, text, how)
    if wanted and wanted in how(text):
        assert found is not None
        assert found in text
        assert wanted in how(found)
    else:
        assert found is None


@pytest.mark.parametrize(
    ("needle", "text", "how", "expected"),
    [
        ("our secret", "It is OUR\n\tSecret, ok", fold, "OUR\n\tSecret"),
        ("secret", "a sе\u200bcrеt\u200b\u200b b", skeleton, "sе\u200bcrеt"),
        ("secret", "ｓｅｃｒｅｔ", fold, "ｓｅｃｒｅｔ"),
        ("fi", "a ﬁsh", fold, "ﬁ"),
        ("f", "a ﬁsh", fold, "ﬁ"),
        ("it's", "Yes, it’s", plain, "it’s"),
        ("é", "cafe\u0301!", fold, "e\u0301"),
        ("cafe", "CAFE\u0301!", skeleton, "CAFE\u0301"),
        ("ab", "xaby", fold, "ab"),
        ("b", "xab", fold, "b"),
        ("가", "x가y", fold, "가"),
        ("x", "", fold, None),
        ("", "text", fold, None),
        ("text", "TEXT", plain, None),
    ],
)
def test_find(needle: str, text: str, how: Normal, expected: str | None) -> None:
    assert find(needle, text, how) == expected


def test_view_of_a_long_text_finds_each_place() -> None:
    text = "Ünïcode  words\u200b here. " * 2_000
    seen = view(text, fold)
    at = seen.text.rfind("words here")
    assert seen.original(at, at + 10) == "words\u200b here"


# --- blank, words, visible -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t\r", "\u200b\u200d\ufeff", "\u3164\u2800\u115f", "\u0301\u0308", "\x00\x1b", "\ufe0f", "\U000e0041",
     "\ud800", "\ufffd\ufffd", "\u202e\u202c", "\u00a0\u3000", "\ue000"],
)  # fmt: skip
def test_blank(text: str) -> None:
    assert blank(text)


@pytest.mark.parametrize("text", ["0", ".", "a", "é", "\u200bx\u200b", "中", "👍", "…", "e\u0301", "—", "٣", "`"])
def test_not_blank(text: str) -> None:
    assert not blank(text)


@given(TEXTS)
def test_blank_has_no_words(text: str) -> None:
    assigned = all(unicodedata.category(char) not in {"Cn", "Co"} for char in text)
    assert not (blank(text) and assigned) or words(plain(text)) == 0
    assert blank(text) == blank(f" \u200b{text}\n")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("one", 1),
        ("one two  three\nfour", 4),
        ("don't well-known e-mail", 3),
        ("- bullet\n* other\n# head", 3),
        ("one—two … three–four", 4),
        ("wait...what", 1),
        ("https://example.org/a?b=c 1,000.50 50%", 3),
        ("!!! ?? --- 👍", 0),
        ("私たちの秘密", 6),
        ("か\u3099く", 2),
        ("GPT是一个模型 ok", 7),
        ("우리의 비밀", 2),
        ("सरल भाषा", 2),
        ("one\u200btwo", 1),
        ("naïve café", 2),
        ("**bold** `code`", 2),
    ],
)
def test_words(text: str, count: int) -> None:
    assert words(text) == count


@given(TEXTS, TEXTS)
def test_words_add_up(left: str, right: str) -> None:
    assert words(f"{left}\n{right}") == words(left) + words(right)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("plain\n\ttext", None, "plain\n\ttext"),
        ("a\u202eb\u200bc", None, "a\\u{202e}b\\u{200b}c"),
        ("\x1b[31m\x00\r", None, "\\u{1b}[31m\\u{0}\\u{d}"),
        ("\ud800\U000e0041", None, "\\u{d800}\\u{e0041}"),
        ("é 中 👍", None, "é 中 👍"),
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("abcdef", 0, "…"),
    ],
)
def test_visible(text: str, limit: int | None, expected: str) -> None:
    assert visible(text, limit) == expected


@given(TEXTS)
def test_visible_hides_nothing(text: str) -> None:
    shown = visible(text)
    assert shown.encode("utf-8").decode("utf-8") == shown
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"}
        assert char not in "\u200b\u202e\u2066\u2028\ufeff\u00ad\U000e0041"


@given(st.text(st.sampled_from(TRICKY), max_size=200))
def test_everything_takes_any_text(text: str) -> None:
    assert isinstance(blank(text), bool)
    assert words(text) >= 0
    assert len(visible(text, 20)) <= 20 * len("\\u{10ffff}")
