"""YAML in, plain data or problems out. The folders `cases/yaml/good` and `bad` are the list of examples."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from guardgate.errors import Problem
from guardgate.source import (
    MAX_BYTES,
    Document,
    Reason,
    compose,
    fingerprint,
    inside,
    locate,
    parse,
    place,
    read,
    read_text,
    sha256,
)

CASES = Path(__file__).parent.parent / "cases" / "yaml"
GOOD = sorted((CASES / "good").glob("*.yaml"))
BAD = sorted((CASES / "bad").glob("*.yaml"))

SUITE = """\
# two cases
cases:
  - id: one
    rule: R1
    turns: ["a", b]
  -
    id: two
    checks: {contains: {all: [x]}}
targets:
  a: {backend: http}
  b:
    backend: openai
"""


def data(text: str) -> Any:
    found = parse(text, "f.yaml")
    assert isinstance(found, Document), found
    return found.data


def problems(text: str) -> list[Problem]:
    found = parse(text, "f.yaml")
    assert isinstance(found, list), found
    return found


@pytest.fixture(params=["c", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr("guardgate.source.compose.LOADER", compose.PureLoader)
    return str(request.param)


# --- the lists of examples -------------------------------------------------------------------------------------------


def test_there_are_examples() -> None:
    assert len(GOOD) >= 8
    assert len(BAD) >= 30
    assert yaml.__with_libyaml__, "the tests speak of the C parser"


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_file_gives_its_data(path: Path, parser: str) -> None:
    found = read(path, path.name)
    assert isinstance(found, Document), found
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert found.data == expected
    assert repr(found.data) == repr(expected), "1 and True are equal, but not the same"


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_file_gives_its_messages(path: Path) -> None:
    found = read(path, path.name)
    assert isinstance(found, list)
    assert [str(problem) for problem in found] == path.with_suffix(".txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_file_is_bad_for_the_parser_in_python(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_c = read(path, path.name)
    monkeypatch.setattr("guardgate.source.compose.LOADER", compose.PureLoader)
    found = read(path, path.name)
    assert isinstance(found, list)
    assert isinstance(by_c, list)
    assert [problem.line for problem in found] == [problem.line for problem in by_c]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_messages_are_in_plain_words(path: Path) -> None:
    text = path.with_suffix(".txt").read_text("utf-8").replace(path.name, "")
    for jargon in ("token", "scalar", "stream", "mark", "flow", "node", "expected <"):
        assert jargon not in text, jargon


# --- bounds ----------------------------------------------------------------------------------------------------------

LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(9)
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 100_000, "yaml-depth"),
        ("{a: " * 100_000, "yaml-depth"),
        ("- " * 100_000, "yaml-depth"),
        ("? " * 100_000, "yaml-depth"),
        ("".join(" " * n + "a:\n" for n in range(500)), "yaml-depth"),
        (LAUGHS, "yaml-alias"),
        ("a: &a [*a, *a]", "yaml-alias"),
        ("&a {b: *a}", "yaml-alias"),
        ("a: &a " + "x" * 1_000_000 + "\nb: [" + ",".join(["*a"] * 10_000) + "]", "yaml-alias"),
        ("x" * (MAX_BYTES + 1), "yaml-size"),
    ],
    ids=["lists", "mappings", "dashes", "keys", "indents", "laughs", "self", "self-map", "long-text", "size"],
)
def test_bombs_are_problems(text: str, code: str, parser: str) -> None:
    (found,) = problems(text)
    assert found.code == code
    assert found.line >= 1
    assert found.col >= 1


def test_too_many_values(monkeypatch: pytest.MonkeyPatch, parser: str) -> None:
    monkeypatch.setattr("guardgate.source.compose.MAX_NODES", 1_000)
    assert problems("- a\n" * 1_001)[0].code == "yaml-size"
    assert len(data("- a\n" * 999)) == 999


@pytest.mark.parametrize("depth", [63, 64, 65])
def test_depth_is_exact(depth: int, parser: str) -> None:
    found = parse("[" * depth + "]" * depth, "f.yaml")
    assert isinstance(found, Document) == (depth <= 64)


def test_thousands_of_duplicates_are_bounded() -> None:
    found = problems("k: 1\n" * 5_000)
    assert len(found) == 1_000
    assert {problem.code for problem in found} == {"yaml-duplicate-key"}
    assert str(found[-1]).startswith("f.yaml:1001:1: error: found the key 'k' a second time (first on line 1);")


def test_collector_is_paused_and_comes_back() -> None:
    assert gc.isenabled()
    parse("a: [", "f.yaml")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("a: 1", "f.yaml")
        assert not gc.isenabled()
    finally:
        gc.enable()


# --- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "start"),
    [
        (b"a: b\nc: \xe9t\xe9\n", "f:2:4: error: found the byte 0xe9, which is not UTF-8;"),
        (b"\xff\xfea\x00:\x00", "f:1:1: error: found the byte 0xff, which is not UTF-8;"),
        (b"a: b\x00c\n", "f:1:5: error: found the control character U+0000;"),
        (b"a: 1\nb: x\x1b[31m\n", "f:2:5: error: found the control character U+001B;"),
        (b"a: x\xe2\x80\xa8y\n", "f:1:5: error: found the character U+2028;"),
        (b"a: x\xc2\x85y\n", "f:1:5: error: found the character U+0085;"),
        (b"", "f:1:1: error: found an empty file;"),
        (b"\xef\xbb\xbf", "f:1:1: error: found an empty file;"),
    ],
)
def test_odd_bytes(tmp_path: Path, raw: bytes, start: str) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(raw)
    found = read(path, "f")
    assert isinstance(found, list)
    assert [str(problem).startswith(start) for problem in found] == [True], found


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfcases:\r\n  - a: |\r\n      x\r\n      y\r\n  - b\r\n")
    found = read(path, "f", ("cases",))
    assert isinstance(found, Document)
    assert found.data == {"cases": [{"a": "x\ny\n"}, "b"]}
    assert found.lines == {("cases", 0): 2, ("cases", 1): 5}
    assert found.sha256 == sha256(path.read_bytes())


def test_lone_surrogate_in_a_text() -> None:
    assert problems("a: \ud800")[0].code == "yaml-encoding"


def test_missing_file_is_a_problem(tmp_path: Path) -> None:
    found = read(tmp_path / "none.yaml", "none.yaml")
    assert isinstance(found, list)
    assert str(found[0]).startswith("none.yaml:1:1: error: found a file that does not exist;")


# --- lines and places ------------------------------------------------------------------------------------------------


def test_lines_of_marked_entries(parser: str) -> None:
    found = parse(SUITE, "s.yaml", ("cases", "targets", "rules"))
    assert isinstance(found, Document)
    assert found.lines == {("cases", 0): 3, ("cases", 1): 7, ("targets", "a"): 10, ("targets", "b"): 11}


@pytest.mark.parametrize(
    ("path", "at_key", "expected"),
    [
        ((), False, (2, 1)),
        (("cases",), True, (2, 1)),
        (("cases",), False, (3, 3)),
        (("cases", 0), False, (3, 5)),
        (("cases", 0, "id"), False, (3, 9)),
        (("cases", 0, "id"), True, (3, 5)),
        (("cases", 0, "turns", 1), False, (5, 18)),
        (("cases", 0, "turns", 1), True, (5, 18)),
        (("cases", 1, "checks", "contains", "all", 0), False, (8, 31)),
        (("cases", 1, "checks", "contains", "all", 0, "deeper"), False, (8, 31)),
        (("cases", 1, "missing"), True, (7, 5)),
        (("cases", 9), False, (3, 3)),
        (("cases", -1), False, (3, 3)),
        (("targets", "b"), True, (11, 3)),
        (("targets", 0), False, (10, 3)),
        (("nothing", "here"), False, (2, 1)),
    ],
)
def test_locate(path: tuple[str | int, ...], at_key: bool, expected: tuple[int, int], parser: str) -> None:
    assert locate(SUITE, path, at_key) == expected


@pytest.mark.parametrize("text", ["", "a: [", "a: \x00", "\ud800"])
def test_locate_in_what_cannot_be_composed(text: str) -> None:
    assert locate(text, ("a",)) == (1, 1)


def problem(file: str, *path: str | int, line: int = 0, col: int = 0) -> Problem:
    return Problem(file, path, "x", "y", "z", "code", line=line, col=col)


def test_place_composes_each_file_once_and_sorts(monkeypatch: pytest.MonkeyPatch) -> None:
    composed: list[str] = []
    real = compose.compose

    def counting(text: str, name: str) -> yaml.Node:
        composed.append(text)
        return real(text, name)

    monkeypatch.setattr("guardgate.source.places.compose", counting)
    asked: list[str] = []

    def texts(name: str) -> str | None:
        asked.append(name)
        return {"b.yaml": SUITE, "bad.yaml": "a: ["}.get(name)

    found = place(
        [
            problem("b.yaml", "targets", "b"),
            problem("b.yaml", "cases", 1),
            problem("gone.yaml", "x"),
            problem("bad.yaml", "x"),
            problem("b.yaml", "cases", 0, "rule"),
            problem("b.yaml", "x", line=4, col=1),
            problem("a.yaml", line=7, col=2),
        ],
        texts,
    )
    assert [(one.file, one.line, one.col) for one in found] == [
        ("a.yaml", 7, 2),
        ("b.yaml", 4, 1),
        ("b.yaml", 4, 11),
        ("b.yaml", 7, 5),
        ("b.yaml", 12, 5),
        ("bad.yaml", 1, 1),
        ("gone.yaml", 1, 1),
    ]
    assert composed.count(SUITE) == 1
    assert sorted(asked) == ["b.yaml", "bad.yaml", "gone.yaml"]


# --- properties ------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text("abc"), JSON, min_size=1, max_size=3), st.booleans())
def test_json_is_read_as_json(value: dict[str, Any], indent: bool) -> None:
    text = json.dumps(value, indent=2 if indent else None)
    assert data(text) == value
    assert fingerprint(data(text)) == fingerprint(value)


@given(st.text())
def test_any_text_is_data_or_problems_with_places(text: str) -> None:
    found = parse(text, "f.yaml")
    if isinstance(found, list):
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for one in found:
            assert 1 <= one.line <= len(lines)
            assert 1 <= one.col <= len(lines[one.line - 1]) + 1
            assert one.found
            assert one.expected
            assert one.todo


@given(st.text("-:[]{}&*!|>'\"%@`#,? \n\tab1~<.\\", max_size=40))
def test_any_signs_are_data_or_problems(text: str) -> None:
    found = parse(text, "f.yaml")
    assert found if isinstance(found, list) else found.data is not None
    assert all(number >= 1 for number in locate(text, ("a", 1)))


@given(st.text("0123456789+-.eE_xo", min_size=1, max_size=8))
def test_numbers_are_numbers_only_when_python_agrees(text: str) -> None:
    found = parse(f"k: {text}", "f.yaml")
    if isinstance(found, Document) and isinstance(found.data["k"], int | float):
        assert float(text) == found.data["k"]
        assert not text.lstrip("+-").startswith("0") or found.data["k"] == 0 or "." in text or "e" in text.lower()


# --- files that a suite names ----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "suites").mkdir(parents=True)
    (root / "documents").mkdir()
    (root / "documents" / "paper.md").write_text("text", "utf-8")
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    (tmp_path / "project-two").mkdir()
    (tmp_path / "project-two" / "paper.md").write_text("other", "utf-8")
    return root


def test_inside_finds_files_of_the_project(project: Path) -> None:
    suites = project / "suites"
    real = Path(os.path.realpath(project / "documents" / "paper.md"))
    assert inside(project, suites, "../documents/paper.md") == real
    assert inside(project, project, "documents/./paper.md") == real
    assert inside(project, project, str(project / "documents" / "paper.md").replace("\\", "/")) == real


def test_inside_takes_a_relative_root(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    real = Path(os.path.realpath(project / "documents" / "paper.md"))
    assert inside(Path(), Path("suites"), "../documents/paper.md") == real
    assert inside(Path(), project / "suites", "../documents/paper.md") == real
    assert inside(Path(), Path("suites"), "../../secret.md") == "leads out of the project"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../../secret.md", "leads out of the project"),
        ("../../project-two/paper.md", "leads out of the project"),
        ("../../nowhere/at/all.md", "leads out of the project"),
        ("/etc/passwd", "leads out of the project"),
        ("../documents/none.md", "does not exist"),
        ("../documents", "is a folder, not a file"),
        ("..", "is a folder, not a file"),
        ("", "is not a file name"),
        ("  ", "is not a file name"),
        ("a\x00b", "is not a file name"),
        ("a\nb", "is not a file name"),
        ("..\\documents\\paper.md", "has a backslash; write folders with /"),
    ],
)
def test_inside_refuses(project: Path, name: str, reason: str) -> None:
    found = inside(project, project / "suites", name)
    assert isinstance(found, Reason)
    assert found == reason


def test_inside_refuses_large_files(project: Path) -> None:
    assert inside(project, project, "documents/paper.md", max_bytes=3) == "is larger than 3 bytes"
    assert isinstance(inside(project, project, "documents/paper.md", max_bytes=4), Path)


def link(place: Path, to: str | Path) -> None:
    """A symbolic link, or nothing where the system does not let us make one."""
    with contextlib.suppress(OSError):
        place.symlink_to(to)


def test_inside_refuses_links_out_and_devices(project: Path) -> None:
    link(project / "link.md", project.parent / "secret.md")
    link(project / "up", project.parent)
    link(project / "loop", "loop")
    link(project / "null", "/dev/null")
    for name in ("link.md", "up/secret.md", "up/nothing.md", "null", "loop"):
        assert isinstance(inside(project, project, name), Reason), name
    if os.name == "posix":
        os.mkfifo(project / "pipe")
        assert inside(project, project, "link.md") == "leads out of the project"
        assert inside(project, project, "up/nothing.md") == "leads out of the project"
        assert inside(project, project, "pipe") == "is not a regular file"
        assert inside(Path("/"), Path("/"), "dev/null") == "is not a regular file"
        assert read_text(project / "pipe") == "is not a regular file"


def test_inside_follows_links_that_stay(project: Path) -> None:
    real = Path(os.path.realpath(project / "documents" / "paper.md"))
    link(project / "good.md", "documents/paper.md")
    root = project.parent / "link-to-project"
    link(root, project)
    if (project / "good.md").exists():
        assert inside(project, project, "good.md") == real
        assert inside(root, root / "suites", "../documents/paper.md") == real
        assert inside(root, project / "suites", "../documents/paper.md") == real
    assert isinstance(inside(root, root, "../secret.md"), Reason)


@given(st.text(st.sampled_from("./ab~\\ \x00é"), max_size=12))
def test_inside_never_leads_out(name: str) -> None:
    with tempfile.TemporaryDirectory() as top:
        root = Path(top) / "a"
        root.mkdir()
        (Path(top) / "b").write_text("out", "utf-8")
        (root / "a").write_text("in", "utf-8")
        found = inside(root, root, name)
        assert isinstance(found, Reason) or os.path.realpath(root) in map(str, found.parents)


def test_read_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\xc3\xa9")
    assert read_text(path) == "a\r\né"
    assert not isinstance(read_text(path), Reason)
    assert read_text(path, max_bytes=3) == "is larger than 3 bytes"
    path.write_bytes(b"ab\xff")
    assert read_text(path) == "is not UTF-8 text (byte 3)"
    assert isinstance(read_text(tmp_path), Reason)
    assert isinstance(read_text(tmp_path / "none"), Reason)


# --- hashes ----------------------------------------------------------------------------------------------------------


def test_sha256() -> None:
    assert sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256("é") == sha256("é".encode())
    assert len(sha256("\ud800")) == 64


def test_fingerprint_does_not_depend_on_order() -> None:
    assert fingerprint({"a": 1, "b": [1, None, "é"]}) == fingerprint({"b": [1, None, "é"], "a": 1})
    assert fingerprint({"a": 1}) == sha256('{"a":1}')
    assert fingerprint("é") == sha256('"\\u00e9"')
    assert fingerprint((1, 2)) == fingerprint([1, 2])
    different = [1, 1.5, True, None, "1", [1], {"1": 1}, [], {}, "", "\ud800"]
    assert len({fingerprint(value) for value in different}) == len(different)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object(), b"x"])
def test_fingerprint_refuses_what_json_cannot_say(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        fingerprint({"a": value})


def test_reason_is_no_text_of_a_file() -> None:
    assert isinstance(Reason("x"), str)
    assert not isinstance("x", Reason)
