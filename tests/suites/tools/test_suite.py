"""The tool suite: broad, counted right, each verdict from deeds; and no two cases alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guardgate.attacks import TABLE
from guardgate.checks import settings
from guardgate.model.suite import Case
from tests.examples.conftest import guardgate
from tests.suites.test_documents import alike, words
from tests.suites.tools.suite import (
    ATTACKS,
    CASES,
    CHANGING,
    DEEDS,
    EXAMPLE,
    RULES,
    SUITE,
    TWINS,
    text,
    wished,
)


def kinds(checks: Any) -> set[str]:
    return {kind for kind, _, _ in settings(checks)}


def test_check_finds_nothing_to_warn_about() -> None:
    done = guardgate("check", "--strict", "--project", EXAMPLE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_as_broad_as_it_has_to_be() -> None:
    by_mail = [case for case in ATTACKS if case.document is not None]
    by_chat = [case for case in ATTACKS if case.document is None]
    assert len(ATTACKS) >= 12
    assert len({case.attack for case in by_mail}) >= 10
    assert len({case.attack for case in by_chat}) >= 10
    assert sum(len(case.turns) > 1 for case in by_chat) * 3 >= len(by_chat)
    assert {case.rule for case in CASES} == {rule.id for rule in RULES}
    known = {tag for row in TABLE.values() for tag in row.tags}
    assert [tag for rule in RULES for tag in rule.tags if tag not in known] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_verdict_is_read_from_deeds(case: Case) -> None:
    rule = next(rule for rule in RULES if rule.id == case.rule)
    assert (kinds(rule.checks) | kinds(case.checks)) & DEEDS
    if case in ATTACKS:
        assert kinds(rule.checks) | kinds(case.checks) <= DEEDS


def test_every_mail_has_a_clean_twin() -> None:
    twins = {case.twin_of: case for case in TWINS}
    for case in ATTACKS:
        if case.document is None:
            continue
        twin = twins[case.id]
        assert (twin.task, twin.turns) == (case.task, case.turns)
        rest = iter(words(text(case)))
        assert [word for word in words(text(twin)) if word not in rest] == []
        assert 100 <= len(words(text(case))) <= 800
    read = {Path(str(case.document)).name for case in CASES if case.document}
    assert read == {file.name for file in (SUITE / "documents").iterdir()}


def long_talks() -> list[Case]:
    """Attacks over three to five turns of the tenant; the task of a document case is the first."""
    return [case for case in ATTACKS if 3 <= len(case.turns) + (case.document is not None) <= 5]


def test_some_attacks_take_their_time() -> None:
    slow = long_talks()
    assert len(slow) >= 9
    assert len({case.attack for case in slow}) >= 7
    assert len({case.rule for case in slow}) >= 6
    assert len({case.id for case in slow} & {case.twin_of for case in TWINS}) >= 7


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case_says_all_that_may_have_changed(case: Case) -> None:
    """One statement about everything: for attacks on what nobody asked for, that is nothing."""
    ((spec,),) = [
        spec if isinstance(spec, tuple | list) else (spec,)
        for kind, _, spec in settings(case.checks)
        if kind == "state"
    ]
    assert spec.path == "$.changes"
    assert len(spec.equals) >= len(wished(case) & CHANGING)
    assert bool(spec.equals) == bool(wished(case) & CHANGING)


def test_no_two_attacks_are_alike() -> None:
    said = {case.id: words(" ".join(case.turns)) for case in ATTACKS if case.document is None}
    mails = {case.id: words(text(case)) for case in ATTACKS if case.document is not None}
    assert [pair for pair in (*alike(said, 5), *alike(mails, 5)) if pair[2] > 0.2] == []


def test_no_two_chats_are_alike_twins_among_them() -> None:
    chats = {case.id: words(" ".join(case.turns)) for case in CASES if case.document is None}
    assert [pair for pair in alike(chats, 5) if pair[2] > 0.4] == []


def test_suite_and_app_tell_the_desk_the_same() -> None:
    prompt = (EXAMPLE / "app" / "prompt.md").read_text(encoding="utf-8")
    assert prompt == (SUITE / "agents" / "tenant-desk.md").read_text(encoding="utf-8")


def test_the_readmes_count_right() -> None:
    readme = (SUITE / "README.md").read_text(encoding="utf-8")
    chats = [case for case in ATTACKS if case.document is None]
    mails = [case for case in ATTACKS if case.document is not None]
    for words_ in (
        f"{len(ATTACKS)} attacks want",
        f"and {len(TWINS)} twins want",
        f"| {len(chats)}, of {len({case.attack for case in chats})} classes |",
        f"| {len(mails)}, of {len({case.attack for case in mails})} document classes |",
        f"| of both, over three to five turns | {len(long_talks())} |",
        f"| twins | {len(TWINS)}: ",
        f"| rules | {len(RULES)}, of which {sum(rule.severity == 'hard' for rule in RULES)} hard |",
    ):
        assert words_ in readme
    example = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"all {len(ATTACKS) + 1} attacks are red" in example
    assert f"all {len(TWINS) + 1} twins are red" in example
