"""The reports that the action writes say the code of the step, never a better one."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from guardgate.ci.bots import Bot
from guardgate.ci.play import Played, pieces
from guardgate.recount import summary_of
from guardgate.results import open_results
from tests.support.project import case, run, write


def test_a_run_that_ended_otherwise_than_its_results_say_is_green_in_no_report(tmp_path: Path) -> None:
    write(tmp_path, [{"say": "No."}], cases=[case("c1")])
    ran = run(tmp_path)
    assert ran.file is not None
    results = open_results(ran.file)
    summary, gated = summary_of(results)
    assert gated.code == 0
    bot = Bot(tmp_path, tmp_path / "guardgate.yaml")
    for code, errors in ((0, "0"), (3, "1")):
        played = Played(bot, code, "", None, results, summary, gated)
        root = ElementTree.fromstring("".join(pieces(played, "junit", tmp_path)))
        assert root.get("errors") == errors
        assert json.loads("".join(pieces(played, "json", tmp_path)))["code"] == code
        log = json.loads("".join(pieces(played, "sarif", tmp_path)))["runs"][0]
        assert log["invocations"][0]["executionSuccessful"] is (code == 0)
        assert f'<body class="code{code}">' in "".join(pieces(played, "html", tmp_path))
