"""A disk that fills up while results are written: 3, and the lines before are kept. Linux and macOS."""

from __future__ import annotations

import resource
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import case, guardgate, lines, refused, run, write
from tests.support.server import Answer, Server


def no_file_over(size: int) -> dict[str, Any]:
    """Writes past this many bytes fail in the child, as on a full disk. Compiled modules would be cut there too."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return {"preexec_fn": limit, "env": {"PYTHONDONTWRITEBYTECODE": "1"}}


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_disk_that_fills_up_is_3_and_keeps_the_lines(tmp_path: Path, concurrency: int) -> None:
    script = [{"when": "c00", "say": "ZEBRA"}, {"say": "No. " * 100}]
    cases = [case(f"c{number:02}") for number in range(40)]
    root = write(tmp_path, script, cases=cases, run={"concurrency": concurrency})
    whole = run(root, out="whole.jsonl")
    assert whole.code == 2
    assert whole.file is not None
    ran = guardgate(root, "run", "--out", "cut.jsonl", **no_file_over(whole.file.stat().st_size - 6000))
    assert ran.code == 3
    assert ran.out == ""
    assert "cut.jsonl: found a file that takes no more" in ran.err
    assert "are kept" in ran.err
    file = root / "cut.jsonl"
    *kept, tail = file.read_text().split("\n")
    file.write_text("\n".join([*kept, ""]))
    attempts = lines(file, "attempt")
    assert 20 < len(attempts) < 40
    assert {one["verdict"] for one in attempts} == {"held", "broke"}
    file.write_text("\n".join([*kept, tail]))
    gate = guardgate(root, "gate", "cut.jsonl")
    assert gate.code == 3
    assert "a hard rule broke: R1" in gate.first


FULL_FOR_A_MOMENT = """
import errno, os
import guardgate.results as results

class Once:
    full = True
    def __getattr__(self, name):
        return getattr(os, name)
    def write(self, number, data):
        if self.full and b'"n":3,' in data:
            self.full = False
            os.write(number, data[:20])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(number, data)

results.os = Once()
"""


def test_nothing_follows_half_a_line(tmp_path: Path) -> None:
    """Room that comes back must not let the next line run on from the half that was written: both would be lost."""
    cases = [case(f"c{number}") for number in range(6)]
    ran = run(write(tmp_path, [{"say": "ZEBRA"}], cases=cases, run={"concurrency": 2}), before=FULL_FOR_A_MOMENT)
    assert ran.code == 3
    assert "No space left" in ran.err
    assert ran.file is not None
    assert not ran.file.read_bytes().endswith(b"\n")
    assert "a hard rule broke: R1" in guardgate(tmp_path, "gate", "results.jsonl").first


def test_a_disk_that_is_full_is_found_before_any_call(tmp_path: Path) -> None:
    with Server(Answer({"answer": "No."})) as server:
        root = write(tmp_path, {"backend": "openai", "base_url": server.url, "model": "small"})
        refused(guardgate(root, "run", "--out", "results.jsonl", **no_file_over(100)), "results.jsonl")
        assert server.seen == []


def test_a_report_that_does_not_fit_is_3(tmp_path: Path) -> None:
    ran = run(write(tmp_path, [{"say": "ZEBRA " * 300}]))
    written = guardgate(tmp_path, "report", str(ran.file), "--out", "report.md", **no_file_over(100))
    refused(written, "report.md", "--out")


def test_a_report_never_replaces_its_results(tmp_path: Path) -> None:
    ran = run(write(tmp_path, [{"say": "No."}]))
    refused(guardgate(tmp_path, "report", str(ran.file), "--out", "results.jsonl"), "the results file itself")
    assert len(ran.attempts) == 1
