"""The one door: whatever the text around, no form of a secret passes, and everything stays bounded and valid."""

from __future__ import annotations

import base64
import json
import math
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.errors import Refused
from guardgate.intake import MAX_DEPTH, MAX_VALUES, REPLACED, Intake, Taken
from guardgate.record import Failure, Reply, ToolCall, Usage
from guardgate.redact import MARK, MAX_CHARS, secret_pattern

CANARY = "sk-Zebra/4417+x"
SECRETS = st.text(st.characters(exclude_categories=["Cs"]), min_size=8, max_size=40).filter(
    lambda secret: len(secret.strip()) >= 8 and MARK not in secret and not set(secret) <= set(MARK)
)


def in_base64(secret: str, lead: bytes, tail: bytes, url: bool) -> tuple[str, str]:
    """The secret in the middle of a base64 text, and the part of it that only the secret decides."""
    raw = lead + secret.encode() + tail
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    whole = encode(raw).decode()
    first, last = (len(lead) * 8 + 5) // 6, (len(lead) + len(secret.encode())) * 8 // 6
    return whole, whole[first:last]


def lower_hex(text: str) -> str:
    return "".join(f"%{part[:2].lower()}{part[2:]}" if n else part for n, part in enumerate(text.split("%")))


def forms(secret: str) -> list[str]:
    """What must not come out, each way that the design names."""
    quoted = [quote(secret), quote(secret, safe=""), quote_plus(secret)]
    return [
        secret,
        *quoted,
        *map(lower_hex, quoted),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(secret))[3:-3],
        base64.b64encode(secret.encode()).decode(),
        base64.urlsafe_b64encode(secret.encode()).decode(),
        base64.b64encode(secret.encode()).decode().rstrip("="),
        quote(base64.b64encode(secret.encode()).decode(), safe=""),
    ]


# --- secrets ---------------------------------------------------------------------------------------------------------


@given(SECRETS, st.text(max_size=20), st.text(max_size=20), st.data())
def test_no_form_of_a_secret_passes(secret: str, before: str, after: str, data: st.DataObject) -> None:
    secret = secret.strip()
    form = data.draw(st.sampled_from(forms(secret)))
    shown = Intake((secret,)).text(f"{before}{form}{after}")
    assert form not in shown
    assert secret not in shown
    assert MARK in shown


@given(SECRETS, st.binary(max_size=9), st.binary(max_size=9), st.booleans())
def test_no_secret_passes_inside_a_base64_text(secret: str, lead: bytes, tail: bytes, url: bool) -> None:
    secret = secret.strip()
    whole, core = in_base64(secret, lead, tail, url)
    shown = Intake((secret,)).text(f"It is {whole} ok")
    assert core not in shown
    assert MARK in shown
    assert shown.startswith("It is ")
    assert shown.endswith(" ok")


@given(st.lists(SECRETS, min_size=1, max_size=4), st.lists(st.text(max_size=9), min_size=9, max_size=9), st.data())
def test_many_secrets_in_one_text(secrets: list[str], pieces: list[str], data: st.DataObject) -> None:
    order = data.draw(st.lists(st.sampled_from(secrets), max_size=8))
    text = "".join(piece + secret.strip() for piece, secret in zip(pieces, order, strict=False))
    shown = Intake(tuple(secrets)).text(text)
    assert not any(secret.strip() in shown for secret in secrets)


@given(SECRETS, SECRETS, st.text(max_size=20))
def test_a_line_of_json_stays_one(secret: str, other: str, text: str) -> None:
    intake = Intake((secret, other))
    value = {
        "a": text + secret.strip() + text,
        "b": [other.strip(), secret + '"'],
        "c": base64.b64encode(b"\n" + secret.encode()).decode(),
    }
    for ascii_only in (True, False):
        line = json.dumps(value, ensure_ascii=ascii_only)
        again = json.loads(intake.redact(line))
        assert secret.strip() not in json.dumps(again, ensure_ascii=False)


def test_an_escape_before_a_secret_stays_whole() -> None:
    intake = Intake(("nasty-secret", '"quoted one"', "ends with \\"))
    for text in (
        "\nasty-secret",
        'a\\"quoted one"',
        'x"quoted one"',
        'ends with \\"',
        "ends with \\\\",
        "é\n" + CANARY,
    ):
        assert isinstance(json.loads(intake.redact(json.dumps(text))), str), text
    encoded = base64.b64encode(b"xnasty-secret").decode()[1:]
    assert isinstance(json.loads(intake.redact(json.dumps("\x07" + encoded))), str)


@given(st.text())
def test_other_texts_pass_unchanged(text: str) -> None:
    valid = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert Intake().text(valid) == valid
    assert Intake((CANARY,)).text(valid) == valid


def test_what_counts_as_a_secret() -> None:
    assert Intake(("short", "1234567", "        ", "  1234567  ", "")).text("short 1234567") == "short 1234567"
    assert secret_pattern(("short",)) is None
    assert Intake((f"  {CANARY}\n",)).text(f"x{CANARY}y") == f"x{MARK}y"
    assert Intake(("password",)).text("Password") == "Password"


def test_longest_first() -> None:
    intake = Intake((CANARY, CANARY + "-and-more"))
    assert intake.text(f"{CANARY}-and-more, {CANARY}-and") == f"{MARK}, {MARK}-and"


def test_mixed_and_repeated_encodings() -> None:
    intake = Intake(('p@ss "wörd"/\\',))
    for text in (
        "p%40ss+%22w%c3%b6rd%22%2F%5C",
        "p%2540ss%2520%2522w%25C3%25B6rd%2522%252F%255C",
        r"p@ss \"w\u00f6rd\"\/\\",
        r"p@ss \\\"w\\u00F6rd\\\"\\/\\\\",
    ):
        assert intake.text(f"<{text}>") == f"<{MARK}>", text
    assert intake.text('<p@ss "wörd"/\\>') == f"<{MARK}\\>", "a lone backslash may begin the escape of what follows"


def test_emoji_secret_as_json_pairs() -> None:
    assert Intake(("key-😀-key-😀",)).text(r"key-\ud83d\uDE00-key-\ud83d\ude00") == MARK


def test_a_secret_is_not_shown_by_the_door_itself() -> None:
    intake = Intake((CANARY,))
    intake.text("x")
    assert CANARY not in repr(intake)
    assert CANARY not in str(intake)


LONG = "".join(chr(97 + n % 26) + 'é\n +/"\\'[n % 7] + chr(65 + n * n % 23) for n in range(900))


@pytest.mark.parametrize("size", [199, 200, 201, 399, 401, 1_000, 2_699])
def test_a_long_secret_does_not_pass_in_any_form(size: int) -> None:
    secret = LONG[:size].strip()
    intake = Intake((secret,))
    for form in forms(secret):
        assert intake.text(f"a {form} b") in (f"a {MARK} b", f"a {MARK}\\ b"), form[:50]
    for lead in (b"", b"x", b"xy"):
        whole, core = in_base64(secret, lead, b"tail", url=False)
        shown = intake.text(whole)
        assert not any(core[at : at + 40] in shown for at in range(len(core) - 40))


def test_a_long_secret_does_not_pass_in_part() -> None:
    shown = Intake((LONG,)).text(f"begins {LONG[:700]} and ends {LONG[-700:]}")
    assert shown.count(MARK) == 2
    assert len(shown) < 450


def test_the_largest_secrets_can_still_be_searched_for() -> None:
    large = 'é"' * (MAX_CHARS // 2)
    assert Intake((large,)).text(f"a{large}b") == f"a{MARK}b"


def test_more_than_can_be_searched_for_is_refused() -> None:
    secrets = tuple(f"{n:08}" for n in range(MAX_CHARS // 8 + 1))
    with pytest.raises(Refused) as caught:
        Intake(secrets).text("x")
    assert "00000001" not in str(caught.value)
    assert "2501 secrets with 20,008 characters" in str(caught.value)


# --- valid and bounded -----------------------------------------------------------------------------------------------


@given(st.text(st.characters()))
def test_text_can_always_be_written(text: str) -> None:
    shown = Intake((CANARY,)).text(text)
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert len(shown) == len(text)


def test_a_long_reply_is_cut_and_says_so() -> None:
    taken = Intake(max_chars=10).reply(Reply("x" * 11))
    assert taken.reply.text == "x" * 10
    assert taken.reply.cut
    assert taken.too_large
    assert taken.notes == ("cut to 10 characters",)
    whole = Intake(max_chars=10).reply(Reply("x" * 10))
    assert (whole.reply.cut, whole.too_large, whole.notes) == (False, False, ())


def test_a_cut_does_not_leave_half_a_secret() -> None:
    taken = Intake((CANARY,), max_chars=20).reply(Reply("x" * 12 + CANARY + "y" * 30))
    assert taken.reply.text == "x" * 12 + MARK
    assert taken.notes == (REPLACED, "cut to 20 characters")


def test_redact_does_not_cut() -> None:
    assert Intake((CANARY,), max_chars=5).redact("x" * 100 + CANARY + "\ud800") == "x" * 100 + MARK + "\ufffd"


def test_reply_is_clean_everywhere() -> None:
    call = ToolCall(f"tool-{CANARY}", {f"k-{CANARY}": [CANARY, {"x": CANARY}]}, CANARY)
    reply = Reply(
        f"a {CANARY}", (call,), {"s": quote(CANARY, safe="")}, 12, Usage(1, 2, math.nan), f"m-{CANARY}", copied=True
    )
    taken = Intake((CANARY,)).reply(reply)
    assert taken.notes == (REPLACED,)
    assert not taken.too_large
    assert taken.reply == Reply(
        f"a {MARK}",
        (ToolCall(f"tool-{MARK}", {f"k-{MARK}": [MARK, {"x": MARK}]}, MARK),),
        {"s": MARK},
        12,
        Usage(1, 2, None),
        f"m-{MARK}",
        copied=True,
    )


@pytest.mark.parametrize(
    "reply",
    [
        Reply("x", (ToolCall(CANARY),)),
        Reply("x", (ToolCall("t", CANARY),)),
        Reply("x", (ToolCall("t", None, [CANARY]),)),
        Reply("x", state={"deep": {CANARY: 1}}),
        Reply("x", model=CANARY),
    ],
)
def test_a_secret_anywhere_leaves_a_note(reply: Reply) -> None:
    assert Intake((CANARY,)).reply(reply).notes == (REPLACED,)


def test_a_reply_without_anything_odd_is_the_same() -> None:
    reply = Reply("Grüße 👍", (ToolCall("t", {"a": [1, 2.5, None, True]}),), {"x": []}, 5, Usage(1, None, 0.5), "m")
    taken = Intake((CANARY,)).reply(reply)
    assert taken == Taken(reply, ())
    text, notes = taken
    assert (text, notes) == (reply, ())


def test_a_cut_reply_stays_cut() -> None:
    taken = Intake().reply(Reply("x", cut=True))
    assert taken.reply.cut
    assert not taken.too_large


def test_failure() -> None:
    failure = Failure("http_error", f"key {CANARY} {'x' * 2_000}", "resend", 3.0, True, 2, 4, Reply(CANARY))
    clean = Intake((CANARY,)).failure(failure)
    assert clean.detail.startswith(f"key {MARK} xx")
    assert len(clean.detail) == 1_000
    assert clean.partial == Reply(MARK)
    assert (clean.kind, clean.retry, clean.after, clean.fatal, clean.turn, clean.tries) == (
        "http_error", "resend", 3.0, True, 2, 4,
    )  # fmt: skip


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (0, 0),
        (-7, -7),
        (1.5, 1.5),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (2**63, str(2**63)),
        ("a\ud800", "a\ufffd"),
        (b"\xff\x00a", "\ufffd\x00a"),
        ((1, [2]), [1, [2]]),
        ({1: "a", None: "b", 2.5: "c"}, {"1": "a", "None": "b", "2.5": "c"}),
        ({f"a{chr(0xD800 + n)}": n for n in range(2)}, {"a\ufffd": 0, "a\ufffd (2)": 1}),
        ({1, 2}, "[set]"),
        (object(), "[object]"),
    ],
)
def test_value(value: Any, expected: Any) -> None:
    found = Intake().value(value)
    assert found == expected
    assert type(found) is type(expected)


def test_a_number_that_nobody_can_write_down() -> None:
    assert Intake().value([10**9999]) == ["[a huge number]"]


def test_a_secret_that_is_a_number() -> None:
    intake = Intake(("12345678901",))
    assert intake.value([12345678901, 1234567890, {"x": -12345678901}]) == [MARK, 1234567890, {"x": MARK}]
    assert intake.reply(Reply("x", state=12345678901)).notes == (REPLACED,)


def test_values_are_bounded_in_depth() -> None:
    deep: Any = "end"
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert Intake().value(deep) == deep
    taken = Intake().reply(Reply("x", state=[deep]))
    assert taken.too_large
    assert taken.reply.cut
    assert "[cut]" in json.dumps(taken.reply.state)
    hole: list[Any] = []
    for _ in range(100_000):
        hole = [hole]
    assert "[cut]" in json.dumps(Intake().value(hole))


def test_values_are_bounded_in_size() -> None:
    wide = Intake().reply(Reply("x", state=list(range(MAX_VALUES + 5))))
    assert wide.too_large
    assert len(wide.reply.state) <= MAX_VALUES
    long = Intake(max_chars=100).reply(Reply("x", state=["y" * 60, "z" * 60, "w"]))
    assert long.too_large
    assert long.reply.state == ["y" * 60, "z" * 40, "[cut]"]
    tools = Intake(max_chars=100).reply(Reply("x", tuple(ToolCall("t", "y" * 40) for _ in range(5))))
    assert tools.too_large
    assert len(json.dumps([call.arguments for call in tools.reply.tools])) < 200
    many = Intake().reply(Reply("x", tuple(ToolCall("t") for _ in range(MAX_VALUES + 1))))
    assert many.too_large
    itself: dict[str, Any] = {}
    itself["again"] = itself
    assert Intake().reply(Reply("x", state=itself)).too_large


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(), max_size=9), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_values_are_json_and_stable(value: Any, secret: bool) -> None:
    intake = Intake((CANARY,) if secret else ())
    clean = intake.value(value)
    assert json.loads(json.dumps(clean, allow_nan=False)) == clean
    assert json.dumps(clean, ensure_ascii=False).encode("utf-8")
    assert intake.value(clean) == clean


@given(
    st.recursive(
        st.just(CANARY), lambda inner: st.lists(inner, min_size=1) | st.dictionaries(st.text(), inner), max_leaves=9
    )
)
def test_no_secret_passes_in_a_value(value: Any) -> None:
    assert CANARY not in json.dumps(Intake((CANARY,)).value(value))
