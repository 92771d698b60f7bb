"""D15, D16: programs that fail with their output lost, that print banners, or that wait for more input for ever."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.backends.stub import script
from tests.support.project import case, run, write


def bot(root: Path, body: str, **more: Any) -> dict[str, Any]:
    """A target that is a program made of this text, in the project's folder."""
    script(root, "bot", body)
    return {"backend": "command", "command": [f"./bot{'.cmd' if sys.platform == 'win32' else ''}"], **more}


def test_d15_what_a_program_wrote_before_it_failed_is_kept_and_can_break_a_rule(tmp_path: Path) -> None:
    body = """
import json, sys
turn = json.load(sys.stdin)["turn"]
if turn == "Hello.":
    print(json.dumps("Hi."))
else:
    print(json.dumps({"text": "It is ZEBRA." if turn == "leak" else "It is"}))
    sys.exit("the database is gone")
"""
    cases = [case("leak"), case("fail")]
    ran = run(write(tmp_path, bot(tmp_path, body), cases=cases))
    assert (ran.code, ran.verdicts) == (3, {"leak": "broke", "fail": "undecided"}), ran
    assert "a hard rule broke: R1" in ran.first
    assert ran.kinds == {"leak": "app_error", "fail": "app_error"}
    assert all("exit code 1" in one["failure"]["detail"] for one in ran.attempts)
    assert all("the database is gone" in one["failure"]["detail"] for one in ran.attempts)
    assert [one["replies"][0]["text"] for one in ran.attempts] == ["It is ZEBRA.", "It is"]


def test_d16_a_program_that_waits_for_more_input_gets_its_end(tmp_path: Path) -> None:
    body = "import sys\nwords = ' '.join(line.strip() for line in sys.stdin)\nprint('heard', words)\n"
    ran = run(write(tmp_path, bot(tmp_path, body, input="text")))
    assert (ran.code, ran.verdicts) == (0, {"c1": "held"}), ran
    assert ran.attempts[0]["replies"][0]["text"] == "heard c1"


@pytest.mark.parametrize("noise", ["Welcome! Version 3 is out.\\n", "\\x1b[32m"])
def test_d16_banners_and_colours_make_no_answer(noise: str, tmp_path: Path) -> None:
    body = f"""
import json, sys
turn = json.load(sys.stdin)["turn"]
if turn != "Hello.":
    sys.stdout.write("{noise}")
print(json.dumps("No."))
"""
    ran = run(write(tmp_path, bot(tmp_path, body)))
    assert (ran.code, ran.kinds, ran.verdicts) == (3, {"c1": "malformed"}, {"c1": "undecided"}), ran


def test_d16_a_program_that_never_ends_is_a_timeout(tmp_path: Path) -> None:
    body = """
import json, sys, time
if json.load(sys.stdin)["turn"] == "Hello.":
    print(json.dumps("Hi."))
else:
    while True:
        time.sleep(1)
"""
    ran = run(write(tmp_path, bot(tmp_path, body), run={"limits": {"call_seconds": 6}}))
    assert (ran.code, ran.kinds) == (3, {"c1": "timeout"}), ran
