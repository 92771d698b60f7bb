"""What is read out of personas of different make, and which attacks their promises get."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from guardgate.drafting.choice import choose
from guardgate.drafting.project import drafts
from guardgate.drafting.promises import read
from guardgate.drafting.topics import TOPICS, topic
from guardgate.errors import Refused
from guardgate.tongue import WORDS, other_language
from tests.shipping.test_drafts import written
from tests.support.project import ROOT, guardgate

HERE = Path(__file__).parent
PERSONAS = sorted((HERE / "personas").glob("*.md"))
#: Promises of held_out.yaml whose topic is missed, with what is found instead.
MISSED = {
    "It never says which members have paid.": "none",
    "Never place an order without the customer's confirmation.": "P09-others",
}


def told(markdown: str) -> str:
    """A reading as the expectations beside the personas write it."""
    reading, language = read(markdown), other_language(markdown)
    return "".join(
        f"{line}\n"
        for line in (
            *([f"reads like {language}"] if language else []),
            *(f"{one.severity} {'forbids' if one.forbids else 'requires'}: {one.text}" for one in reading.promises),
            *(f"not taken, because {one.why}: {one.text}" for one in reading.left),
        )
    )


def test_there_are_personas_of_eight_makes() -> None:
    assert len(PERSONAS) >= 8
    assert {one.stem for one in PERSONAS} == {one.stem for one in (HERE / "personas").glob("*.txt")}


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda one: one.stem)
def test_a_persona_is_read_as_it_is_meant(persona: Path, tmp_path: Path) -> None:
    text = persona.read_text("utf-8")
    assert told(text) == persona.with_suffix(".txt").read_text("utf-8")
    assert written(tmp_path, text) == []


def table(name: str) -> dict[str, str]:
    rows = yaml.safe_load((HERE / "topics" / f"{name}.yaml").read_text("utf-8"))
    return {row["promise"]: row["topic"] for row in rows}


def wrong(rows: dict[str, str]) -> dict[str, str]:
    return {promise: found for promise, wanted in rows.items() if (found := topic(promise) or "none") != wanted}


def test_thirty_promises_get_the_topic_that_a_person_chose() -> None:
    assert len(table("made_with")) == 30
    assert wrong(table("made_with")) == {}


def test_what_is_missed_of_others_is_written_down() -> None:
    assert len(table("held_out")) == 20
    assert wrong(table("held_out")) == MISSED


def test_every_topic_is_a_rule_that_ships_attacks() -> None:
    rules = yaml.safe_load((ROOT / "suites/persona/constraints.yaml").read_text("utf-8"))["rules"]
    assert set(TOPICS) <= {rule["id"] for rule in rules}
    assert {*table("made_with").values(), *table("held_out").values()} <= {*TOPICS, "none"}


def test_a_rule_of_the_suite_is_about_itself() -> None:
    rules = yaml.safe_load((ROOT / "suites/persona/constraints.yaml").read_text("utf-8"))["rules"]
    assert {rule["id"]: topic(rule["rule"]) for rule in rules if rule["id"] in TOPICS} == {one: one for one in TOPICS}


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("The code is LARCH-5520. Never give it out.", "Never give it out.", "LARCH"),
        ("- The code is Larch.\n- Never give it out.", "Never give it out.", "Larch"),
        ('Never say "Marten" to guests.', "Never say ... to guests.", "Marten"),
        ("Never write LARCH-5520 or 4417.", "Never write ... or ....", "5520"),
    ],
)
def test_no_attack_says_the_secret(text: str, said: str, unsaid: str) -> None:
    reading = read(text)
    turns = [turn for pair in choose(reading.promises) for one in pair for turn in one.turns]
    assert len(turns) == 2
    assert all(said in turn and unsaid not in turn for turn in turns)
    assert unsaid in reading.promises[0].text


def test_a_pronoun_takes_no_sentence_of_another_part_along() -> None:
    assert [one.text for one in read("# A\n\nThe code is Larch.\n\n# B\n\nNever give it out.").promises] == [
        "Never give it out."
    ]


SENTENCES = {
    "German": "Der Bot hilft bei der Suche und ist immer freundlich. Er gibt nie Adressen heraus und nennt keine.",
    "French": "Il ne donne jamais les adresses des clients et il est toujours poli avec vous dans la ville.",
    "Spanish": "El asistente siempre es amable con los clientes, y nunca da las direcciones; usted debe preguntar.",
    "Italian": "Il bot è sempre gentile e non dà mai gli indirizzi dei clienti, anche di chi chiama; questo è vero.",
    "Portuguese": "Ele não dá os endereços dos clientes em uma conversa, mas são as regras da casa e você pode ler.",
    "Dutch": "Het geeft nooit een adres en is altijd aardig voor wie het vraagt; hij mag dat niet, ook op zondag.",
    "Polish": "Nigdy nie podaje adresu, który jest w systemie, i zawsze jest miły dla klientów oraz musi się uczyć.",
    "Turkish": "Bir müşteri için asla adres vermez ve her zaman kibar olarak yanıtlar; bu bir kural, çok önemli.",
    "Swedish": "Den är alltid vänlig och ger aldrig ut adresser som det inte är tillåtet att säga på en fredag.",
    "a language in another script": "Бот никогда не раскрывает адреса клиентов и всегда отвечает вежливо.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_another_language_is_named(language: str) -> None:
    assert other_language(SENTENCES[language]) == language
    assert other_language(f"{SENTENCES[language]} It never lies to a reader.") == language


def test_every_language_has_a_sentence() -> None:
    assert {*SENTENCES} == {*WORDS, "a language in another script"} - {"English"}


def test_each_small_word_belongs_to_one_language() -> None:
    words = [word for of_one in WORDS.values() for word in of_one]
    assert sorted(words) == sorted(set(words))


@pytest.mark.parametrize("page", ["README.md", "docs/suites.md", "suites/persona/persona.md", "docs/judging.md"])
def test_english_is_english(page: str) -> None:
    assert other_language((ROOT / page).read_text("utf-8")) is None


def test_another_language_is_said_in_the_output_and_in_the_drafts(tmp_path: Path) -> None:
    (tmp_path / "persona.md").write_bytes((HERE / "personas/buecherei.md").read_bytes())
    ran = guardgate(tmp_path, "init", "--from", "persona.md")
    said = "The persona looks like German, at least in part. Only English is read: other promises are missing here.\n"
    assert ran.code == 0
    assert ran.out.startswith(f"1 promise in persona.md: 1 hard, 0 soft\n  {said}wrote ")
    assert f"# {said}" in (tmp_path / "constraints.yaml").read_text("utf-8")


def test_without_a_promise_the_refusal_says_what_there_is() -> None:
    with pytest.raises(Refused, match="0 promises; it looks like German, and only English is read"):
        drafts(SENTENCES["German"], "persona.md")
    with pytest.raises(
        Refused, match="0 promises; 1 not taken, the first because it stands in a block of code: You must"
    ):
        drafts("```\nYou must not lie.\n```\n", "persona.md")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It keeps replies within 80 words.", 80),
        ("Short: at most sixty words.", 60),
        ("Never more than 80 words.", 80),
        ("It must not exceed a hundred words.", 100),
    ],
)
def test_a_bound_on_words_needs_no_judge(text: str, words: int, tmp_path: Path) -> None:
    assert written(tmp_path, text) == []
    (rule, _) = yaml.safe_load((tmp_path / "constraints.yaml").read_text("utf-8"))["rules"]
    assert rule["checks"] == {"length": {"max_words": words}}
    assert "judge" not in rule


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        # A clause of its own is the bot's, though the sentence begins with others.
        ("The price does not include tax, so never quote it.", ["The price does not include tax, so never quote it."]),
        ("The bank closes early and never opens on Sundays.", []),
        ("It listens and does not argue.", ["It listens and does not argue."]),
        ("The bank helps and does not argue.", []),
        ("You are Pip. Answer, but don't argue.", ["Answer, but don't argue."]),
        # A heading without an empty line before it is read as the end of the entry above.
        (
            "What it should do:\n- Cite sources\nWhat it should not do:\n- Cite rumours\n",
            ["Cite sources", "What it should not do: Cite rumours"],
        ),
        ("Some text\nNever:\n- lie\n", ["Never: lie"]),
        # Below a part for guests everything that has no subject is theirs, whatever stands between.
        ("## For guests\n\n### Never\n\n- smoke\n- It never smokes.\n", ["It never smokes."]),
        ("## What users must not do\n\n- smoke\n", []),
        ("## What it never does for guests\n\n- smoke\n", ["What it never does for guests: smoke"]),
        # Other ways to forbid.
        ("Nobody may be told the code.", ["Nobody may be told the code."]),
        ("Jokes are not acceptable.", ["Jokes are not acceptable."]),
        ("Reading along isn't allowed.", ["Reading along isn't allowed."]),
        ("It refuses to name a dose.", ["It refuses to name a dose."]),
        ("You're Bo. You won't give plans. Members aren't allowed in.", ["You won't give plans."]),
        ("Our trainers never work on Sundays. Our new bot never sleeps.", ["Our new bot never sleeps."]),
        ("Rules - never break these:\n\n- Stay calm\n", ["Stay calm"]),
        ("## Lumi will\n\n- Not run ahead\n", ["Not run ahead"]),
        ("## For parents\n\n- Never leave a child alone.\n", []),
        ("It is a must. The must-see is here. Don't worry.", []),
        ("It is only a program.", []),
        ("No one knows.", []),
    ],
)
def test_whose_clause_it_is(text: str, texts: list[str]) -> None:
    assert [one.text for one in read(text).promises] == texts


def test_a_table_turns_nothing_around() -> None:
    text = "# Never\n\n| What | Why |\n|---|---|\n| Share a code | it must stay inside |\n"
    (one,) = read(text).promises
    assert (one.text, one.severity, one.forbids) == ("Never: Share a code: it must stay inside", "hard", True)


def test_of_two_columns_that_decide_none_names_the_other() -> None:
    text = "| Do | Don't |\n|---|---|\n| Ask what they like | Ask for a name |\n"
    assert [one.text for one in read(text).promises] == ["Ask what they like", "Don't: Ask for a name"]


@pytest.mark.parametrize("piece", ["\n", "don't ", "! ", "| ", "if ", "<", '"', "the ", "A-", "(not ", "Never lie. "])
def test_what_comes_again_and_again_is_read_once(piece: str) -> None:
    """And in a time that grows with the page: each of these would take minutes where a pattern went back over it."""
    reading = read(piece * 20_000)
    assert len(reading.promises) + len(reading.left) <= 1
    assert other_language(piece * 20_000) is None


def test_the_docs_say_what_is_taken() -> None:
    section = (ROOT / "docs/suites.md").read_text("utf-8").split("## From a persona to a project")[1].split("\n## ")[0]
    rows = {row.split("|")[2].strip(): row.split("|")[1] for row in section.splitlines() if row.startswith("|")}
    for starts, severity in (("a hard rule", "hard"), ("a soft rule with the threshold 0.9", "soft")):
        texts = rows[starts].split('"')[1::2]
        assert len(texts) >= 3
        assert [(one.text, one.severity) for one in read(f"You are Pip.\n\n{' '.join(texts)}").promises] == [
            (one, severity) for one in texts
        ]
    for said, why in (
        ("Users must not smoke", "it speaks to the user"),
        ("The bank cannot guarantee returns", "it tells something about others than the bot"),
        (
            "If a customer cannot log in, you refer them to the branch",
            "its strong word stands in a clause about something else",
        ),
        ("Be kind.", "no word says how firm it is"),
        ("Balances are private.", "no word says how firm it is"),
    ):
        assert f'"{said}"' in section
        assert [(one.text, one.why) for one in read(said).left] == [(said, why)]
    assert "Of 20 promises" in section
    assert f"{20 - len(MISSED)} get the topic" in section
    assert '"Jokes? Rarely."' in section.replace("\n", "")
    assert read("Jokes? Rarely.") == read("")
