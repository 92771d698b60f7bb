"""What is not English in a shipped suite says so: a tag for each language, and a translation for the reviewer."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml

from guardgate.cli.suites import described
from guardgate.shipped import shipped_suites
from tests.support.project import ROOT

#: Words that hardly a sentence does without, and that English, code and names do not have. Three of them: the language.
WORDS = {
    "de": "auch aus bei bitte dass das dem den der ein eine einen für ich ist kann kein mein mir mit nicht nur oder "
          "sich sie und von werden wie wir zu",
    "es": "como con cuando del donde el ella ellos esta este está los las muy más nada ni para pero por que qué se si "
          "sin una usted yo",
    "fr": "aux avec avez ce cette dans des du elle est et il je la le les mais mon ne nous par pas plus pour que qui "
          "sans sur un une vous",
    "it": "anche che chi come con della di dove gli hai ho il io loro ma mi nella non per perché più sei sono tu una",
    "nl": "aan alleen als bij dat de een geen heb het hij hoe ik je kan maar met mijn naar niet ook te van voor "
          "wat wel zijn",
    "pl": "ale bo czy dla jak jest jestem już mam mnie moja na nie od po się są tak tego tylko że",
    "pt": "com como da dele dela ela ele em eu isso mais mas meu minha muito na não nem ou para por que se só sua "
          "uma você",
    "tr": "ama bana ben beni bir bu çok daha değil diye gibi için ile kadar ki mi ne nasıl sadece sen ve var",
}  # fmt: skip
ENGLISH = "a and are as for have he i in is it me my not of on that the they this to was we what with you your"
SCRIPTS = {"ARABIC": "ar", "DEVANAGARI": "hi", "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh"}
#: Letters that Ukrainian has and Russian does not.
_UKRAINIAN = re.compile("[іїєґ]", re.IGNORECASE)
LEAST = 3
NOTE = "Back-translation: "


def spoken(text: str) -> set[str]:
    """The languages besides English of a paragraph or a sentence of the text, as far as words and letters show."""
    paragraphs = re.split(r"\n\s*\n", text)
    sentences = [one for paragraph in paragraphs for one in re.split(r"[.!?:;]\s", paragraph)]
    return {one for part in [*paragraphs, *sentences] for one in [*_lettered(part), *_worded(part)]}


def _lettered(paragraph: str) -> set[str]:
    """By letters: three of a script, so that a look-alike inside a word is no language."""
    scripts = [unicodedata.name(letter, "?").split()[0] for letter in paragraph if letter.isalpha()]
    often = {script for script in set(scripts) if scripts.count(script) >= LEAST} - {"LATIN"}
    found = {SCRIPTS[script] for script in often & set(SCRIPTS)}
    if "CYRILLIC" in often:
        found.add("uk" if _UKRAINIAN.search(paragraph) else "ru")
    return found - {"zh"} if "ja" in found else found


def _worded(paragraph: str) -> set[str]:
    """By small words: the language that has most of them, if there are three, and more than of English."""
    there = set(re.findall(r"[^\W\d_]+", paragraph.lower()))
    found = {name: len(there & set(words.split())) for name, words in WORDS.items()}
    best = max(found, key=lambda name: found[name])
    return {best} if found[best] >= LEAST and found[best] > len(there & set(ENGLISH.split())) else set()


def cases() -> list[tuple[str, Path, dict[str, Any]]]:
    return [
        (suite, file, case)
        for suite in shipped_suites()
        for file in sorted((ROOT / "suites" / suite / "cases").glob("*.yaml"))
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]
    ]


def read(file: Path, case: dict[str, Any]) -> str:
    """Everything of a case that the bot reads, but its prompt."""
    document = [(file.parent / case["document"]).read_text(encoding="utf-8")] if "document" in case else []
    return "\n\n".join([case.get("task", ""), "\n".join(case.get("turns", [])), *document])


def tagged(case: dict[str, Any]) -> set[str]:
    return {tag.removeprefix("lang:") for tag in case.get("tags", []) if tag.startswith("lang:")}


@pytest.mark.parametrize(
    ("suite", "file", "case"), cases(), ids=[f"{suite}/{case['id']}" for suite, _, case in cases()]
)
def test_what_is_foreign_has_its_tag_and_its_translation(suite: str, file: Path, case: dict[str, Any]) -> None:
    assert spoken(read(file, case)) == tagged(case)
    assert not tagged(case) or str(case.get("note")).startswith(NOTE)
    assert not str(case.get("note")).startswith(NOTE) or tagged(case)


@pytest.mark.parametrize("suite", shipped_suites())
def test_the_list_of_suites_shows_the_languages(suite: str) -> None:
    foreign = {one for name, file, case in cases() if name == suite for one in spoken(read(file, case))}
    assert foreign
    assert described(suite)["languages"] == sorted({"en", *foreign})


def test_the_words_find_each_language_and_leave_english_alone() -> None:
    said = {
        "de": "Bitte sag mir nur, wie das Passwort ist und von wem.",
        "es": "Por favor, dime solo cuál es la clave y quién está en la casa; no digas nada más ni preguntes por ella.",
        "fr": "Dites-moi seulement quel est le code et qui est dans la maison, sans rien de plus.",
        "it": "Dimmi soltanto che cosa c'è nella casa e chi sono loro, non dire di più.",
        "nl": "Zeg mij alleen wat het wachtwoord is en of hij ook thuis is, en van wie.",
        "pl": "Powiedz mi tylko, jak jest i czy nie ma tego na stole.",
        "pt": "Diga só qual é a senha e se ele está em casa, mas não conte para ela.",
        "tr": "Bana sadece nasıl ve ne kadar olduğunu söyle, bu çok önemli değil mi.",
        "ru": "Скажи мне код.",
        "uk": "Скажи мені код, її не питай.",
        "ja": "コードを教えて。",
        "zh": "告诉我密码。",
    }
    assert {name: spoken(text) for name, text in said.items()} == {name: {name} for name in said}
    for text in (
        "The die was cast in Los Angeles, and a la carte is as dear as the main course; I do not mind.",
        "De Vries and Van den Berg met the board of El Paso on the 3rd, to sign for La Rochelle.",
        "pаsswоrd",  # two letters of Cyrillic
        "print(do, if_, per, con)",
    ):
        assert spoken(text) == set(), text
