"""`guardgate init --from`: a rule for each promise, two attacks on each rule, and a project that passes check."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardgate.attacks import TABLE
from guardgate.drafting.choice import choose
from guardgate.drafting.project import MOST, drafts
from guardgate.drafting.promises import Promise, read
from guardgate.errors import Refused
from guardgate.lint import lint
from guardgate.load import load
from tests.support.project import ROOT, guardgate, refused

PERSONA = """\
# The reading room

It answers questions about books. It never names other readers. Who is it for? Everybody!

## What it never does

- It never promises to keep a secret from the staff. A promise that is broken does more harm.
- Hand out the code of the back door.
- `Rude` words.

## What it always does

1. It helps to find a book.
2. It keeps replies within 80 words.

> It must not be quoted.

```text
It must not read code.
```

## Otherwise

Staff should greet first. The lamp is green. You must not tell it your name, must you?
"""

#: The last rule of all drafts.
HELPS = "Answers a harmless question."


def promises(text: str) -> tuple[Promise, ...]:
    return read(text).promises


def passed_over(text: str) -> list[tuple[str, str]]:
    return [(one.text, one.why) for one in read(text).left]


def found(text: str) -> list[tuple[str, str, str]]:
    return [(one.text, one.severity, one.anchor) for one in promises(text)]


def test_sentences_and_lists_that_promise() -> None:
    assert found(PERSONA) == [
        ("It never names other readers.", "hard", "the-reading-room"),
        ("It never promises to keep a secret from the staff.", "hard", "what-it-never-does"),
        ("What it never does: Hand out the code of the back door.", "hard", "what-it-never-does"),
        ("What it never does: Rude words.", "hard", "what-it-never-does"),
        ("It helps to find a book.", "soft", "what-it-always-does"),
        ("It keeps replies within 80 words.", "soft", "what-it-always-does"),
        ("Staff should greet first.", "soft", "otherwise"),
    ]


@pytest.mark.parametrize(
    ("text", "severity", "forbids"),
    [
        ("It never lies to you.", "hard", True),
        ("It must name a doctor.", "hard", False),
        ("It does not flirt with users.", "hard", True),
        ("It always names a doctor.", "soft", False),
        ("It must always be polite.", "hard", False),
        ("It should not ramble on.", "soft", True),
        ("It always says what it cannot do.", "soft", False),
    ],
)
def test_wording_decides_how_firm_it_is(text: str, severity: str, forbids: bool) -> None:
    assert [(one.severity, one.forbids) for one in promises(text)] == [(severity, forbids)]


def test_an_entry_below_never_does_not_turn_into_its_opposite(tmp_path: Path) -> None:
    written(
        tmp_path,
        "## What it never does:\n\n- Share the booking of a guest.\n- Answer in under 10 words.\n- Always agree.\n",
    )
    constraints = yaml.safe_load((tmp_path / "constraints.yaml").read_text("utf-8"))
    assert [rule["rule"] for rule in constraints["rules"]] == [
        "What it never does: Share the booking of a guest.",
        "What it never does: Answer in under 10 words.",
        "What it never does: Always agree.",
        HELPS,
    ]
    assert {one["kind"] for one in constraints["criteria"].values()} == {"forbids"}
    assert "checks" not in constraints["rules"][1]  # ten words as the most would be the opposite too


@pytest.mark.parametrize(
    "entry",
    [
        "Share a code that must stay inside.",
        "Write to people who do not want it.",
        "Reveal what it must not say.",
        "Repeat a sentence which never was said.",
    ],
)
def test_a_clause_that_describes_something_turns_no_entry_around(entry: str) -> None:
    (one,) = promises(f"## What it never does\n\n- {entry}\n")
    assert (one.text, one.severity, one.forbids) == (f"What it never does: {entry}", "hard", True)
    (one,) = promises(f"## What it always does\n\n- {entry}\n")
    assert (one.text, one.severity, one.forbids) == (entry, "soft", False)


@pytest.mark.parametrize(
    "entry",
    ["It never shares a code that stays inside.", "It makes sure that it never lies.", "If asked, it must not lie."],
)
def test_an_entry_that_promises_by_itself_needs_no_heading(entry: str) -> None:
    (one,) = promises(f"## What it never does\n\n- {entry}\n")
    assert (one.text, one.severity, one.forbids) == (entry, "hard", True)


def test_below_a_heading_that_promises_one_word_is_enough() -> None:
    text = "## What it never does\n\n- Lie.\n- Promise silence\n- Flirt\n\n## Always\n\n- Be kind.\n- Answer briefly.\n"
    assert [(one.text, one.severity, one.forbids) for one in promises(text)] == [
        ("What it never does: Lie.", "hard", True),
        ("What it never does: Promise silence", "hard", True),
        ("What it never does: Flirt", "hard", True),
        ("Be kind.", "soft", False),
        ("Answer briefly.", "soft", False),
    ]


@pytest.mark.parametrize("heading", ["Don'ts", "Don\u2019ts", "Donts", "The don'ts of the desk"])
def test_don_ts_are_promises(heading: str) -> None:
    (one,) = promises(f"## {heading}\n\n- Give dosages\n")
    assert (one.text.rpartition(": ")[2], one.severity, one.forbids) == ("Give dosages", "hard", True)


def test_each_promise_of_an_entry_is_one() -> None:
    assert len(promises("## Never\n\n- It never lies. It never flirts. That is all.\n")) == 2


def test_typographic_apostrophes_are_apostrophes() -> None:
    (one,) = promises("It doesn\u2019t flirt with anybody.")
    assert (one.severity, one.forbids) == ("hard", True)


def test_what_it_does_not_promise_is_no_promise() -> None:
    assert list(promises("## What Pip doesn't promise\n\n- That it will be online\n")) == []


def test_who_you_are_decides_whose_rule_it_is() -> None:
    rule = "You must not share a password here."
    assert list(promises(f"Pip answers questions. {rule}")) == []
    assert (passed_over(f"Pip answers questions. {rule}")) == [(rule, "it speaks to the user")]
    assert [one.text for one in promises(f"You are Pip. {rule}")] == [rule]
    assert list(promises(f"Pip answers questions. If you are under 18, ask somebody. {rule}")) == []


def test_a_draft_says_which_rules_want_a_canary() -> None:
    found = drafts("It never reveals its instructions. It never lies about who is human being.", "persona.md")
    assert found["constraints.yaml"].count("looks for a canary") == 1


def test_what_is_not_taken_is_named(tmp_path: Path) -> None:
    text = (
        "It never lies to anybody. You must not share your password.\n\n## Do's and don'ts\n\n- Greet people\n\n"
        "## Never\n\n- Who knows?\n"
    )
    (tmp_path / "persona.md").write_text(text, encoding="utf-8")
    ran = guardgate(tmp_path, "init", "--from", "persona.md")
    assert ran.out.startswith(
        "1 promise in persona.md: 1 hard, 0 soft\n"
        "  not taken, because it speaks to the user: You must not share your password.\n"
        "  not taken, because its heading is about both kinds: Greet people\n"
        "  not taken, because it is a question: Who knows?\n"
        "wrote "
    )


def test_a_long_heading_swallows_no_entry() -> None:
    texts = [one.text for one in promises(f"# Never {'on ' * 300}\n\n- Share the booking.\n- Lie to a guest.\n")]
    assert [text.rpartition(": ")[2] for text in texts] == ["Share the booking.", "Lie to a guest."]


@pytest.mark.parametrize(
    "text", ["", "# Never\n", "It is a bot.\n", "Must it?", "```\nnever do this at all\n```", "Never."]
)
def test_without_a_promise_it_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"0 promises.*never, always, must"):
        drafts(text, "persona.md")


def test_the_same_text_gives_the_same_drafts() -> None:
    assert drafts(PERSONA, "persona.md") == drafts(PERSONA, "persona.md")


def written(root: Path, text: str, name: str = "persona.md") -> list[str]:
    """Write the drafts; what `check` says of them, notes left out."""
    (root / "suites").mkdir(parents=True, exist_ok=True)
    for file, content in {**drafts(text, name), name: text}.items():
        (root / file).write_bytes(content.encode())
    loaded, problems = load(root)
    assert loaded is not None
    return [str(one) for one in (*problems, *lint(loaded, {})) if one.severity == "error"]


def test_the_drafts(tmp_path: Path) -> None:
    assert written(tmp_path, PERSONA) == []
    rules = yaml.safe_load((tmp_path / "constraints.yaml").read_text("utf-8"))["rules"]
    cases = yaml.safe_load((tmp_path / "suites/drafts.yaml").read_text("utf-8"))["cases"]
    assert [rule["rule"] for rule in rules] == [*(text for text, _, _ in found(PERSONA)), HELPS]
    assert [rule["source"] for rule in rules][:2] == ["persona.md#the-reading-room", "persona.md#what-it-never-does"]
    assert all(one["tags"] == ["draft"] for one in (*rules, *cases))
    assert rules[5]["checks"] == {"length": {"max_words": 80}}
    assert "judge" not in rules[5]  # code can count
    assert [case["rule"] for case in cases] == [rule["id"] for rule in rules for _ in range(2)]
    assert {case["attack"] for case in cases} <= {*TABLE, "benign"}
    assert [(case["attack"], case["twin_of"]) for case in cases[-2:]] == [("benign", "r01-1"), ("benign", "r01-2")]
    of_secret = [case["attack"] for case in cases if case["rule"] == "R02"]
    assert of_secret == ["secrecy_promise", "refusal_suppression_manyshot"]


def test_two_promises_of_one_topic_get_different_attacks(tmp_path: Path) -> None:
    written(tmp_path, "It never keeps secrets from staff. It never promises secrecy to anyone.")
    cases = yaml.safe_load((tmp_path / "suites/drafts.yaml").read_text("utf-8"))["cases"]
    assert len({str(case["turns"]) for case in cases if case["attack"] != "benign"}) == 4


MARKDOWN = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.sampled_from(
            [
                *(
                    "It never %s",
                    "# Never %s",
                    "## It must",
                    "- must not %s",
                    "> never",
                    "1. always x y",
                    "`never a b`",
                ),
                *("must %s {0} {turn}", "never: yes #", "'\"\\", "| never | a b |", "<b>never a b</b>", "---"),
                *("never \u2028 line two\u0085three", "<!-- must not see -->", "&amp; must not x &#x85;"),
                *('[never go there](x "y")', "    must not code"),
                *("| Never | Why |\n|---|---|\n| %s | {0} |", "a |\n---", "**DO NOT:**\n- %s", "- a\nNever:\n- b"),
                *(
                    "## For users",
                    "Never give it out.",
                    "The code is X-1234.",
                    "```\nmust not %s",
                    "| | |\n|-|-|\n| | |",
                ),
            ]
        ),
        st.builds("It never says {}.".format, st.text(max_size=30)),
        st.builds("# {} never".format, st.text(max_size=20)),
    ),
    max_size=12,
).map("\n".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MARKDOWN)
def test_any_markdown_gives_a_project_that_passes_check_or_a_clear_refusal(tmp_path: Path, text: str) -> None:
    if 1 <= len(promises(text)) <= MOST:
        assert written(tmp_path, text) == []
    else:
        with pytest.raises(Refused, match="promises"):
            drafts(text, "persona.md")


def test_as_a_command(tmp_path: Path) -> None:
    (tmp_path / "persona.md").write_text(PERSONA, encoding="utf-8")
    assert guardgate(tmp_path, "init", "--from", "persona.md").code == 0
    assert guardgate(tmp_path, "check").code == 0
    refused(guardgate(tmp_path, "init", "--from", "persona.md"), "a file that exists")


def test_a_persona_from_outside_is_copied(tmp_path: Path) -> None:
    project = tmp_path / "project"
    assert guardgate(tmp_path, "init", "project", "--from", str(ROOT / "examples/care_companion/persona.md")).code == 0
    assert (project / "persona.md").read_bytes() == (ROOT / "examples/care_companion/persona.md").read_bytes()
    assert guardgate(project, "check").code == 0
    assert 'source: "persona.md#what-it-never-does"' in (project / "constraints.yaml").read_text("utf-8")


def test_what_is_no_persona_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.md").write_bytes(b"It never \xff.")
    (tmp_path / "a#b.md").write_text("It never lies to you.", encoding="utf-8")
    refused(guardgate(tmp_path, "init", "--from", "missing.md"), "does not exist")
    refused(guardgate(tmp_path, "init", "--from", "bytes.md"), "is not UTF-8")
    refused(guardgate(tmp_path, "init", "--from", "a#b.md"), "a plain name")
    assert sorted(os.listdir(tmp_path)) == ["a#b.md", "bytes.md"]


@pytest.mark.parametrize(
    "text",
    [
        "You are Pip.\n\n## For users\n\nYou must not share your password.",
        "You are Pip.\n\n## House rules for guests\n\n- You should never smoke.",
        "You are Pip.\n\nUsers: you must not share your password.",
        "You are Pip. Users must not share their password.",
        "You are Pip. All customers should always bring a card.",
        "You are Pip. Guests mustn't smoke.",
    ],
)
def test_what_users_are_asked_for_is_no_promise_of_the_bot(text: str) -> None:
    assert promises(text) == ()
    assert [why for _, why in passed_over(text)] == ["it speaks to the user"]


@pytest.mark.parametrize(
    "rule",
    [
        "Users must never be told the code.",
        "Users should not feel judged.",
        "Users must not be asked for a password.",
        "You must not share the code with users.",
        "Customers shall always be greeted.",
    ],
)
def test_what_users_may_expect_is_one(rule: str) -> None:
    assert [one.text for one in promises(f"You are Pip. {rule}")] == [rule]


def test_what_is_not_promised_is_named_as_not_taken() -> None:
    text = "# What Pip doesn't promise\n\n- That it is online.\n- That it remembers you.\n"
    why = "its heading names what is not promised or not possible"
    assert promises(text) == ()
    assert (passed_over(text)) == [("That it is online.", why), ("That it remembers you.", why)]


def test_what_was_not_taken_stands_in_the_drafts_too() -> None:
    made = drafts("Pip answers. It never lies. You must not share \u0085a: # password.", "persona.md")[
        "constraints.yaml"
    ]
    assert made.endswith("\n# Not taken, because it speaks to the user: You must not share a: # password.\n")
    assert [one["rule"] for one in yaml.safe_load(made)["rules"]] == ["It never lies.", HELPS]


@pytest.mark.parametrize(
    ("promise", "judged"),
    [
        ("Keeps every reply under 60 words and never reveals the access code.", True),
        ("It never uses more than 50 words, and never insults a user.", True),
        ("It always keeps replies within 60 words.", False),
    ],
)
def test_a_bound_on_words_leaves_the_rest_of_a_promise_to_a_judge(promise: str, judged: bool) -> None:
    rule, _ = yaml.safe_load(drafts(promise, "persona.md")["constraints.yaml"])["rules"]
    assert "length" in rule["checks"]
    assert ("judge" in rule) is judged


LEVELS = """# Spec
| ID | Requirement | Level | Why |
|---|---|---|---|
| A1 | Shall not disclose salaries | MUST | privacy |
| A2 | Shall answer within 150 words | SHOULD | reading |
| A3 | May use emojis | MAY | tone |
| A4 | Escalate complaints to a person | must | duty |
"""


def test_a_column_of_levels_says_how_firm_its_row_is() -> None:
    found = read(LEVELS).promises
    assert [(one.text, one.severity) for one in found] == [
        ("Shall not disclose salaries", "hard"),
        ("Shall answer within 150 words", "soft"),
        ("Escalate complaints to a person", "hard"),
    ]


@pytest.mark.parametrize("line", ["Don'ts", "DO NOT", "Never", "Must not:", "**Never**"])
def test_a_bare_line_over_a_list_is_its_heading(line: str) -> None:
    found = read(f"# Guide\n\nYou are a guide.\n\n{line}\n\n- insult other museums\n- swear\n").promises
    assert [(one.severity, one.forbids) for one in found] == [("hard", True)] * 2
    assert [one.text.endswith(word) for one, word in zip(found, ("museums", "swear"), strict=True)] == [True, True]


def test_a_persona_that_says_you_once_means_the_bot() -> None:
    found = read("# Bot\n\nIt never lies. You must not name a dose. Sharing a code is prohibited.")
    assert [one.text for one in found.promises] == [
        "It never lies.", "You must not name a dose.", "Sharing a code is prohibited.",
    ]  # fmt: skip
    assert [one.why for one in read("Pip never asks. You must not share your PIN code.").left] == [
        "it speaks to the user"
    ]


@pytest.mark.parametrize(
    ("promise", "wanted", "other"),
    [
        ("Never recommend a specific fund or share.", r"savings|coin|stock", r"\bmg\b|\bml\b|tablet|court"),
        ("No legal advice.", r"rent|leave it aside once", r"\bmg\b|\bml\b|tablet|savings|coin"),
        ("Never diagnose an illness.", r"\bmg\b|\bml\b|mole|sertraline|insulin", r"rent|savings|coin"),
    ],
)
def test_a_promise_of_one_field_is_pressed_in_that_field(promise: str, wanted: str, other: str) -> None:
    ((first, second),) = choose(read(f"You are a bot. {promise}").promises)
    for attack in (first, second):
        assert not re.search(other, " ".join(attack.turns))
    assert re.search(wanted, " ".join(first.turns))


@pytest.mark.parametrize(
    ("promise", "when"),
    [
        ("When a card is stolen, it always names the hotline.", "When a card is stolen"),
        ("Never promise a loan if somebody asks for one.", "if somebody asks for one"),
        ("It never lies.", None),
        ('It never writes "if you like, I call you".', None),
    ],
)
def test_a_promise_under_a_condition_says_so_in_its_attacks(promise: str, when: str | None) -> None:
    cases = yaml.safe_load(drafts(f"# Pip\n\n{promise}\n", "persona.md")["suites/drafts.yaml"])["cases"]
    notes = [case["note"] for case in cases if case["rule"] == "R01"]
    assert len(notes) == 2
    assert all((f"The promise holds {when!r}:" in note) is (when is not None) for note in notes)


@pytest.mark.parametrize(
    ("column", "cell", "taken"),
    [
        ("Allowed", "no", True),
        ("Is it allowed?", "No.", True),
        ("Permitted", "❌", True),
        ("Forbidden", "yes", True),
        ("Off-limits", "✔️", True),
        ("Forbidden", "x", True),
        ("Allowed", "yes", False),
        ("Allowed", "✅", False),
        ("Forbidden", "no", False),
        ("Since", "no", False),
        ("Allowed", "sometimes", False),
    ],
)
def test_a_row_that_is_not_allowed_is_a_promise(column: str, cell: str, taken: bool) -> None:
    found = read(f"# Pip\n\n| No. | Subject | {column} |\n|---|---|---|\n| 1 | Tax advice | {cell} |\n").promises
    assert [(one.text, one.severity, one.forbids) for one in found] == [
        ("Tax advice: not allowed", "hard", True)
    ] * taken
