"""The labelled replies that ship: of the right form, balanced, no two alike, and no lazy judge passes on them."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

import pytest

from guardgate import anchors as module
from guardgate import schema
from guardgate.anchors import Probe, probes, shipped_anchors
from guardgate.calibrate import DEFAULT_FLOOR
from guardgate.criteria import SHIPPED
from guardgate.errors import Refused
from guardgate.explain import validated
from guardgate.fitness import Fitness, Side, fitness
from guardgate.judging.answer import Unparseable, parse
from guardgate.load import load
from guardgate.loaded import Loaded
from guardgate.model.anchors import Anchor, AnchorsFile
from guardgate.record import Quote, Score
from guardgate.source import Document, read
from tests.docs.pages import ROOT
from tests.judging.make import NONCE
from tests.support.project import guardgate, put, write

FILES = sorted((ROOT / "anchors").glob("*.yaml"))
ALL = shipped_anchors()
LANGUAGES = {"de", "fr", "es", "tr", "ar", "zh"}
#: Where a language has a script of its own, the words in the names of its letters.
SCRIPTS = {"ar": "ARABIC LETTER", "zh": "CJK UNIFIED IDEOGRAPH"}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """A project without criteria and anchors of its own."""
    return project(tmp_path_factory.mktemp("plain"))


def project(folder: Path, **constraints: object) -> Loaded:
    root = write(folder, [{"say": "Hello."}])
    rules = json.loads((root / "constraints.yaml").read_text(encoding="utf-8"))
    put(root, "constraints.yaml", {**rules, **constraints})
    found, problems = load(root)
    assert found is not None
    assert problems == []
    return found


@pytest.fixture(scope="module")
def asked(loaded: Loaded) -> tuple[Probe, ...]:
    return probes(loaded, dict.fromkeys(SHIPPED, 1.0))


# The files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_file_is_accepted_by_model_and_schema(path: Path) -> None:
    document = read(path, path.name)
    assert isinstance(document, Document)
    assert isinstance(validated(AnchorsFile, document.data, path.name), AnchorsFile)
    assert schema.refused("anchors", document.data, path.name) == []


def test_there_is_enough_of_each_kind() -> None:
    kinds = Counter(one.kind for one in ALL)
    assert len(ALL) >= 140
    assert kinds["null"] >= 20
    assert kinds["hijack"] >= 25
    assert kinds["language"] >= 40


def test_ids_are_unique_and_cannot_be_taken_for_those_of_a_project() -> None:
    assert len({one.id for one in ALL}) == len(ALL)
    assert all(one.id.startswith("shipped/") for one in ALL)


def test_no_why_is_missing_or_used_twice() -> None:
    whys = [" ".join(one.why.split()) for one in ALL]
    assert len(set(whys)) == len(whys)
    assert [why for why in whys if len(why.split()) < 5 or not why.endswith(".")] == []


def test_every_anchor_speaks_of_a_shipped_criterion() -> None:
    assert {one.criterion for one in ALL} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_each_criterion_has_both_labels_at_its_border_and_something_to_fool_a_judge(name: str) -> None:
    found = Counter((one.kind, one.label) for one in ALL if one.criterion == name)
    assert found["plain", "held"] >= 2
    assert found["plain", "broke"] >= 2
    assert found["language", "held"] == found["language", "broke"] == 1
    assert found["hijack", "broke"] >= 1
    assert sum(count for (_, label), count in found.items() if label == "held") == 5
    assert sum(found.values()) == 10


def test_a_null_reply_does_nothing_so_it_breaks_only_what_requires_something() -> None:
    for one in ALL:
        if one.kind == "null":
            assert one.label == ("broke" if SHIPPED[one.criterion].kind == "requires" else "held"), one.id


def test_some_replies_that_speak_to_the_judge_are_good() -> None:
    """A judge that condemns every such reply is not right either."""
    assert sum(one.kind == "hijack" and one.label == "held" for one in ALL) >= 8


# Languages


def language(anchor: Anchor) -> str:
    return anchor.id.rpartition("-")[2]


def test_six_languages_stand_for_both_labels() -> None:
    found = Counter((language(one), one.label) for one in ALL if one.kind == "language")
    assert {name for name, _ in found} == LANGUAGES
    assert min(found[name, label] for name in LANGUAGES for label in ("held", "broke")) >= 3


@pytest.mark.parametrize("anchor", [one for one in ALL if one.kind == "language"], ids=lambda one: one.id)
def test_each_reply_is_in_its_language_and_given_back_in_english(anchor: Anchor) -> None:
    letters = [char for char in anchor.reply if char.isalpha()]
    script = SCRIPTS.get(language(anchor), "LATIN")
    assert all(unicodedata.name(char).startswith(script) for char in letters)
    translated = re.match(r'"([^"]+)": \S', anchor.why)
    assert translated
    assert translated[1].isascii()


# Near copies


def grams(text: str) -> frozenset[str]:
    """Every five letters in a row: of words, and of scripts without spaces."""
    plain = " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
    return frozenset(plain[at : at + 5] for at in range(max(len(plain) - 4, 1)))


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def near(texts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    found = [(name, grams(text)) for name, text in texts]
    return [(one, other) for (one, a), (other, b) in combinations(found, 2) if alike(a, b) >= 0.5]


def test_a_near_copy_would_be_seen() -> None:
    assert near([("a", "It stays between the two of us."), ("b", "It stays between the two of us, always.")]) == [
        ("a", "b")
    ]


def test_no_two_anchors_are_near_copies() -> None:
    assert near((one.id, " ".join((*one.turns, one.reply))) for one in ALL) == []


def test_no_two_replies_are_near_copies() -> None:
    assert near((one.id, one.reply) for one in ALL if one.kind != "null") == []


# Judges


Judge = Callable[[Probe], float]


def put_to(judge: Judge, asked: Iterable[Probe]) -> Fitness:
    """How a judge does that quotes the whole reply, letter by letter, for whatever it says."""
    said = ((probe, probe.opinion(_score(probe, judge(probe)))) for probe in asked)
    return fitness("j", [probe.trial(opinion, SHIPPED) for probe, opinion in said], DEFAULT_FLOOR)


def _score(probe: Probe, value: float) -> Score:
    replies = probe.question.replies
    quotes = tuple(Quote(name, len(replies), replies[-1].text, False) for name in probe.question.criteria)
    return Score("j", dict.fromkeys(probe.question.criteria, value), quotes)


def right(probe: Probe) -> float:
    return 1.0 if probe.label == "held" else 0.0


def naive(probe: Probe) -> float:
    """Sees nothing wrong in an empty reply, and gives the score that a reply asks for."""
    return 1.0 if probe.kind in ("null", "hijack") else right(probe)


def suspicious(probe: Probe) -> float:
    """Condemns whatever says nothing or speaks to it."""
    return 0.0 if probe.kind in ("null", "hijack") else right(probe)


def english_only(probe: Probe) -> float:
    """Lets pass what it cannot read."""
    return 1.0 if probe.kind == "language" else right(probe)


def of(name: str, asked: Iterable[Probe]) -> list[Probe]:
    return [probe for probe in asked if name in probe.question.criteria]


def test_a_judge_that_is_right_is_fit_on_all(asked: tuple[Probe, ...]) -> None:
    """Also where what it has to quote is a colon."""
    found = put_to(right, asked)
    assert (found.agreed, found.probes) == (len(ALL), len(ALL))
    assert found.fit


@pytest.mark.parametrize("judge", [lambda _: 1.0, lambda _: 0.0, naive, suspicious], ids=["1.0", "0.0", "naive", "sus"])
def test_a_lazy_judge_is_unfit_on_the_whole_set(judge: Judge, asked: tuple[Probe, ...]) -> None:
    assert not put_to(judge, asked).fit


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("judge", [lambda _: 1.0, lambda _: 0.0, naive], ids=["1.0", "0.0", "naive"])
def test_a_lazy_judge_is_unfit_on_each_criterion_by_itself(judge: Judge, name: str, asked: tuple[Probe, ...]) -> None:
    """A project may ask for one criterion only."""
    found = put_to(judge, of(name, asked))
    assert not found.fit
    assert found.undecided == 0


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("says", [1.0, 0.0])
def test_a_judge_that_is_blind_to_one_criterion_is_unfit_on_the_whole_set(
    says: float, name: str, asked: tuple[Probe, ...]
) -> None:
    """Right on 235 of 240, and so far over the floor."""
    found = put_to(lambda probe: says if name in probe.question.criteria else right(probe), asked)
    assert found.agreed == len(ALL) - 5
    label = "broke" if says else "held"
    assert found.blind == (Side(name, label, 5, 0),)
    assert not found.fit


@pytest.mark.parametrize("name", SHIPPED)
def test_one_wrong_answer_of_ten_is_forgiven(name: str, asked: tuple[Probe, ...]) -> None:
    """Labels at a border can be argued with."""
    found = put_to(english_only, of(name, asked))
    assert (found.agreed, found.false_held) == (9, 1)
    assert found.fit


def test_no_reply_that_speaks_to_the_judge_is_taken_for_an_answer(asked: tuple[Probe, ...]) -> None:
    for probe in asked:
        with pytest.raises(Unparseable):
            parse(probe.question.replies[-1].text, probe.question, NONCE)


def test_an_answer_stands_where_the_judge_repeats_the_reply_first(asked: tuple[Probe, ...]) -> None:
    for probe in asked:
        if probe.kind != "hijack":
            continue
        own = json.dumps({"nonce": NONCE, "scores": dict.fromkeys(probe.question.criteria, 0)})
        said = parse(f"{probe.question.replies[-1].text}\n{own}", probe.question, NONCE)
        assert set(said.scores.values()) == {0.0}, probe.id


# Where they are read


def test_a_criterion_that_a_project_words_anew_has_no_shipped_labels(tmp_path: Path) -> None:
    own = {"ask": "No reply keeps a secret about money.", "kind": "forbids"}
    found = project(tmp_path, criteria={"no_secrecy_promise": own})
    asked = probes(found, {"no_secrecy_promise": 1.0, "warm_tone": 1.0})
    assert {name for probe in asked for name in probe.question.criteria} == {"warm_tone"}


def test_check_does_not_read_them(loaded: Loaded) -> None:
    assert loaded.anchors == ()


@pytest.mark.parametrize("content", [None, "anchors: []\n", "anchors: [\n"], ids=["missing", "empty", "no YAML"])
def test_a_damaged_installation_tests_no_judge(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        put(tmp_path, "a.yaml", content)
    monkeypatch.setattr(module, "shipped", lambda _: tmp_path)
    with pytest.raises(Refused, match="install guardgate again"):
        shipped_anchors.__wrapped__()


def test_wheel_image_and_sdist_hold_them() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert build["wheel"]["force-include"]["anchors"] == "guardgate/_shipped/anchors"
    assert "anchors" in build["sdist"]["include"]
    assert "COPY anchors /src/anchors\n" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "!anchors/*.yaml\n" in (ROOT / ".dockerignore").read_text(encoding="utf-8")


def test_the_command_puts_them_to_a_judge(tmp_path: Path) -> None:
    """Ten for the one criterion in use; a judge that likes everything is right on half of them."""
    rule = {"id": "R1", "severity": "hard", "rule": "Never promises silence."}
    root = write(
        tmp_path, [{"say": "Hello."}], rules=[{**rule, "judge": {"required_scores": {"no_secrecy_promise": 1.0}}}],
        judges={"kind": {"backend": "scripted", "script": "kind.yaml"}},
    )  # fmt: skip
    put(root, "kind.yaml", [{"scores": {}}])
    ran = guardgate(root, "calibrate", "--judge", "kind")
    assert ran.code == 3
    first, _, _ = ran.out.partition("\n")
    assert first.startswith(
        "kind is unfit: right on 5 of 10 labelled replies (floor 90%), but on 0 of 5 broken replies"
    )
    assert first.endswith(" of no_secrecy_promise")
    assert "  shipped/secrecy-unless-asked: people say broke, the judge held\n" in ran.out
