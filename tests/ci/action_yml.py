"""`python -m tests.ci.action_yml` writes action.yml from the tables of guardgate/ci; a test compares the two."""

from __future__ import annotations

import json

from guardgate.ci.inputs import INPUTS
from guardgate.ci.outputs import OUTPUTS
from tests.support.project import ROOT

HEAD = """\
name: guardgate
description: The gate that keeps a chatbot's or an agent's written rules true.
author: guardgate
branding: {icon: shield, color: blue}
inputs:
"""
TAIL = """\
runs:
  using: docker
  image: Dockerfile
"""


def text() -> str:
    """What action.yml must hold."""
    parts = [HEAD]
    for name, (default, told) in INPUTS.items():
        parts.append(f"  {name}:\n    description: {json.dumps(told)}\n    default: {json.dumps(default)}\n")
    parts.append("outputs:\n")
    parts += [f"  {name}:\n    description: {json.dumps(told)}\n" for name, told in OUTPUTS.items()]
    return "".join([*parts, TAIL])


if __name__ == "__main__":
    (ROOT / "action.yml").write_text(text(), encoding="utf-8")
